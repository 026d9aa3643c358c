package compactor_test

import (
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// TestEverySettingIsRead fails for a field of the configuration that nothing
// outside of runtime/config reads: a setting that is accepted and does nothing
// looks enforced and is not.
func TestEverySettingIsRead(t *testing.T) {
	const home = module + "/runtime/config"
	packages := typed(t)
	fields := settings(packages, home)
	if len(fields) < 100 {
		t.Fatalf("only %d settings", len(fields))
	}
	for _, p := range packages {
		if p.ImportPath == home {
			continue
		}
		for _, sel := range p.info.Selections {
			for _, f := range selected(sel) {
				delete(fields, f)
			}
		}
	}
	var unread []string
	for _, name := range fields {
		unread = append(unread, name)
	}
	sort.Strings(unread)
	for _, name := range unread {
		t.Errorf("config.%s: nothing reads it", name)
	}
}

// place is where a field is declared. The same field is another object in each
// package that is checked by itself, but it has one place.
type place struct{ typ, field string }

// settings are the exported fields of the structs of a package that a
// configuration is decoded into: those that hang on its type Config.
func settings(packages []*checked, home string) map[place]string {
	out := map[place]string{}
	for _, p := range packages {
		if p.ImportPath != home {
			continue
		}
		seen := map[types.Type]bool{}
		var add func(t types.Type)
		add = func(t types.Type) {
			switch t := t.(type) {
			case *types.Pointer:
				add(t.Elem())
			case *types.Slice:
				add(t.Elem())
			case *types.Map:
				add(t.Elem())
			case *types.Named:
				s, ok := t.Underlying().(*types.Struct)
				if !ok || seen[t] || t.Obj().Pkg() == nil || t.Obj().Pkg().Path() != home {
					return
				}
				seen[t] = true
				for f := range s.Fields() {
					if f.Exported() {
						out[place{t.Obj().Name(), f.Name()}] = t.Obj().Name() + "." + f.Name()
						add(f.Type())
					}
				}
			}
		}
		add(p.pkg.Scope().Lookup("Config").Type())
	}
	return out
}

// selected are the fields that a selector goes through, those of embedded
// structs too.
func selected(sel *types.Selection) []place {
	var out []place
	t := sel.Recv()
	index := sel.Index()
	if sel.Kind() != types.FieldVal {
		index = index[:len(index)-1]
	}
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return out
		}
		f := s.Field(i)
		if n, ok := types.Unalias(t).(*types.Named); ok {
			out = append(out, place{n.Obj().Name(), f.Name()})
		}
		t = f.Type()
	}
	return out
}

// checked is a package of ours with the types of its expressions.
type checked struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Export     string
	Standard   bool

	pkg  *types.Package
	info *types.Info
}

// typed type-checks the packages of this module; what they import comes from the
// build's own export data.
func typed(t *testing.T) []*checked {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export,Standard", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	exports := map[string]string{}
	var ours []*checked
	d := json.NewDecoder(strings.NewReader(string(out)))
	for d.More() {
		p := &checked{}
		if err := d.Decode(p); err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if within(p.ImportPath, module) {
			ours = append(ours, p)
		}
	}
	fset := token.NewFileSet()
	load := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range ours {
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		p.info = &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}
		p.pkg, err = (&types.Config{Importer: load}).Check(p.ImportPath, fset, files, p.info)
		if err != nil {
			t.Fatal(err)
		}
	}
	return ours
}
