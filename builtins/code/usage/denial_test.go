package usage

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// TestADenialIsEarned asks for the callers of what nothing calls under its own name: where
// anything else may call it, the reply says so, names the place and is not sure.
func TestADenialIsEarned(t *testing.T) {
	const ts, py = "export function pack(n: number) { return n; }\nexport function spare(n: number) { return n; }\n", "def pack(n):\n    return n\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  []string // none: the denial is absolute
	}{
		"nothing names it":               {map[string]string{"a.py": py, "b.py": "import a\n\nprint(a)\n"}, nil},
		"a comment names it":             {map[string]string{"a.py": py, "b.py": "x = 1  # pack\n"}, nil},
		"a manual names it":              {map[string]string{"a.py": py, "README.md": "Call `pack`.\n"}, nil},
		"its own message names it":       {map[string]string{"a.py": "def pack(n):\n    raise ValueError('pack failed')\n"}, nil},
		"the list of exports":            {map[string]string{"a.py": py + "\n__all__ = [\n    'pack',\n]\n"}, nil},
		"another default export":         {map[string]string{"a.ts": ts, "b.ts": "import spare from './a';\nspare(1);\n"}, nil},
		"a dictionary's fixed key":       {map[string]string{"a.py": py, "b.py": "print(getattr(x, 'name'))\n"}, nil},
		"Go, in one package":             {map[string]string{"a.go": "package a\n\nfunc pack() {}\n", "go.mod": "module a\n"}, nil},
		"an inert decorator":             {map[string]string{"a.py": "class A:\n    @staticmethod\n    def pack(n):\n        return n\n"}, nil},
		"a string":                       {map[string]string{"a.py": py, "b.py": "JOBS = {'p': 'a.pack'}\n"}, []string{"in a string at b.py:1"}},
		"the hole of a string":           {map[string]string{"a.php": "<?php\nclass A { function pack() { return 1; } }\n", "b.php": "<?php\necho \"{$a->pack()}\";\n"}, []string{"b.php:2"}},
		"a template":                     {map[string]string{"a.py": py, "b.html": "{{ pack(1) }}\n"}, []string{"as text at b.html:1"}},
		"data":                           {map[string]string{"a.py": py, "b.toml": "[scripts]\np = \"a:pack\"\n"}, []string{"in data at b.toml:2"}},
		"a language that is not read":    {map[string]string{"a.ts": ts, "b.marko": "---\nimport { pack } from './a';\n---\n{pack(1)}\n"}, []string{"as text at b.marko:2, b.marko:4", ".marko files"}},
		"apply of Elixir":                {map[string]string{"a.ex": "defmodule A do\n  def pack(n), do: n\nend\n", "b.ex": "defmodule B do\n  def run(f), do: apply(A, f, [1])\n  def pack_all, do: 1\n  # pack\nend\n"}, []string{"by a computed name, as at b.ex:2"}},
		"a table of Lua":                 {map[string]string{"a.lua": "local M = {}\nfunction M.pack(n)\n  return n\nend\nfunction M.run(f)\n  return M[f](1)\nend\nreturn M\n"}, []string{"by a computed name, as at a.lua:6"}},
		"C from Zig":                     {map[string]string{"a.c": "int pack(int n) { return n; }\n", "b.zig": "const c = @cImport(@cInclude(\"a.h\"));\npub fn main() void {\n    _ = c.pack(1);\n}\n"}, []string{"in zig code at b.zig:3"}},
		"such a language, of no use":     {map[string]string{"a.ts": ts, "b.marko": "---\nimport { spare } from './a';\n---\n{spare(1)}\n"}, []string{".marko files"}},
		"an import's name, Python":       {map[string]string{"a.py": py, "b.py": "from a import pack as _p\n"}, []string{"`_p` (b.py:1)"}},
		"an import's name, Rust":         {map[string]string{"a.rs": "pub fn pack() {}\n", "b.rs": "use crate::a::{spare, pack as p};\n"}, []string{"`p` (b.rs:1)"}},
		"an import's name, Scala":        {map[string]string{"a.scala": "package a\nobject A {\n  def pack(n: Int) = n\n}\n", "b.scala": "import a.A.{pack => p}\n"}, []string{"`p` (b.scala:1)"}},
		"an export's name":               {map[string]string{"a.ts": "function pack() {}\nexport { spare, pack as p };\nfunction spare() {}\n"}, []string{"`p` (a.ts:2)"}},
		"an export's name, line by line": {map[string]string{"a.ts": "function pack() {}\nfunction spare() {}\nexport {\n  spare,\n  pack as p,\n};\n"}, []string{"`p` (a.ts:5)"}},
		"taken apart":                    {map[string]string{"a.js": "exports.pack = function pack() {}\n", "b.js": "const { pack: p } = require('./a');\n"}, []string{"`p` (b.js:1)"}},
		"the default export":             {map[string]string{"a.ts": "export default function pack() {}\n", "b.ts": "import mass from './a.js';\n"}, []string{"`mass` (b.ts:1)"}},
		"the default export, required":   {map[string]string{"x/index.js": "function pack() {}\nmodule.exports = pack\n", "b.js": "const mass = require('./x')\n"}, []string{"`mass` (b.js:1)"}},
		"a default that none imports":    {map[string]string{"a.ts": "export default function pack() {}\n"}, []string{"default export"}},
		"a computed name, Python":        {map[string]string{"a.py": py, "b.py": "def go(m, n):\n    getattr(m, 'do_' + n)()\n"}, []string{"b.py:2"}},
		"a computed name, Ruby":          {map[string]string{"a.rb": "def pack(n)\n  n\nend\n", "b.rb": "obj.public_send(name, 1)\n"}, []string{"b.rb:1"}},
		"a computed name, Java":          {map[string]string{"A.java": "class A {\n  void pack() {}\n}\n", "B.java": "class B {\n  Object m(Class c, String n) { return c.getMethod(n); }\n}\n"}, []string{"B.java:2"}},
		"a decorator":                    {map[string]string{"a.py": "@app.route(\n    '/p'\n)\ndef pack(n):\n    return n\n"}, []string{"`@app.route`"}},
		"a library's class above":        {map[string]string{"a.py": "from lib import Base\n\nclass A(Base):\n    def pack(self):\n        return 1\n"}, []string{"`Base`"}},
		"a library's interface":          {map[string]string{"a.go": "package a\n\ntype A struct{}\n\nfunc (A) Pack() {}\n", "go.mod": "module a\n"}, []string{"interface"}},
		"a trait":                        {map[string]string{"a.rs": "struct A;\nimpl Packer for A {\n    fn pack(&self) {}\n}\n"}, []string{"`Packer`"}},
		"generated code":                 {map[string]string{"a.py": py, "b.py": "# Code generated by x. DO NOT EDIT.\nfrom a import pack\npack(1)\n"}, []string{"in generated code at b.py:2, b.py:3"}},
	} {
		question := "who calls pack?"
		if name == "a library's interface" {
			question = "who calls Pack?"
		}
		got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, c.files), map[string]any{"question": question})
		if absolute := strings.Contains(got.Summary, "not called anywhere else in the tree"); absolute != (c.want == nil) || (got.Confidence == contract.High) != absolute {
			t.Errorf("%s: %s [%s]", name, got.Summary, got.Confidence)
		}
		for _, want := range c.want {
			if !strings.Contains(got.Summary, want) {
				t.Errorf("%s: no %q in %s", name, want, got.Summary)
			}
		}
	}
}

// TestTheTraceEarnsItsDenial holds the same of the finding beside a definition, and of uses
// in tests alone.
func TestTheTraceEarnsItsDenial(t *testing.T) {
	files := map[string]string{"a.py": "def pack(n):\n    return n\n\n\ndef spare(n):\n    return n\n", "b.py": "JOBS = {'p': 'a.pack'}\n"}
	got := codetest.MustCall[TraceOutput](t, Trace(), codetest.NewEnv(t, files), map[string]any{"references": []string{"a.py:1", "a.py:5"}})
	for i, want := range []string{"No call of `pack` was found under its own name. Its name stands in a string at b.py:1, from where it may be called.", "`spare` is not called anywhere else in the tree."} {
		if got.Calls[i].Denial != want {
			t.Errorf("got %s", got.Calls[i].Denial)
		}
	}
	files["test_a.py"] = "from a import pack\n\ndef test_it():\n    pack(1)\n"
	all := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, files), map[string]any{"question": "who calls pack?"})
	if want := "Of `pack` (a.py:1) calls were found in tests alone. Its name stands in a string at b.py:1"; !strings.HasPrefix(all.Summary, want) || all.Confidence == contract.High {
		t.Errorf("got %s [%s]", all.Summary, all.Confidence)
	}
}
