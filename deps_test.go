package compactor_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// module is this module, which every import of our own begins with.
const module = "github.com/compactor-mcp/compactor"

// homes says which packages may import a library. One home each keeps every
// library replaceable.
var homes = map[string][]string{
	"cuelang.org/go":                   {module + "/runtime/config"},
	"github.com/expr-lang/expr":        {module + "/runtime/plan"},
	"github.com/sourcegraph/conc":      {module + "/runtime/engine"},
	"github.com/mark3labs/mcp-go":      {module + "/runtime/server", module + "/runtime/gateway"},
	"github.com/spf13/cobra":           {module + "/cmd/compactor"},
	"github.com/tiktoken-go/tokenizer": {module + "/runtime/tokens"},
	"github.com/hashicorp/golang-lru":  {module + "/runtime/cache", module + "/runtime/gateway"},
	"github.com/ollama/ollama":         {module + "/runtime/model/ollama"},
	"github.com/zalando/go-keyring":    {module + "/runtime/gateway/oauth"},
	"github.com/tailscale/hujson":      {module + "/runtime/install"},
	"github.com/pelletier/go-toml/v2":  {module + "/runtime/install", module + "/runtime/gateway/mcpfile"},
	"modernc.org/sqlite":               {module + "/runtime/store"},
	"github.com/jackc/pgx":             {module + "/runtime/store"},
	"github.com/santhosh-tekuri":       {module + "/runtime/toolargs"},
	"github.com/chromedp":              {module + "/runtime/dashboard/browsertest"},
	"github.com/getkin/kin-openapi":    {module + "/runtime/api/apitest"}, // of tests alone
	"github.com/prometheus":            {module + "/runtime/event/metrics"},
	"go.opentelemetry.io":              {module + "/runtime/event/tracing"},
	"google.golang.org/protobuf":       {module + "/runtime/event/tracing"},
	"database/sql":                     {module + "/runtime/store"},
	"github.com/yuin/goldmark":         {module + "/runtime/docs/chunk"},
	"go.yaml.in/yaml":                  {module + "/runtime/docs/chunk"},
	"gonum.org/v1/gonum":               {module + "/runtime/docs/index"},
	"golang.org/x/net":                 {module + "/builtins/web/page", module + "/builtins/text/compact", module + "/runtime/docs/extract"},
	"github.com/ledongthuc/pdf":        {module + "/runtime/docs/extract"},
}

// walls are imports that must never appear: from a package or what is below
// it, to a package or what is below that.
var walls = []struct{ from, to string }{
	{module + "/runtime", module + "/builtins"},
	{module + "/runtime/words", module}, // the ground floor
	{module + "/runtime/glob", module},
	{module + "/runtime/retrieval", module},
	{module + "/runtime/docs", module + "/runtime/store"}, // what is found is decided without what is kept
	{module + "/runtime/docs", module + "/runtime/config"},
	{module + "/runtime/docs", "net"},
	{module + "/runtime/docs", "os"},
	{module + "/runtime/api", module + "/runtime/store"}, // it is given a Source
	{module + "/runtime/api", module + "/runtime/gateway"},
	{module + "/runtime/api", module + "/runtime/session"},
	{module + "/runtime/api", module + "/runtime/service"},
	{module + "/builtins", module + "/runtime/server"},
	{module + "/builtins", module + "/runtime/engine"},
	{module + "/builtins", module + "/runtime/plan"},
	{module + "/builtins", module + "/runtime/config"},
	{module + "/builtins", "os/exec"},
	{module + "/builtins", "net"},
	{module + "/runtime/plan", module + "/runtime/server"},
	{module + "/runtime/plan", module + "/runtime/gateway"},
	{module + "/runtime/plan", module + "/runtime/store"},
	{module + "/runtime/engine", module + "/runtime/server"},
	{module + "/runtime/engine", module + "/runtime/config"},
	{module + "/runtime/engine", module + "/runtime/gateway"},
	{module + "/runtime/engine", module + "/runtime/store"},
	{module + "/runtime/agent", module + "/runtime/server"},
	{module + "/runtime/agent", module + "/runtime/gateway"},
	{module + "/runtime/agent", module + "/runtime/store"},
	{module + "/runtime/contract", module + "/runtime/sandbox"},
	{module + "/runtime/predict", module + "/runtime/store"}, // it keeps and asks nothing by itself
	{module + "/runtime/predict", module + "/runtime/gateway"},
	{module + "/runtime/predict", module + "/runtime/config"},
	{module + "/runtime/predict", "os"},
	{module + "/runtime/predict", "net"},
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
		if !within(pkg, module+"/builtins") {
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
