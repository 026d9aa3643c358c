package find

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/cputime"
)

func refs(out GrepOutput) []string {
	list := []string{}
	for _, m := range out.Matches {
		list = append(list, m.Ref)
	}
	return list
}

func TestGrepFinds(t *testing.T) {
	env := codetest.NewEnv(t, codetest.Fixture)
	tests := []struct {
		name  string
		in    map[string]any
		want  string
		total int
	}{
		{"whole tree", map[string]any{"pattern": "Close"},
			"cmd/main.go:4 docs/latin1.txt:1 docs/Übersicht.md:3 pool/crlf.txt:1 pool/crlf.txt:3 pool/pool.go:8 pool/pool_test.go:3 pool/queue/queue.go:3 wide.min.js:1", 9},
		{"ignoring case", map[string]any{"pattern": "CLOSE", "ignore_case": true, "glob": []string{"pool.go"}}, "pool/pool.go:8 pool/pool.go:10", 2},
		{"regular expression", map[string]any{"pattern": `func \(\w \*\w+\) [A-Z]`}, "pool/pool.go:8 pool/queue/queue.go:3", 2},
		{"literal", map[string]any{"pattern": "New(", "literal": true}, "cmd/main.go:4 pool/pool.go:6 pool/pool_test.go:3", 3},
		{"word", map[string]any{"pattern": "pool", "word": true, "glob": []string{"*.go"}}, "cmd/main.go:4 pool/pool.go:1 pool/pool_test.go:1", 3},
		{"under a directory", map[string]any{"pattern": "Close", "under": "pool/queue"}, "pool/queue/queue.go:3", 1},
		{"under a file", map[string]any{"pattern": "Close", "under": "pool/crlf.txt"}, "pool/crlf.txt:1 pool/crlf.txt:3", 2},
		{"glob", map[string]any{"pattern": "Close", "glob": []string{"*.go", "!*_test.go"}}, "cmd/main.go:4 pool/pool.go:8 pool/queue/queue.go:3", 3},
		{"glob below under", map[string]any{"pattern": "Close", "under": "pool", "glob": []string{"queue/*.go"}}, "pool/queue/queue.go:3", 1},
		{"line end before crlf", map[string]any{"pattern": "Close$", "under": "pool/crlf.txt"}, "pool/crlf.txt:1 pool/crlf.txt:3", 2},
		{"unicode", map[string]any{"pattern": "ÜBERSICHT", "ignore_case": true}, "docs/Übersicht.md:1", 1},
		{"ignored when asked for by name", map[string]any{"pattern": "Close", "under": "dist"}, "dist/out.js:1", 1},
		{"nothing", map[string]any{"pattern": "no such thing"}, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := codetest.MustCall[GrepOutput](t, Grep(nil), env, tt.in)
			want := strings.Fields(tt.want)
			if diff := cmp.Diff(append([]string{}, want...), refs(out)); diff != "" {
				t.Error(diff)
			}
			if out.Total != tt.total || out.Truncated {
				t.Errorf("total %d, truncated %v, want %d and all", out.Total, out.Truncated, tt.total)
			}
		})
	}
}

