package find

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
)

func TestGlob(t *testing.T) {
	env := codetest.NewEnv(t, codetest.Fixture)
	tests := []struct {
		name string
		in   map[string]any
		want string
	}{
		{"name anywhere", map[string]any{"pattern": "*.go"}, "cmd/main.go pool/pool.go pool/pool_test.go pool/queue/queue.go"},
		{"one level", map[string]any{"pattern": "pool/*.go"}, "pool/pool.go pool/pool_test.go"},
		{"any depth", map[string]any{"pattern": "pool/**/*.go"}, "pool/pool.go pool/pool_test.go pool/queue/queue.go"},
		{"groups", map[string]any{"pattern": "**/*.{md,txt}"}, "README.md docs/empty.md docs/latin1.txt docs/Übersicht.md pool/crlf.txt"},
		{"case counts", map[string]any{"pattern": "readme.md"}, ""},
		{"under", map[string]any{"pattern": "*.go", "under": "pool/queue/"}, "pool/queue/queue.go"},
		{"from under", map[string]any{"pattern": "queue/*", "under": "pool"}, "pool/queue/queue.go"},
		{"ignored and secret names are out", map[string]any{"pattern": "{*.log,.env,out.js,.git*}"}, ".gitignore"},
		{"binary files are names too", map[string]any{"pattern": "*.png"}, "logo.png"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := codetest.MustCall[GlobOutput](t, Glob(), env, tt.in)
			want := append([]string{}, strings.Fields(tt.want)...)
			if diff := cmp.Diff(GlobOutput{Paths: want, Total: len(want)}, out); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestGlobLimit(t *testing.T) {
	env := codetest.NewEnv(t, codetest.Fixture)
	out := codetest.MustCall[GlobOutput](t, Glob(), env, map[string]any{"pattern": "*.go", "limit": 1})
	if diff := cmp.Diff(GlobOutput{Paths: []string{"cmd/main.go"}, Total: 4, Truncated: true}, out); diff != "" {
		t.Error(diff)
	}
	if u := env.Ledger.Usage(); u.Files != 0 {
		t.Errorf("names cost %d files of evidence", u.Files)
	}
}

func TestGlobOverSeveralRoots(t *testing.T) {
	env := codetest.EnvWithRoots(t, codetest.WriteRoot(t, "web", map[string]string{"src/a.ts": "", "b.ts": ""}), codetest.WriteRoot(t, "api", map[string]string{"src/a.ts": ""}))
	for pattern, want := range map[string]string{
		"*.ts": "web/b.ts web/src/a.ts api/src/a.ts", "src/*": "web/src/a.ts api/src/a.ts", "web/**": "web/b.ts web/src/a.ts",
	} {
		out := codetest.MustCall[GlobOutput](t, Glob(), env, map[string]any{"pattern": pattern})
		if diff := cmp.Diff(strings.Fields(want), out.Paths); diff != "" {
			t.Errorf("%s:\n%s", pattern, diff)
		}
	}
}

func TestGlobBuiltinErrors(t *testing.T) {
	env := codetest.NewEnv(t, codetest.Fixture)
	_, err := codetest.Call[GlobOutput](t, Glob(), env, map[string]any{"pattern": " "})
	codetest.WantError(t, err, "INVALID_INPUT", "code.glob: input: glob \" \": the pattern is empty; ** matches every file")
	_, err = codetest.Call[GlobOutput](t, Glob(), env, map[string]any{"pattern": "*", "under": "docs/nothing"})
	codetest.WantError(t, err, "PATH_NOT_FOUND", "code: docs/nothing: not found")
}

// Whatever a builtin is doing, it says so when its context has ended, and
// gives what it has when only its own time for scanning has.
func TestEndedContexts(t *testing.T) {
	env := codetest.NewEnv(t, codetest.Fixture)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, run := range map[string]func() error{
		"glob":    func() error { _, err := findByName(ctx, env, GlobInput{Pattern: "*"}); return err },
		"ls":      func() error { _, err := listDirectory(ctx, env, LsInput{}); return err },
		"read":    func() error { _, err := read(ctx, env, ReadInput{Path: "README.md"}, nil); return err },
		"missing": func() error { _, err := read(ctx, env, ReadInput{Path: "readme"}, nil); return err },
		"grep":    func() error { _, err := Grep(nil).Run(ctx, env, map[string]any{"pattern": "x"}); return err },
		"symbols": func() error { _, err := Symbols(nil).Run(ctx, env, map[string]any{"name": "x"}); return err },
	} {
		if err := run(); err == nil || !errors.Is(err, context.Canceled) && name != "missing" {
			t.Errorf("%s: err = %v, want context.Canceled", name, err)
		}
	}
	env.Scan = time.Nanosecond
	out := codetest.MustCall[GlobOutput](t, Glob(), env, map[string]any{"pattern": "*"})
	if !strings.Contains(out.Notes, "the time for scanning (1ns) ended") || !out.Truncated {
		t.Errorf("notes %q", out.Notes)
	}
}
