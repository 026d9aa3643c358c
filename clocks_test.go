package compactor_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// clockExceptions are the functions of tests that may still read the clock, with
// the reason. The list only shrinks: an entry that is no longer needed fails the
// test. "file function" names one, as TestNoTestRacesTheClock prints it.
var clockExceptions = map[string]string{
	"runtime/world/store/serverfaults_test.go TestAServerThatIsSilent": "a call of a silent server expires, and nothing has to finish before",
	"runtime/safety/sandbox/attack_linux_test.go hanging":              "a call on a mount that never answers expires, and nothing has to finish before",
}

// minDeadline is the nearest deadline that a test may set outside of synctest. A
// shorter one is reached on a machine of a tenth of the usual speed.
const minDeadline = 10 * time.Second

// TestNoTestRacesTheClock fails for tests that sleep, compare elapsed time or set
// near deadlines: they fail when the machine is slow or busy. runtime/base/clocktest has
// what to use in their place, and testing/synctest where time itself is tested.
func TestNoTestRacesTheClock(t *testing.T) {
	used := map[string]bool{}
	for _, file := range testFiles(t) {
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range clockUses(fset, parsed) {
			name := file + " " + use.function
			if used[name] = true; clockExceptions[name] == "" {
				t.Errorf("%s:%d: %s: %s; wait with clocktest.Until, compare with clocktest.Linear, or use testing/synctest", file, use.line, use.function, use.what)
			}
		}
	}
	for name := range clockExceptions {
		if !used[name] {
			t.Errorf("clockExceptions: %s does not read the clock any more: remove it", name)
		}
	}
}

// testFiles lists the test files, and all files of packages that only tests import.
func testFiles(t *testing.T) []string {
	t.Helper()
	files := slices.DeleteFunc(goFiles(t), func(name string) bool {
		return path.Base(path.Dir(name)) == "clocktest" || !strings.HasSuffix(name, "_test.go") && !isTestSupport(path.Dir(name))
	})
	if len(files) < 300 {
		t.Errorf("only %d files were read", len(files))
	}
	return files
}

// goFiles lists the Go files of the project.
func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(name string, e fs.DirEntry, err error) error {
		base := path.Base(filepath.ToSlash(name))
		if err == nil && e.IsDir() && (base == "testdata" || strings.HasPrefix(base, ".") && base != ".") {
			return fs.SkipDir
		}
		if strings.HasSuffix(base, ".go") {
			files = append(files, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// isTestSupport reports whether a directory is named as httptest is. configtest
// runs the tests of a configuration and is part of the program.
func isTestSupport(dir string) bool {
	base := path.Base(dir)
	return strings.HasSuffix(base, "test") && base != "configtest"
}

type clockUse struct {
	function string
	line     int
	what     string
}

// clockUses finds what depends on the clock, outside of benchmarks and of what
// synctest.Test runs.
func clockUses(fset *token.FileSet, file *ast.File) []clockUse {
	var uses []clockUse
	for _, decl := range file.Decls {
		name := "(package)"
		if f, ok := decl.(*ast.FuncDecl); ok {
			if name = f.Name.Name; strings.HasPrefix(name, "Benchmark") {
				continue
			}
		}
		elapsed := elapsedNames(decl)
		ast.Inspect(decl, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && calls(call, "synctest", "Test") {
				return false
			}
			if what := clockUseOf(n, elapsed); what != "" {
				uses = append(uses, clockUse{name, fset.Position(n.Pos()).Line, what})
			}
			return true
		})
	}
	return uses
}

// clockUseOf describes how a node depends on the clock, or returns "".
func clockUseOf(n ast.Node, elapsed map[string]bool) string {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if slices.Contains([]token.Token{token.LSS, token.GTR, token.LEQ, token.GEQ}, n.Op) && (isElapsed(n.X, elapsed) || isElapsed(n.Y, elapsed)) {
			return "compares elapsed time"
		}
	case *ast.CallExpr:
		if calls(n, "time", "Sleep") {
			return "calls time.Sleep"
		}
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && (sel.Sel.Name == "After" || sel.Sel.Name == "Before") && readsNow(n) {
			return "compares the time of day"
		}
		if limit, ok := deadlineOf(n); ok && limit < minDeadline {
			return fmt.Sprintf("sets a deadline of %v, nearer than %v", limit, minDeadline)
		}
	}
	return ""
}

// elapsedNames are the variables of a declaration that hold elapsed time.
func elapsedNames(decl ast.Decl) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(decl, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && slices.ContainsFunc(a.Rhs, func(e ast.Expr) bool { return isElapsed(e, nil) }) {
			for _, l := range a.Lhs {
				if id, ok := l.(*ast.Ident); ok && id.Name != "_" {
					names[id.Name] = true
				}
			}
		}
		return true
	})
	return names
}

