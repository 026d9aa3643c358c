package symbols

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGoParser compares the declarations found in Go's own source with those
// that go/parser finds: the same names on the same lines, nothing more.
// COMPACTOR_LONG=1 takes all of it.
func TestGoParser(t *testing.T) {
	root := filepath.Join(goroot(t), "src")
	dirs := []string{"go/parser", "net/http", "encoding/json", "sync", "reflect"}
	if os.Getenv("COMPACTOR_LONG") != "" {
		dirs = []string{"."}
	}
	n := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.Contains(path, "testdata") {
				return err
			}
			n++
			return compareParsed(t, path)
		})
		if err != nil {
			t.Skipf("Go's source is not at hand: %v", err)
		}
	}
	t.Logf("%d files", n)
}

func compareParsed(t *testing.T, path string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fset := gotoken.NewFileSet()
	file, err := parser.ParseFile(fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var got []string
	for _, d := range Scan(path, src) {
		if d.Kind != KindField && (d.Kind != KindMethod || !interfaceMethod(d)) {
			got = append(got, fmt.Sprintf("%d-%d %s.%s", d.Line, d.EndLine, d.Container, d.Name))
		}
	}
	want := parsed(fset, file)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-parser +scan)\n%s", filepath.Base(path), diff)
	}
	return nil
}

// interfaceMethod tells a method of an interface, which has no func keyword.
func interfaceMethod(d Def) bool { return !strings.HasPrefix(d.Signature, "func ") }

func parsed(fset *gotoken.FileSet, file *ast.File) (out []string) {
	line := func(p gotoken.Pos) int { return fset.PositionFor(p, false).Line }
	add := func(name *ast.Ident, end gotoken.Pos, recv string) {
		if name.Name != "_" || recv != "" {
			out = append(out, fmt.Sprintf("%d-%d %s.%s", line(name.Pos()), line(end-1), recv, name.Name))
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			recv := ""
			if d.Recv != nil && len(d.Recv.List) > 0 {
				recv = receiverName(d.Recv.List[0].Type)
			}
			out = append(out, fmt.Sprintf("%d-%d %s.%s", line(d.Name.Pos()), line(d.End()-1), recv, d.Name.Name))
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch sp := spec.(type) {
				case *ast.TypeSpec:
					out = append(out, fmt.Sprintf("%d-%d .%s", line(sp.Name.Pos()), line(sp.End()-1), sp.Name.Name))
				case *ast.ValueSpec:
					for _, name := range sp.Names {
						add(name, sp.End(), "")
					}
				}
			}
		}
	}
	return out
}

func receiverName(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func goroot(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("the go command is not at hand")
	}
	return strings.TrimSpace(string(out))
}
