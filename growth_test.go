package compactor_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "lower the limits of testdata/growth.txt to today's figures")

// Limits of what has no exception in testdata/growth.txt.
const (
	maxMethods    = 60 // of a type
	maxCyclomatic = 20 // of a function, function literals counted in
	maxLines      = 60 // of a function
)

// growthFile lists the exceptions by name, and the packages and lines of each room.
const growthFile = "testdata/growth.txt"

// A room may grow beyond its figure in growthFile by this part, and lines by a few in
// any case.
const (
	maxGrowth = 5  // percent
	fewLines  = 20 // for rooms too small for a percentage
)

// TestGrowth fails for functions and types that exceed the limits, and for rooms
// that have outgrown their figures. Figures and exceptions only shrink: with
// -update they follow what became smaller. Who adds a room, or raises a figure,
// edits the file by hand and says in the commit what it replaces.
func TestGrowth(t *testing.T) {
	limits := readGrowth(t)
	found := measureTree(t)
	next := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		figure, limit, listed := found[name], limits[name], limits[name] > 0
		if base := baseLimit(name); base > 0 {
			switch {
			case figure <= base: // needs no exception
			case figure > max(limit, base):
				t.Errorf("%s: %d, and the limit is %d: make it smaller", name, figure, max(limit, base))
				fallthrough
			default:
				if listed {
					next[name] = min(figure, limit)
				}
			}
			continue
		}
		switch {
		case !listed:
			t.Errorf("%s is new: add %q to %s, and say in the commit what it replaces", name, fmt.Sprintf("%s %d", name, figure), growthFile)
		case figure > roomLimit(name, limit):
			t.Errorf("%s: %d, more than %d %% above %d: make it smaller", name, figure, maxGrowth, limit)
			next[name] = limit
		default:
			next[name] = min(figure, limit)
		}
	}
	if *update {
		writeGrowth(t, next)
		return
	}
	for name := range limits {
		if _, ok := next[name]; !ok {
			t.Errorf("%s needs no entry in %s any more: go test -run TestGrowth . -update", name, growthFile)
		}
	}
}

// baseLimit returns the limit of a kind of figure without an exception; 0 for rooms,
// which have a figure each.
func baseLimit(name string) int {
	switch kind, _, _ := strings.Cut(name, " "); kind {
	case "methods":
		return maxMethods
	case "cyclomatic":
		return maxCyclomatic
	case "lines":
		return maxLines
	}
	return 0
}

// roomLimit returns what a room may have beside its figure.
func roomLimit(name string, figure int) int {
	limit := figure * (100 + maxGrowth) / 100
	if strings.HasPrefix(name, "room-lines ") {
		limit = max(limit, figure+fewLines)
	}
	return limit
}

// readGrowth reads lines of a name, which has blanks, and a number.
func readGrowth(t *testing.T) map[string]int {
	t.Helper()
	data, err := os.ReadFile(growthFile)
	if err != nil {
		t.Fatal(err)
	}
	limits := map[string]int{}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		line := strings.TrimSpace(s.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndex(line, " ")
		n, err := strconv.Atoi(line[at+1:])
		if err != nil || at < 0 {
			t.Fatalf("%s: %q does not end in a number", growthFile, line)
		}
		limits[line[:at]] = n
	}
	return limits
}

func writeGrowth(t *testing.T, figures map[string]int) {
	t.Helper()
	out := "# Exceptions to the limits of growth_test.go, and the figures of each room. They only shrink.\n"
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		out += fmt.Sprintf("%s %d\n", name, figures[name])
	}
	if err := os.WriteFile(growthFile, []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
}

// measureTree measures all Go files that are neither tests nor generated.
func measureTree(t *testing.T) map[string]int {
	t.Helper()
	figures, packages := map[string]int{}, map[string]bool{}
	for _, name := range goFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if ast.IsGenerated(file) {
			continue
		}
		dir := path.Dir(name)
		room := roomOf(dir)
		if !packages[dir] {
			packages[dir] = true
			figures["room-packages "+room]++
		}
		figures["room-lines "+room] += bytes.Count(data, []byte("\n"))
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				measureFunction(figures, fset, dir, f)
			}
		}
	}
	if len(figures) < 1000 {
		t.Errorf("only %d figures were taken", len(figures))
	}
	return figures
}

// roomOf returns the directory that a package is counted to: two parts of its path.
func roomOf(dir string) string {
	parts := strings.SplitN(dir, "/", 3)
	return path.Join(parts[:min(2, len(parts))]...)
}

func measureFunction(figures map[string]int, fset *token.FileSet, dir string, f *ast.FuncDecl) {
	name := f.Name.Name
	if f.Recv != nil {
		receiver := receiverName(f.Recv.List[0].Type)
		name = receiver + "." + name
		figures["methods "+dir+" "+receiver]++
	}
	name = dir + " " + name
	// Functions of one name are built for different systems, or are blank.
	figures["lines "+name] = max(figures["lines "+name], fset.Position(f.End()).Line-fset.Position(f.Pos()).Line+1)
	figures["cyclomatic "+name] = max(figures["cyclomatic "+name], cyclomatic(f))
}

func receiverName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.IndexListExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

// cyclomatic returns one more than the number of branches: if, for, range, cases
// with a condition, && and ||.
func cyclomatic(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// TestGrowthIsMeasured holds the measures themselves against a planted function.
func TestGrowthIsMeasured(t *testing.T) {
	source := "package p\n\nfunc (g *Gateway[T]) find(a, b bool) {\n\tif a && b {\n\t\treturn\n\t}\n\tswitch {\n\tcase a, b:\n\tdefault:\n\t}\n\tfor range 3 {\n\t}\n}\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string]int{}
	measureFunction(figures, fset, "p", file.Decls[0].(*ast.FuncDecl))
	want := map[string]int{"methods p Gateway": 1, "lines p Gateway.find": 11, "cyclomatic p Gateway.find": 5}
	if !maps.Equal(figures, want) {
		t.Errorf("measured %v, want %v", figures, want)
	}
}
