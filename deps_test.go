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
	"github.com/expr-lang/expr":        {module + "/runtime/pipeline/plan"},
	"github.com/sourcegraph/conc":      {module + "/runtime/pipeline/engine", module + "/runtime/retrieval/docs/index", module + "/builtins/code"},
	"github.com/mark3labs/mcp-go":      {module + "/runtime/mcp", module + "/runtime/gateway"},
	"github.com/spf13/cobra":           {module + "/cmd/compactor"},
	"github.com/tiktoken-go/tokenizer": {module + "/runtime/base/tokens"},
	"github.com/hashicorp/golang-lru":  {module + "/runtime/base/cache", module + "/runtime/gateway"},
	"github.com/ollama/ollama":         {module + "/runtime/model/ollama"},
	"github.com/zalando/go-keyring":    {module + "/runtime/gateway/oauth"},
	"github.com/tailscale/hujson":      {module + "/runtime/app/install"},
	"github.com/fxamacker/cbor":        {module + "/runtime/config"},
	"github.com/pelletier/go-toml/v2":  {module + "/runtime/app/install", module + "/runtime/gateway/mcpfile"},
	"modernc.org/sqlite":               {module + "/runtime/world/store"},
	"github.com/jackc/pgx":             {module + "/runtime/world/store"},
	"github.com/santhosh-tekuri":       {module + "/runtime/base/toolargs"},
	"github.com/chromedp":              {module + "/runtime/observe/dashboard/browsertest"},
	"github.com/getkin/kin-openapi":    {module + "/runtime/app/api/apitest"}, // of tests alone
	"github.com/prometheus":            {module + "/runtime/observe/metrics"},
	"go.opentelemetry.io":              {module + "/runtime/observe/tracing"},
	"google.golang.org/protobuf":       {module + "/runtime/observe/tracing"},
	"database/sql":                     {module + "/runtime/world/store"},
	"github.com/yuin/goldmark":         {module + "/runtime/retrieval/docs/chunk"},
	"go.yaml.in/yaml":                  {module + "/runtime/retrieval/docs/chunk"},
	"gonum.org/v1/gonum":               {module + "/runtime/retrieval/docs/index"},
	"golang.org/x/net":                 {module + "/builtins/web/page", module + "/builtins/text/compact", module + "/runtime/retrieval/docs/extract"},
	"github.com/ledongthuc/pdf":        {module + "/runtime/retrieval/docs/extract"},
}

// layers lists the directories that packages stand in, lowest first, with the
// layers below that each imports. docs/architecture.md says what each is for.
var layers = []struct {
	dir     string
	imports string
}{
	{"runtime/base", ""},
	{"runtime/safety", "base"},
	{"runtime/config", "base safety"},
	{"runtime/mcp", "base"},
	{"runtime/lang", "base"},
	{"runtime/model", "base safety"},
	{"runtime/observe", "base safety"},
	{"runtime/retrieval", "base safety lang model"},
	{"runtime/pipeline", "base safety config model retrieval"},
	{"runtime/world", "base config observe retrieval pipeline"},
	{"builtins", "base safety lang retrieval pipeline"},
	{"runtime/gateway", "base safety config observe retrieval pipeline world"},
	{"runtime/lab", "base retrieval world gateway"},
	{"runtime/app", "base safety config mcp model observe retrieval pipeline world gateway"},
	{"cmd", "base safety config mcp lang model observe retrieval pipeline world builtins gateway lab app"},
}

// walls are imports that must never appear within what the layers allow: from a
// package or what is below it, to a package or what is below that.
var walls = []struct{ from, to string }{
	{module + "/runtime/base/words", module},
	{module + "/runtime/base/glob", module},
	{module + "/runtime/lang", "os"},
	{module + "/runtime/lang", "net"},
	{module + "/runtime/lang", "time"},
	{module + "/runtime/retrieval", "os"}, // files are read through a sandbox's Root
	{module + "/runtime/retrieval", "net"},
	{module + "/runtime/retrieval/coderank", module + "/runtime/model"},
	{module + "/runtime/retrieval/toolrank", module + "/runtime/model"},
	{module + "/runtime/retrieval/predict", module + "/runtime/model"},
	{module + "/runtime/pipeline", "os"},
	{module + "/runtime/pipeline", "net/http"},
	{module + "/runtime/pipeline/engine", module + "/runtime/config"},
	{module + "/runtime/pipeline/engine", module + "/runtime/model"},
	{module + "/runtime/pipeline/agent", module + "/runtime/config"},
	{module + "/builtins", module + "/runtime/pipeline/engine"},
	{module + "/builtins", module + "/runtime/pipeline/plan"},
	{module + "/builtins/code/report", module + "/builtins/code/explain"},
	{module + "/builtins/code/report", module + "/builtins/code/leads"},
	{module + "/builtins/code/leads", module + "/builtins/code/report"}, // a lead knows nothing of the reply
	{module + "/builtins", "os/exec"},
	{module + "/builtins", "net"},
	{module + "/runtime/app/api", module + "/runtime/world"}, // it is given a Source
	{module + "/runtime/app/api", module + "/runtime/gateway"},
	{module + "/runtime/app/api", module + "/runtime/pipeline"},
	{module + "/runtime/app/api", module + "/runtime/app/service"},
}

// TestLayers holds that a package imports only its own layer and those that layers
// names, all of them lower, and that each of those is needed.
func TestLayers(t *testing.T) {
	allowed := map[string][]string{}
	for _, l := range layers {
		name := strings.TrimPrefix(l.dir, "runtime/")
		for _, below := range strings.Fields(l.imports) {
			if _, ok := allowed[below]; !ok {
				t.Errorf("%s may import %s, which is not below it", name, below)
			}
		}
		allowed[name] = strings.Fields(l.imports)
	}
	used := map[string]bool{}
	for pkg, imports := range list(t) {
		if pkg == module { // embeds the shipped configuration, and imports nothing
			continue
		}
		from := layerOf(pkg)
		if _, ok := allowed[from]; !ok {
			t.Errorf("%s stands in no layer: move it into one, or add its directory to layers and to docs/architecture.md", pkg)
			continue
		}
		for _, imp := range imports {
			to := layerOf(imp)
			if to == "" || to == from {
				continue
			}
			used[from+" "+to] = true
			if !slices.Contains(allowed[from], to) {
				t.Errorf("%s imports %s: layer %s must not import layer %s", pkg, imp, from, to)
			}
		}
	}
	for from, below := range allowed {
		for _, to := range below {
			if !used[from+" "+to] {
				t.Errorf("no package of layer %s imports layer %s: take it out of layers", from, to)
			}
		}
	}
}

// layerOf returns the name of the layer that a package of this module stands in; ""
// for the root package and for libraries.
func layerOf(pkg string) string {
	if !strings.HasPrefix(pkg, module+"/") {
		return ""
	}
	parts := strings.Split(strings.TrimPrefix(pkg, module+"/"), "/")
	if parts[0] == "runtime" && len(parts) > 1 {
		return parts[1]
	}
	return parts[0]
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
		if !within(pkg, module+"/builtins") || pkg == module+"/builtins/code/codetest" {
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
