package compactor_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/service"
)

// otherNames are names of the configuration that are something else where they
// stand in Go.
var otherNames = map[string]string{
	"runtime/safety/redact/gitleaks/rules.go": "words of everyday language, which are no secrets",
}

// methods are names of the configuration that are also MCP's, a library's, an argument's
// or a task's.
var methods = map[string]bool{"ask": true, "ping": true, "search": true, "summarize": true}

// TestNoGoNamesTheConfiguration holds that roles, pipelines and tools are data: Go
// that runs them knows none by name, so that a user may rename, replace or leave
// out any. A name of one word is found where it is a whole string, others
// wherever they stand in one.
func TestNoGoNamesTheConfiguration(t *testing.T) {
	names := shippedNames(t)
	if len(names) < 15 {
		t.Fatalf("only %d names: %q", len(names), names)
	}
	files := 0
	for _, dir := range []string{"runtime", "cmd"} {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			path = filepath.ToSlash(path)
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || otherNames[path] != "" {
				return err
			}
			files++
			for _, found := range namesIn(t, path, names) {
				t.Error(found)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 300 {
		t.Errorf("only %d files were read", files)
	}
}

// shippedNames are the names of roles, pipelines and tools.
func shippedNames(t *testing.T) map[string]*regexp.Regexp {
	t.Helper()
	snap, diags, err := service.Load(t.Context(), service.Options{Defaults: compactor.Defaults, Work: t.TempDir(), Builtins: builtins.All, NoModel: true})
	if err != nil || snap == nil {
		t.Fatal(diags, err)
	}
	defer func() { _ = snap.Close() }()
	names := map[string]*regexp.Regexp{}
	add := func(name string) {
		pattern := `^` + name + `$`
		if strings.Contains(name, "_") {
			pattern = `\b` + name + `\b`
		}
		if !methods[name] {
			names[name] = regexp.MustCompile(pattern)
		}
	}
	cfg := snap.Plan.Config
	for name := range cfg.Roles {
		add(name)
	}
	for name := range cfg.Pipelines {
		add(name)
	}
	for name := range cfg.Tools {
		add(name)
	}
	return names
}

// namesIn says where strings of a file hold one of the names. Tags of struct
// fields are read as what they name.
func namesIn(t *testing.T, path string, names map[string]*regexp.Regexp) (found []string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	tags := map[*ast.BasicLit]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			tags[n.Tag] = n.Tag != nil
		case *ast.BasicLit:
			if n.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(n.Value)
			if err != nil {
				t.Fatalf("%s: %v", fset.Position(n.Pos()), err)
			}
			if tags[n] {
				text = strings.Split(reflect.StructTag(text).Get("json"), ",")[0]
			}
			for name, re := range names {
				if re.MatchString(text) {
					found = append(found, fset.Position(n.Pos()).String()+" names "+name+" of the configuration")
				}
			}
		}
		return true
	})
	return found
}
