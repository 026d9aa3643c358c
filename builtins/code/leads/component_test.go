package leads

import (
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

var components = map[string]string{
	"go.mod":                "module x.org/kite\n",
	"README.md":             "# Kite\n\nKite is a small broker that hands jobs to workers.\n",
	"cmd/main.go":           "package main\n\nimport \"x.org/kite/pool\"\n\nfunc main() {\n\tpool.New(4).Close()\n}\n",
	"pool/doc.go":           "// Package pool keeps workers for jobs.\npackage pool\n",
	"pool/pool.go":          "package pool\n\n// Pool runs work.\ntype Pool struct{}\n\n// New makes a pool.\nfunc New(n int) *Pool {\n\treturn &Pool{}\n}\n\n// Close stops the workers.\nfunc (p *Pool) Close() {\n\tos.Getenv(\"KITE_WAIT\")\n}\n",
	"pool/pool_test.go":     "package pool\n\nfunc TestClose(t *testing.T) { New(1).Close() }\n",
	"queue/queue.go":        "package queue\n\n// New makes a queue.\nfunc New() *Queue {\n\treturn nil\n}\n\n// Close drops what is left.\nfunc (q *Queue) Close() {\n}\n\ntype Queue struct{}\n",
	"kite/app/base.py":      "\"\"\"The application.\"\"\"\n\n\nclass App:\n    \"\"\"Holds tasks.\"\"\"\n\n    def close(self):\n        return 1\n",
	"kite/bin/worker.py":    "def worker():\n    return 1\n",
	"kite/worker/loop.py":   "def run():\n    return 1\n",
	"java/Mapper.java":      "package k;\n\npublic class Mapper {\n    public Mapper() {\n    }\n    public int read(String s) {\n        return 1;\n    }\n    public int read(byte[] b) {\n        return 2;\n    }\n}\n",
	"src/store.rs":          "pub struct Store {}\n\nimpl Store {\n    /// Opens it.\n    pub fn open() -> Store {\n        Store {}\n    }\n}\n",
	"logo.png":              "\x89PNG\x00\x00Close\n",
	"docs/empty.md":         "",
	"examples/pool/main.go": "package main\n\nfunc New() {}\n",
}

// TestComponentIsAnsweredAsWhatItIs says what each way to name a thing leads to.
func TestComponentIsAnsweredAsWhatItIs(t *testing.T) {
	env := codetest.NewEnv(t, components)
	for _, c := range []struct{ asked, form, ref, says string }{
		{"Pool", formDefinition, "pool/pool.go:4", ""},
		{"`Pool`", formDefinition, "pool/pool.go:4", ""},
		{"pool.New", formDefinition, "pool/pool.go:7", ""},
		{"pool.New()", formDefinition, "pool/pool.go:7", ""},
		{"x.org/kite/queue.New", formDefinition, "queue/queue.go:4", ""},
		{"Pool.Close", formDefinition, "pool/pool.go:12", ""},
		{"queue.Queue.Close", formDefinition, "queue/queue.go:9", ""},
		{"Queue#Close", formDefinition, "queue/queue.go:9", ""},
		{"Store::open", formDefinition, "src/store.rs:5", ""},
		{"crate::store::Store", formDefinition, "src/store.rs:1", ""},
		{"kite.app.base.App", formDefinition, "kite/app/base.py:4", ""},
		{"kite.app.App", formDefinition, "kite/app/base.py:4", ""},
		{"mapper", formDefinition, "java/Mapper.java:3", ""},
		{"pool/pool.go:8", formDefinition, "pool/pool.go:7", ""},
		{"pool/pool.go:3", formDefinition, "pool/pool.go:4", ""},
		{"kite.worker", formDirectory, "", "`kite/worker/`"},
		{"New", formSeveral, "", "`New` is defined in 2 places"},
		{"Mapper.read", formSeveral, "", "`Mapper.read` has 2 definitions"},
		{"pool/pool.go", formFile, "", "3 exported definitions"},
		{"base.py", formFile, "", "The application."},
		{"kite.app.base", formFile, "", "The application."},
		{"logo.png", formFile, "", "was not read"},
		{"docs/empty.md", formFile, "", "is empty"},
		{"pool/pool.go:900", formFile, "", "14 lines"},
		{"pool", formDirectory, "", "Package pool keeps workers for jobs. 3 files"},
		{"pool/", formDirectory, "", "Package pool keeps"},
		{"x.org/kite/pool", formDirectory, "", "Package pool keeps"},
		{"kite/app", formDirectory, "", "`App`. 1 file"},
		{".", formDirectory, "", "Kite is a small broker"},
		{"Other.Close", formAbsent, "", "called `Other.Close`. Nearest: `Pool.Close` (pool/pool.go:12)"},
		{"nowhere/at_all.go", formAbsent, "", "Not found"},
		{"NewPoool", formAbsent, "", "Not found"},
		{"::", formAbsent, "", "Not found"},
		{"the pool of workers", formWords, "", ""},
		{strings.Repeat("a", 5000), formWords, "", ""},
	} {
		got := codetest.MustCall[ComponentOutput](t, Component(), env, map[string]any{"component": c.asked})
		if got.Form != c.form || got.Reference != c.ref || !strings.Contains(got.Result.Summary, c.says) {
			t.Errorf("%.60s: %s %s %q, want %s %s %q", c.asked, got.Form, got.Reference, got.Result.Summary, c.form, c.ref, c.says)
		}
	}
}

func TestComponentOfAFileSaysWhoUsesIt(t *testing.T) {
	got := codetest.MustCall[ComponentOutput](t, Component(), codetest.NewEnv(t, components), map[string]any{"component": "pool/pool.go"})
	var lines []string
	for _, f := range got.Result.KeyFindings {
		lines = append(lines, f.Text)
	}
	text := strings.Join(lines, "\n")
	for _, want := range []string{"4: `Pool` runs work", "7: `New` makes a pool; called from cmd/main.go:6", "12: `Pool.Close` stops the workers", "reads settings `KITE_WAIT` (line 13)"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}

// TestComponentStaysInside refuses what leads out and what is empty.
func TestComponentStaysInside(t *testing.T) {
	env := codetest.NewEnv(t, components)
	for _, asked := range []string{"../x", "..", "/etc/passwd", "pool/../../x"} {
		_, err := codetest.Call[ComponentOutput](t, Component(), env, map[string]any{"component": asked})
		codetest.WantError(t, err, "PATH_OUTSIDE", "")
	}
	for _, asked := range []string{"", "  ", "``"} {
		if _, err := codetest.Call[ComponentOutput](t, Component(), env, map[string]any{"component": asked}); err == nil || !strings.Contains(err.Error(), "is empty") {
			t.Errorf("%q: %v", asked, err)
		}
	}
}

// TestComponentIsBounded says that large directories and files cost little and
// that what is told fits the reply.
func TestComponentIsBounded(t *testing.T) {
	trees := map[int]*catalog.Env{}
	clocktest.Linear(t, 128, func(n int) func() {
		env := trees[n]
		if env == nil {
			env = codetest.NewEnv(t, largeComponents(n))
			env.Tokens, trees[n] = 300, env
		}
		return func() {
			for _, asked := range []string{"many", "big.js", "wide.py", "all.go", "Same", "F77", "f77.go", strings.Repeat("a.", 140) + "b"} {
				got := codetest.MustCall[ComponentOutput](t, Component(), env, map[string]any{"component": asked})
				size := len(got.Result.Summary)
				for _, f := range got.Result.KeyFindings {
					size += len(f.Text)
				}
				if size > 2*300*4 {
					t.Errorf("%.40s: %d bytes", asked, size)
				}
			}
		}
	})
}

// largeComponents are a directory of n files and files that are as large.
func largeComponents(n int) map[string]string {
	files := map[string]string{
		"big.js":  strings.Repeat("x", 1536*n),
		"wide.py": "def f(): pass  #" + strings.Repeat("y", 512*n) + "\n",
		"all.go":  "package all\n" + strings.Repeat("\nfunc Same() {\n}\n", 5*n/2),
	}
	for i := range n {
		files[fmt.Sprintf("many/f%d.go", i)] = fmt.Sprintf("package many\n\n// F%d does.\nfunc F%d() {\n}\n", i, i)
	}
	return files
}
