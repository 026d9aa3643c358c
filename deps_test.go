package compactor_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// homes says which packages may import a library. One home each keeps every
// library replaceable.
var homes = map[string][]string{
	"cuelang.org/go":                   {"compactor/runtime/config"},
	"github.com/expr-lang/expr":        {"compactor/runtime/plan"},
	"github.com/sourcegraph/conc":      {"compactor/runtime/engine"},
	"github.com/mark3labs/mcp-go":      {"compactor/runtime/server", "compactor/runtime/gateway"},
	"github.com/spf13/cobra":           {"compactor/cmd/compactor"},
	"github.com/tiktoken-go/tokenizer": {"compactor/runtime/tokens"},
	"github.com/hashicorp/golang-lru":  {"compactor/runtime/cache", "compactor/runtime/gateway"},
	"github.com/ollama/ollama":         {"compactor/runtime/model/ollama"},
	"modernc.org/sqlite":               {"compactor/runtime/store"},
	"database/sql":                     {"compactor/runtime/store"},
}

// walls are imports that must never appear: from a package or what is below
// it, to a package or what is below that.
var walls = []struct{ from, to string }{
	{"compactor/runtime", "compactor/builtins"},
	{"compactor/builtins", "compactor/runtime/server"},
	{"compactor/builtins", "compactor/runtime/engine"},
	{"compactor/builtins", "compactor/runtime/plan"},
	{"compactor/builtins", "compactor/runtime/config"},
	{"compactor/builtins", "os/exec"},
	{"compactor/builtins", "net"},
	{"compactor/runtime/plan", "compactor/runtime/server"},
	{"compactor/runtime/plan", "compactor/runtime/gateway"},
	{"compactor/runtime/plan", "compactor/runtime/store"},
	{"compactor/runtime/engine", "compactor/runtime/server"},
	{"compactor/runtime/engine", "compactor/runtime/config"},
	{"compactor/runtime/engine", "compactor/runtime/gateway"},
	{"compactor/runtime/engine", "compactor/runtime/store"},
	{"compactor/runtime/agent", "compactor/runtime/server"},
	{"compactor/runtime/agent", "compactor/runtime/gateway"},
	{"compactor/runtime/agent", "compactor/runtime/store"},
	{"compactor/runtime/contract", "compactor/runtime/sandbox"},
}

func TestImports(t *testing.T) {
	packages := list(t)
	if len(packages) < 15 {
		t.Fatalf("only %d packages", len(packages))
	}
	for pkg, imports := range packages {
		for _, imp := range imports {
			for lib, allowed := range homes {
				if within(imp, lib) && !slices.ContainsFunc(allowed, func(home string) bool { return within(pkg, home) }) {
					t.Errorf("%s imports %s, whose home is %s", pkg, imp, strings.Join(allowed, " and "))
				}
			}
			for _, w := range walls {
				if within(pkg, w.from) && within(imp, w.to) {
					t.Errorf("%s imports %s: %s must not", pkg, imp, w.from)
				}
			}
		}
	}
}

// TestFilesAreTouchedThroughTheSandboxOnly holds rule 4 of the house: a
// builtin opens no file by itself.
func TestFilesAreTouchedThroughTheSandboxOnly(t *testing.T) {
	for pkg, imports := range list(t) {
		if !within(pkg, "compactor/builtins") {
			continue
		}
		for _, forbidden := range []string{"os", "io/ioutil", "syscall", "golang.org/x/sys"} {
			if slices.Contains(imports, forbidden) {
				t.Errorf("%s imports %s", pkg, forbidden)
			}
		}
	}
}

func within(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }

func list(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := map[string][]string{}
	d := json.NewDecoder(strings.NewReader(string(out)))
	for d.More() {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages[p.ImportPath] = p.Imports
	}
	return packages
}
