package codetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Fixture is a small tree with everything that gets in a search's way.
var Fixture = map[string]string{
	".gitignore":          "dist/\n*.log\n",
	"README.md":           "# Pool\n\nHow the pool works.\n",
	"cmd/main.go":         "package main\n\nfunc main() {\n\tpool.New(4).Close()\n}\n",
	"pool/pool.go":        "package pool\n\n// Pool runs work.\ntype Pool struct{}\n\nfunc New(n int) *Pool { return &Pool{} }\n\nfunc (p *Pool) Close() {}\n\nfunc (p *Pool) close() {}\n",
	"pool/pool_test.go":   "package pool\n\nfunc TestClose(t *testing.T) { New(1).Close() }\n",
	"pool/crlf.txt":       "first Close\r\nsecond\r\nlast Close",
	"pool/queue/queue.go": "package queue\n\nfunc (q *Queue) Close() {}\n",
	"dist/out.js":         "Close()\n",
	"build.log":           "Close\n",
	"logo.png":            "\x89PNG\x00\x00Close\n",
	"wide.min.js":         strings.Repeat("x", 5000) + " Close " + strings.Repeat("é", 3000) + "\n",
	"docs/Übersicht.md":   "# Übersicht\n\nDer Vorrat schließt mit `Close`.\n",
	"docs/empty.md":       "",
	"docs/latin1.txt":     "caf\xe9 Close\n",
	".env":                "SECRET=Close\n",
}

// NewEnv writes files to a new directory and opens it as the root "code".
func NewEnv(t testing.TB, files map[string]string) *catalog.Env {
	t.Helper()
	return EnvWithRoots(t, WriteRoot(t, "code", files))
}

// EnvWithRoots returns an environment with these roots and no cache.
func EnvWithRoots(t testing.TB, roots ...*sandbox.Root) *catalog.Env {
	t.Helper()
	return &catalog.Env{Roots: sandbox.NewSet(roots...), Ledger: budget.New(budget.Limits{}), Workers: 2, Deterministic: true,
		Progress: func(catalog.Progress) {}, Run: func() catalog.RunInfo { return catalog.RunInfo{} }}
}

// WriteRoot writes files to a new directory and opens it as a root.
func WriteRoot(t testing.TB, name string, files map[string]string) *sandbox.Root {
	t.Helper()
	dir := t.TempDir()
	for file, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return OpenRoot(t, name, dir)
}

// OpenRoot opens a directory as a root.
func OpenRoot(t testing.TB, name, dir string) *sandbox.Root {
	t.Helper()
	r, err := sandbox.OpenRoot(name, dir, sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// Call runs a builtin the way the engine does: by its JSON input.
func Call[Out any](t testing.TB, b catalog.Builtin, env *catalog.Env, in map[string]any) (Out, error) {
	t.Helper()
	got, err := b.Run(t.Context(), env, in)
	out, ok := got.(Out)
	if !ok && err == nil {
		t.Fatalf("%s returned %T", b.Name, got)
	}
	return out, err
}

// MustCall runs a builtin and fails the test on an error.
func MustCall[Out any](t testing.TB, b catalog.Builtin, env *catalog.Env, in map[string]any) Out {
	t.Helper()
	out, err := Call[Out](t, b, env, in)
	if err != nil {
		t.Fatalf("%s %v: %v", b.Name, in, err)
	}
	return out
}

// WantError checks an error's stable code and words.
func WantError(t *testing.T, err error, code, text string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %s: %s", code, text)
		return
	}
	if _, e := contract.AsError(err); e.Code != code || !strings.Contains(e.Message, text) {
		t.Errorf("error %s: %s\nwant  %s: %s", e.Code, e.Message, code, text)
	}
}

// MaskWord is a redactor for tests: it takes out the word hunter2, and what
// stands between BEGIN KEY and END KEY, with the line breaks kept.
func MaskWord(s string) string {
	s = strings.ReplaceAll(s, "hunter2", "[REDACTED:word]")
	for {
		start := strings.Index(s, "BEGIN KEY")
		end := strings.Index(s, "END KEY")
		if start < 0 || end < start {
			return s
		}
		end += len("END KEY")
		s = s[:start] + "[REDACTED:key]" + strings.Repeat("\n", strings.Count(s[start:end], "\n")) + s[end:]
	}
}
