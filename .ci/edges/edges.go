// Edges prints the functions of a Go module, and where go/types says that they are called or named: a line of JSON for
// each function.
//
//	go run .ci/edges/edges.go DIR
//
// GOOS and GOFLAGS=-tags=… say which files are compiled; what others call is no call then.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"log"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/tools/go/packages"
)

type function struct {
	Name  string   `json:"name"`
	Path  string   `json:"path"`
	Line  int      `json:"line"`
	Calls []string `json:"calls"`
	Uses  []string `json:"uses"`
}

// module is what is known of a tree. A file is in several packages where it has tests.
type module struct {
	root      string
	order     []string
	functions map[string]*function // by place
	seen      map[string]bool
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: edges DIR")
	}
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: root, Tests: true}, "./...")
	if err != nil {
		log.Fatal(err)
	}
	m := &module{root: root, functions: map[string]*function{}, seen: map[string]bool{}}
	for _, p := range loaded {
		m.addFunctions(p)
	}
	for _, p := range loaded {
		m.addUses(p)
	}
	out := json.NewEncoder(os.Stdout)
	for _, at := range m.order {
		if err := out.Encode(m.functions[at]); err != nil {
			log.Fatal(err)
		}
	}
}

// place returns path:line, or "" for what is outside of the tree.
func (m *module) place(pos token.Position) string {
	rel, err := filepath.Rel(m.root, pos.Filename)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel) + ":" + strconv.Itoa(pos.Line)
}

func (m *module) addFunctions(p *packages.Package) {
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Name.Name == "_" || f.Name.Name == "init" || f.Name.Name == "main" {
				continue
			}
			pos := p.Fset.Position(f.Name.Pos())
			at := m.place(pos)
			if at == "" || m.functions[at] != nil {
				continue
			}
			rel, _ := filepath.Rel(m.root, pos.Filename)
			m.order = append(m.order, at)
			m.functions[at] = &function{f.Name.Name, filepath.ToSlash(rel), pos.Line, []string{}, []string{}}
		}
	}
}

func (m *module) addUses(p *packages.Package) {
	for _, file := range p.Syntax {
		called := map[*ast.Ident]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				called[calleeOf(c)] = true
			}
			return true
		})
		ast.Inspect(file, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			object, ok := p.TypesInfo.Uses[id].(*types.Func)
			if !ok {
				return true
			}
			pos := p.Fset.Position(id.Pos())
			f, at := m.functions[m.place(p.Fset.Position(object.Origin().Pos()))], m.place(pos)
			if once := fmt.Sprint(pos, object.Name()); f != nil && at != "" && !m.seen[once] {
				m.seen[once] = true
				if f.Uses = append(f.Uses, at); called[id] {
					f.Calls = append(f.Calls, at)
				}
			}
			return true
		})
	}
}

// calleeOf returns the name that is called, nil where a value is.
func calleeOf(c *ast.CallExpr) *ast.Ident {
	callee := ast.Unparen(c.Fun)
	switch x := callee.(type) {
	case *ast.IndexExpr:
		callee = x.X
	case *ast.IndexListExpr:
		callee = x.X
	}
	switch x := callee.(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	}
	return nil
}