func TestGrepShape(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{"a.go": "one\n\ttwo x\nthree\nfour x\r\nfive\n6\nseven x\n"})
	got := codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "x", "context": 2})
	want := GrepOutput{Files: 1, Total: 3, Matches: []GrepMatch{
		{Ref: "a.go:2", Col: 6, Text: "\ttwo x", Before: []string{"one"}, After: []string{"three"}},
		{Ref: "a.go:4", Col: 6, Text: "four x", After: []string{"five", "6"}},
		{Ref: "a.go:7", Col: 7, Text: "seven x"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGrepLimits(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("d%d/f%02d.txt", i%3, i)] = strings.Repeat("hit\nmiss\n", i+1)
	}
	env := codetest.NewEnv(t, files)
	t.Run("per file and limit", func(t *testing.T) {
		out := codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "hit", "per_file": 2, "limit": 5})
		want := []string{"d0/f00.txt:1", "d0/f03.txt:1", "d0/f03.txt:3", "d0/f06.txt:1", "d0/f06.txt:3"}
		if diff := cmp.Diff(want, refs(out)); diff != "" {
			t.Error(diff)
		}
		if out.Total != 465 || out.Files != 30 || !out.Truncated {
			t.Errorf("total %d in %d files, truncated %v; want 465 in 30, true", out.Total, out.Files, out.Truncated)
		}
		if out.Matches[1].Count != 0 || out.Matches[2].Count != 4 || out.Matches[0].Count != 0 {
			t.Errorf("counts: %+v", out.Matches)
		}
		if want := "5 of 465 matching lines listed; narrow with glob, under or a longer pattern"; out.Notes != want {
			t.Errorf("notes %q, want %q", out.Notes, want)
		}
	})
	t.Run("files only", func(t *testing.T) {
		out := codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "hit", "files_only": true, "limit": 2})
		want := GrepOutput{Matches: []GrepMatch{{Ref: "d0/f00.txt"}, {Ref: "d0/f03.txt"}}, Files: 30, Total: 465, Truncated: true,
			Notes: "2 of 30 files listed; narrow with glob or under"}
		if diff := cmp.Diff(want, out); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("count", func(t *testing.T) {
		out := codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "hit", "count": true, "under": "d2", "limit": 200})
		if len(out.Matches) != 10 || out.Matches[9].Ref != "d2/f29.txt" || out.Matches[9].Count != 30 || out.Truncated {
			t.Errorf("counts: %+v", out)
		}
	})
	t.Run("wild numbers are kept in bounds", func(t *testing.T) {
		out := codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "hit", "limit": -3, "per_file": 1 << 40, "context": -1})
		if len(out.Matches) != 1 {
			t.Errorf("%d matches, want 1", len(out.Matches))
		}
	})
}

func TestGrepCutsLongLines(t *testing.T) {
	env := codetest.NewEnv(t, codetest.Fixture)
	out := codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "Close", "under": "wide.min.js"})
	m := out.Matches[0]
	if len(m.Text) > grepLine || !strings.Contains(m.Text, " Close é") || !strings.HasPrefix(m.Text, "…x") || !strings.HasSuffix(m.Text, "é…") || m.Col != 5002 {
		t.Errorf("col %d, %d bytes: %q", m.Col, len(m.Text), m.Text)
	}
}

func TestGrepMasksBeforeCutting(t *testing.T) {
	text := "a\nBEGIN KEY\nsecret line\nEND KEY\npassword hunter2 here\n" + strings.Repeat("y", 300) + " hunter2 needle\n"
	env := codetest.NewEnv(t, map[string]string{"a.txt": text})
	got := codetest.MustCall[GrepOutput](t, Grep(codetest.MaskWord), env, map[string]any{"pattern": "here|needle|secret", "context": 1})
	long := "…" + strings.Repeat("y", 174) + " [REDACTED:word] needle"
	want := GrepOutput{Files: 1, Total: 3, Matches: []GrepMatch{
		{Ref: "a.txt:3", Col: 1, Before: []string{"[REDACTED:key]"}, After: []string{""}},
		{Ref: "a.txt:5", Col: 18, Text: "password [REDACTED:word] here"},
		{Ref: "a.txt:6", Col: 310, Text: long},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGrepUnderAnExhaustedLedger(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{"a.go": "x\n", "b.go": "\nx\nx\n", "c.go": "x\n"})
	env.Ledger = budget.New(budget.Limits{Files: 1})
	got := codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "x"})
	want := GrepOutput{Files: 3, Total: 4, Truncated: true,
		Matches: []GrepMatch{{Ref: "a.go:1", Col: 1, Text: "x"}, {Ref: "b.go:2", Col: 1}, {Ref: "b.go:3", Col: 1}, {Ref: "c.go:1", Col: 1}},
		Notes:   "text left out of some files: budget: the limit of 1 files is reached; raise budget.files or ask a narrower question"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if u := env.Ledger.Usage(); u.Files != 1 || u.Bytes != 1 || u.Scanned != 3 {
		t.Errorf("usage %+v, want 1 byte of 1 file, 3 scanned", u)
	}
	// Lists quote nothing and cost nothing.
	env.Ledger = budget.New(budget.Limits{Files: 1})
	out := codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "x", "count": true})
	if u := env.Ledger.Usage(); len(out.Matches) != 3 || u.Files != 0 {
		t.Errorf("%d counts, usage %+v", len(out.Matches), u)
	}
}