// isElapsed reports whether an expression is time.Since, time.Now().Sub or one of
// the names, or computes with them.
func isElapsed(e ast.Expr, names map[string]bool) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			found = found || names[n.Name]
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			found = found || calls(n, "time", "Since") || ok && sel.Sel.Name == "Sub" && readsNow(n)
		}
		return !found
	})
	return found
}

// readsNow reports whether the receiver or an argument of a call is time.Now().
func readsNow(call *ast.CallExpr) bool {
	operands := slices.Clone(call.Args)
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		operands = append(operands, sel.X)
	}
	return slices.ContainsFunc(operands, func(e ast.Expr) bool {
		c, ok := e.(*ast.CallExpr)
		return ok && calls(c, "time", "Now")
	})
}

// deadlineOf returns the constant time after which a call ends something.
func deadlineOf(call *ast.CallExpr) (time.Duration, bool) {
	switch {
	case calls(call, "time", "After"), calls(call, "time", "AfterFunc"), calls(call, "time", "NewTimer"):
		return constantDuration(call.Args[0])
	case calls(call, "context", "WithTimeout"), calls(call, "context", "WithTimeoutCause"):
		return constantDuration(call.Args[1])
	case calls(call, "context", "WithDeadline"), calls(call, "context", "WithDeadlineCause"):
		if add, ok := call.Args[1].(*ast.CallExpr); ok && len(add.Args) == 1 {
			return constantDuration(add.Args[0])
		}
	}
	return 0, false
}

var units = map[string]time.Duration{
	"Nanosecond": time.Nanosecond, "Microsecond": time.Microsecond, "Millisecond": time.Millisecond,
	"Second": time.Second, "Minute": time.Minute, "Hour": time.Hour,
}

// constantDuration evaluates a product of numbers and units of time.
func constantDuration(e ast.Expr) (time.Duration, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		n, err := strconv.ParseFloat(e.Value, 64)
		return time.Duration(n), err == nil
	case *ast.SelectorExpr:
		d, ok := units[e.Sel.Name]
		return d, ok && isName(e.X, "time")
	case *ast.BinaryExpr:
		x, xok := constantDuration(e.X)
		y, yok := constantDuration(e.Y)
		switch {
		case !xok || !yok:
		case e.Op == token.MUL:
			return x * y, true
		case e.Op == token.QUO && y != 0:
			return x / y, true
		}
	}
	return 0, false
}

func calls(call *ast.CallExpr, pkg, name string) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == name && isName(sel.X, pkg)
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// TestClockUsesAreFound holds the check itself against planted cases.
func TestClockUsesAreFound(t *testing.T) {
	for source, want := range map[string]string{
		"time.Sleep(time.Millisecond)":                                             "calls time.Sleep",
		"if time.Since(start) > limit {}":                                          "compares elapsed time",
		"took := time.Since(start); if took > limit {}":                            "compares elapsed time",
		"if d := time.Now().Sub(start); 2*d >= limit {}":                           "compares elapsed time",
		"for time.Now().Before(end) {}":                                            "compares the time of day",
		"ctx, _ := context.WithTimeout(ctx, 5*time.Second)":                        "sets a deadline of 5s, nearer than 10s",
		"ctx, _ := context.WithDeadline(ctx, time.Now().Add(50*time.Millisecond))": "sets a deadline of 50ms, nearer than 10s",
		"select { case <-time.After(time.Second): }":                               "sets a deadline of 1s, nearer than 10s",
		"ctx, _ := context.WithTimeout(ctx, time.Minute)":                          "",
		"synctest.Test(t, func(t *testing.T) { time.Sleep(time.Hour) })":           "",
		"t.Log(time.Since(start))":                                                 "",
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "planted_test.go", "package p\nfunc TestPlanted() {\n"+source+"\n}", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, use := range clockUses(fset, file) {
			got += use.what
		}
		if got != want {
			t.Errorf("%s: found %q, want %q", source, got, want)
		}
	}
}
