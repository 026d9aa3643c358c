"""edges.py DIR: the functions of a Python tree, and where jedi says that they are called or named.

Prints a line of JSON for each function, and one for the places that jedi cannot tell. Needs jedi.
"""

import ast
import json
import os
import sys

import jedi

root = os.path.abspath(sys.argv[1])
project = jedi.Project(root, added_sys_path=[root, os.path.join(root, "src")], smart_sys_path=False)

trees, functions = {}, {}
for directory, below, files in os.walk(root):
    below[:] = [name for name in below if not name.startswith(".")]
    for name in files:
        path = os.path.join(directory, name)
        if not name.endswith(".py"):
            continue
        try:
            with open(path, encoding="utf8") as f:
                text = f.read()
            trees[path] = (text.split("\n"), ast.parse(text))
        except (SyntaxError, UnicodeDecodeError):
            continue
        for node in ast.walk(trees[path][1]):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                functions[path, node.lineno] = {
                    "name": node.name, "path": os.path.relpath(path, root), "line": node.lineno, "calls": [], "uses": [],
                }

names = {f["name"] for f in functions.values()}
ungraded = set()
for path, (lines, tree) in trees.items():
    script = jedi.Script(path=path, project=project)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
            line, column = node.lineno, node.col_offset
        elif isinstance(node, ast.Attribute) and node.attr in names:
            line, column = node.end_lineno, node.end_col_offset - len(node.attr.encode())
        else:
            continue
        at = "%s:%d" % (os.path.relpath(path, root), line)
        column = len(lines[line - 1].encode()[:column].decode(errors="ignore"))
        try:
            meant = script.goto(line, column, follow_imports=True)
        except Exception:  # jedi fails on some code
            meant = []
        if not any(m.module_path or m.type in ("function", "class", "module") for m in meant):
            ungraded.add(at)
        for m in meant:
            f = functions.get((str(m.module_path), m.line))
            if f is None:
                continue
            f["uses"].append(at)
            if id(node) in called:
                f["calls"].append(at)

for key in sorted(functions):
    print(json.dumps(functions[key]))
print(json.dumps({"ungraded": sorted(ungraded)}))