func TestGrepErrors(t *testing.T) {
	env := codetest.NewEnv(t, codetest.Fixture)
	tests := []struct {
		name, code, text string
		in               map[string]any
	}{
		{"no pattern", "INVALID_INPUT", "code.grep: input: pattern is empty; give a text or a regular expression", map[string]any{"pattern": ""}},
		{"bad expression", "INVALID_INPUT", "literal: true", map[string]any{"pattern": "New("}},
		{"bad glob", "INVALID_INPUT", `glob "*.{go": a { is not closed`, map[string]any{"pattern": "x", "glob": []string{"*.{go"}}},
		{"no such directory", "PATH_NOT_FOUND", "code: pol: not found; did you mean pool/", map[string]any{"pattern": "x", "under": "pol"}},
		{"outside", "PATH_OUTSIDE", "outside the root", map[string]any{"pattern": "x", "under": "../other"}},
		{"unknown field", "INVALID_INPUT", `unknown field "paths"`, map[string]any{"pattern": "x", "paths": "."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := codetest.Call[GrepOutput](t, Grep(nil), env, tt.in)
			codetest.WantError(t, err, tt.code, tt.text)
		})
	}
}

func TestGrepHints(t *testing.T) {
	env := codetest.NewEnv(t, codetest.Fixture)
	out := codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": `New\|Close`})
	if want := `\| is a plain | here; for alternatives write a|b`; out.Notes != want {
		t.Errorf("notes %q, want %q", out.Notes, want)
	}
	out = codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "Close", "under": "pool", "glob": []string{"*.py"}})
	if want := "glob leaves out all of 4 files"; out.Notes != want {
		t.Errorf("notes %q, want %q", out.Notes, want)
	}
}

func TestGrepOverSeveralRoots(t *testing.T) {
	env := codetest.EnvWithRoots(t, codetest.WriteRoot(t, "web", map[string]string{"a.ts": "x\n", "z.ts": "x\n"}), codetest.WriteRoot(t, "api", map[string]string{"a.go": "x\n", "src/b.go": "x\n"}))
	tests := []struct {
		in   map[string]any
		want []string
	}{
		{map[string]any{"pattern": "x"}, []string{"web/a.ts:1", "web/z.ts:1", "api/a.go:1", "api/src/b.go:1"}},
		{map[string]any{"pattern": "x", "under": "api"}, []string{"api/a.go:1", "api/src/b.go:1"}},
		{map[string]any{"pattern": "x", "under": "api/src"}, []string{"api/src/b.go:1"}},
		{map[string]any{"pattern": "x", "glob": []string{"src/*.go", "web/z.*"}}, []string{"web/z.ts:1", "api/src/b.go:1"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, refs(codetest.MustCall[GrepOutput](t, Grep(nil), env, tt.in))); diff != "" {
			t.Errorf("%v:\n%s", tt.in, diff)
		}
	}
	_, err := codetest.Call[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "x", "under": "src"})
	codetest.WantError(t, err, "ROOT_UNKNOWN", "start the path with one of: web, api")
}

