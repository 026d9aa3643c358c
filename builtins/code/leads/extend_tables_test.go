package leads

import (
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// extended is what code.extend says to a question.
func extended(t *testing.T, files map[string]string, question, ref string) string {
	t.Helper()
	return codetest.MustCall[contract.Result](t, Extend(), codetest.NewEnv(t, files), map[string]any{"question": question, "references": []string{ref}}).Summary
}

func wantAll(t *testing.T, got string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}

func TestExtendAddsToATable(t *testing.T) {
	var table, functions strings.Builder
	for i := range 8 {
		fmt.Fprintf(&table, "\t\"f%d\": funcF%d,\n", i, i)
		fmt.Fprintf(&functions, "func funcF%d(x float64) float64 { return x }\n\n", i)
	}
	got := extended(t, map[string]string{
		"eval/functions.go": "package eval\n\nvar FunctionCalls = map[string]Call{\n" + table.String() + "}\n\n" + functions.String(),
		"eval/run.go":       "package eval\n\ntype Runner struct{}\n",
	}, "What do I have to touch to add a new function?", "eval/run.go:3")
	wantAll(t, got, "Add it to `FunctionCalls` (eval/functions.go:3), which lists 8", "follow `funcF0` (eval/functions.go:14)")
}

func TestExtendFollowsFunctionsThatReturnTheThing(t *testing.T) {
	var list, makers strings.Builder
	for _, n := range []string{"Ping", "List", "Read", "Write", "Grep"} {
		fmt.Fprintf(&makers, "// %s is one.\nfunc %s() Builtin { return Builtin{Name: \"%s\"} }\n\n", n, n, n)
		fmt.Fprintf(&list, "parts.%s(), ", n)
	}
	got := extended(t, map[string]string{
		"parts/builtin.go": "package parts\n\n// Builtin is one step.\ntype Builtin struct{ Name string }\n",
		"parts/parts.go":   "package parts\n\n" + makers.String(),
		"all.go":           "package all\n\nfunc All() []parts.Builtin {\n\treturn []parts.Builtin{" + list.String() + "}\n}\n",
	}, "how do I add a builtin of my own?", "parts/builtin.go:4")
	wantAll(t, got, "Write a function that returns `Builtin` (parts/builtin.go:4): one step", "(all.go:4), which names 5 of them")
}

func TestExtendPrefersTheThingItself(t *testing.T) {
	got := extended(t, map[string]string{
		"p/base.py":     "class Plugin:\n    def run(self):\n        raise NotImplementedError\n\n\nclass A(Plugin):\n    pass\n\n\nclass B(Plugin):\n    pass\n",
		"p/callback.py": "from .base import Plugin\n\n\nclass CallbackBase(Plugin):\n    def on_ok(self):\n        raise NotImplementedError\n\n\nclass Tree(CallbackBase):\n    pass\n\n\nclass Junit(CallbackBase):\n    pass\n",
	}, "How do I write my own callback plugin?", "p/base.py:1")
	wantAll(t, got, "Derive from `CallbackBase` (p/callback.py:4)")

	got = extended(t, map[string]string{
		"auth.py": "class AuthBase:\n    \"\"\"Base of all.\"\"\"\n\n    def __call__(self, r):\n        raise NotImplementedError\n\n\nclass Basic(AuthBase):\n    pass\n\n\nclass Digest(AuthBase):\n    pass\n",
		"http.py": "class Session:\n    pass\n",
	}, "How can I write my own authentication?", "http.py:1")
	wantAll(t, got, "Derive from `AuthBase` (auth.py:1)")
}

func TestCoverageReadsTestsNamedForTheSource(t *testing.T) {
	for p, want := range map[string]string{
		"a/pool_test.go": "pool", "tests/test_pool.py": "pool", "PoolTests.cs": "pool", "pool.spec.ts": "pool", "a/test.js": "test", ".x": ".x",
	} {
		if got := testedName(p); got != want {
			t.Errorf("%s: %q, want %q", p, got, want)
		}
	}
}

// The interface that is called as what is asked for is found wherever it stands, and
// before the structs of its name and before a helper of a longer one.
func TestExtendFindsTheInterfaceOfTheName(t *testing.T) {
	files := map[string]string{
		"core/iface.go": "package core\n\n// Backend keeps states.\ntype Backend interface {\n\tLoad(name string) error\n\tStore(name string) error\n}\n",
		"command/meta.go": "package command\n\n// BackendWithVersion is for checks.\ntype BackendWithVersion interface {\n\tVersion() string\n}\n\n" +
			"func migrateBackend(b core.Backend) {}\n",
	}
	for _, n := range []string{"s3", "gcs", "http"} {
		files["stores/"+n+"/store.go"] = "package " + n + "\n\ntype Backend struct {\n\ta, b, c int\n\td, e, f int\n\tg, h, i int\n}\n\n" +
			"func (b *Backend) Load(name string) error { return nil }\n\nfunc (b *Backend) Store(name string) error { return nil }\n\n" +
			"func (b *Backend) Version() string { return \"\" }\n"
	}
	got := extended(t, files, "how do I add a new state backend?", "command/meta.go:4")
	wantAll(t, got, "Implement `Backend` (core/iface.go:4)", "`Load(name string) error`")
}
