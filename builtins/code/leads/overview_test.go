package leads

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// TestOverviewReadsWhatLeadsIn says that badges are skipped, and that README,
// manifest, entry point, documents and directories are told of.
func TestOverviewReadsWhatLeadsIn(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{
		"README.md":             "# Kite\n\n[![build](https://x/y.svg)](https://x)\n<p align=\"center\"><img src=\"logo.png\"></p>\n\nKite is a small [broker](https://x) that hands jobs to its workers.\n\n## More\n",
		"package.json":          "{\"name\": \"kite\", \"description\": \"A broker of jobs\", \"main\": \"lib/kite.js\"}",
		"lib/kite.js":           "function kite () {\n  return 1\n}\nmodule.exports = kite\n",
		"lib/queue/index.js":    "/** Keeps jobs until a worker takes them. */\n\nexport function push () {\n  return 2\n}\n",
		"lib/worker/index.js":   "export function work () {\n  return 3\n}\n",
		"docs/architecture.md":  "# Architecture\n",
		"test/kite.test.js":     "test('kite', () => {})\n",
		"node_modules/a/README": "no",
	})
	got := codetest.MustCall[contract.Result](t, Overview(), env, map[string]any{"question": "what is this project?"})
	for _, want := range []string{"(README.md:6): Kite is a small broker that hands jobs to its workers.", "`kite` (lib/kite.js:1)",
		"docs/architecture.md", "`lib/queue/` (lib/queue/index.js:1): Keeps jobs until a worker takes them.", "package.json", "`work`"} {
		if !strings.Contains(got.Summary, want) {
			t.Errorf("want %q in\n%s", want, got.Summary)
		}
	}
	if strings.Contains(got.Summary, "node_modules") || got.References[0] != "README.md:6" {
		t.Errorf("%v\n%s", got.References, got.Summary)
	}
}