// TestGrepStopsWithItsContext searches for what takes long: where all processors search, it takes
// some time until the test can cancel at all.
func TestGrepStopsWithItsContext(t *testing.T) {
	files, n := map[string]string{}, 60
	if testing.Short() { // with the race detector it takes twenty times as long
		n = 12
	}
	for i := range n {
		files[fmt.Sprintf("f%03d.txt", i)] = strings.Repeat(strings.Repeat("abb", 2000)+strings.Repeat("c", 299)+"\n", 5)
	}
	env := codetest.NewEnv(t, files)
	search := func(ctx context.Context) error {
		_, err := Grep(nil).Run(ctx, env, map[string]any{"pattern": `.*a.{300}c$`})
		return err
	}
	whole := time.Hour
	for range 3 {
		start := cputime.Process()
		if err := search(t.Context()); err != nil {
			t.Fatal(err)
		}
		whole = min(whole, cputime.Process()-start)
	}
	for range 20 { // a search may end before it is cancelled, but not each time
		ctx, cancel := context.WithCancel(t.Context())
		ended, start := make(chan error, 1), cputime.Process()
		go func() { ended <- search(ctx) }()
		clocktest.Until(t, "a tenth of the search", func() bool { return len(ended) > 0 || cputime.Process()-start > whole/10 })
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("err = %v, want context.Canceled", err)
		} else if err != nil && cputime.Process()-start < 2*whole/3 {
			return
		}
	}
	t.Errorf("no search ended with its context: each took more than two thirds of %v", whole)
}

func TestGrepWithoutTimeForTheScan(t *testing.T) {
	env := codetest.NewEnv(t, codetest.Fixture)
	env.Scan = time.Nanosecond
	out := codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "a"})
	if !strings.Contains(out.Notes, "ended before every file was seen") || !out.Truncated || !slices.Contains(env.Ledger.Usage().Hit, "scan time") {
		t.Errorf("%+v, hit %v", out, env.Ledger.Usage().Hit)
	}
}

func TestGrepIsDeterministic(t *testing.T) {
	env := codetest.NewEnv(t, codetest.Fixture)
	env.Workers = 8
	first := codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "Close|pool", "context": 2, "limit": 7})
	for range 20 {
		if diff := cmp.Diff(first, codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": "Close|pool", "context": 2, "limit": 7})); diff != "" {
			t.Fatal(diff)
		}
	}
}

func FuzzGrep(f *testing.F) {
	f.Add("Close", false, false, false, "*.go", "pool", 2, 5)
	f.Add(`(?i)(a|b)*$`, false, true, true, "!**/*.{md,txt}", "", -1, 0)
	f.Add("New(", true, false, false, "[a-z]*", "pool/pool.go", 1<<30, 1)
	f.Add(`\`, false, false, true, "{", "../x", 3, 3)
	env := codetest.NewEnv(f, codetest.Fixture)
	b := Grep(codetest.MaskWord)
	f.Fuzz(func(t *testing.T, pattern string, literal, fold, word bool, glob, under string, around, limit int) {
		got, err := b.Run(t.Context(), env, map[string]any{"pattern": pattern, "literal": literal, "ignore_case": fold, "word": word,
			"glob": []string{glob}, "under": under, "context": around, "limit": limit})
		if err != nil {
			return
		}
		out := got.(GrepOutput)
		if len(out.Matches) > 200 || out.Total < len(out.Matches) {
			t.Fatalf("%d matches of %d", len(out.Matches), out.Total)
		}
		for _, m := range out.Matches {
			if len(m.Text) > grepLine || m.Col < 1 {
				t.Fatalf("%+v", m)
			}
		}
	})
}

func goroot(b *testing.B) string {
	b.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip("the go command is not at hand")
	}
	return strings.TrimSpace(string(out))
}

// BenchmarkGrep searches the Go source tree, about 10,000 files.
func BenchmarkGrep(b *testing.B) {
	env := codetest.EnvWithRoots(b, codetest.OpenRoot(b, "go", filepath.Join(goroot(b), "src")))
	for _, c := range []struct {
		name string
		in   map[string]any
	}{
		{"literal", map[string]any{"pattern": "ErrUnexpectedEOF", "literal": true}},
		{"ignore case", map[string]any{"pattern": "failed to connect", "ignore_case": true}},
		{"alternation", map[string]any{"pattern": "ReadFrom|WriteTo|ReadAll|CopyN|LimitReader|TeeReader|MultiWriter|SectionReader"}},
		{"expression", map[string]any{"pattern": `\bfunc\s+\w*Handler`}},
		{"no literal", map[string]any{"pattern": `[a-z]+_[0-9]{4}x`}},
		{"everything", map[string]any{"pattern": `.`}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				codetest.MustCall[GrepOutput](b, Grep(nil), env, c.in)
			}
		})
	}
}
