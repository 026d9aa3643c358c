package usage

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
)

// TestTraceCountsUsesOnly names a function in comments, strings, prototypes and
// imports, none of which uses it.
func TestTraceCountsUsesOnly(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{
		"pool.c":    "#include \"pool.h\"\n\n/* pool_open opens.\n   See pool_open. */\nint pool_open(int n) {\n\treturn n;\n}\n",
		"pool.h":    "int pool_open(int n);\n\nstruct pool {\n\tint size; // set by pool_open\n};\n",
		"main.c":    "#include \"pool.h\"\n\nint main(void) {\n\tlog(\"pool_open\");\n\treturn pool_open(1);\n}\n",
		"README.md": "pool_open(3) opens.\n",
	})
	got := codetest.MustCall[TraceOutput](t, Trace(), env, map[string]any{"references": []string{"pool.c:5"}})
	want := []Callers{{Name: "pool_open", Ref: "pool.c:5", Total: 1, Named: 1, Definers: 1, Uses: []Use{{Ref: "main.c:5", In: "main"}}}}
	if d := cmp.Diff(want, got.Calls); d != "" {
		t.Error(d)
	}
}
