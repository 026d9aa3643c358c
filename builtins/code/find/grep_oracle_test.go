package find

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// naive is the oracle: a regexp on every line of every file that a walk of
// the sandbox shows.
func naive(t *testing.T, r *sandbox.Root, pattern string) []string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	files, _, err := r.Files(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(r.Path(), filepath.FromSlash(f.Path)))
		if err != nil {
			t.Fatal(err)
		}
		if sandbox.IsBinary(data) || len(data) == 0 {
			continue
		}
		text := data
		if !utf8.Valid(data) { // the tree has one such file, in Latin-1
			if text, err = charmap.ISO8859_1.NewDecoder().Bytes(data); err != nil {
				t.Fatal(err)
			}
		}
		for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
			if loc := re.FindStringIndex(strings.TrimSuffix(line, "\r")); loc != nil {
				out = append(out, fmt.Sprintf("%s:%d:%d", f.Path, i+1, loc[0]+1))
			}
		}
	}
	return out
}

var oraclePatterns = []string{`Close`, `(?i)close`, `\bpool\b`, `func|type`, `^func .*\{\}$`, `[A-Z]\w+\(`, `^$`, `.`, `é|Ü`, `(p|q) \*\w+`}

// everyMatch gives every match as path:line:col. The limits of one call are met by
// asking for one file after another.
func everyMatch(t *testing.T, r *sandbox.Root, pattern string) []string {
	t.Helper()
	env := codetest.EnvWithRoots(t, r)
	var out []string
	for _, h := range codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": pattern, "files_only": true, "limit": 200}).Matches {
		for _, m := range codetest.MustCall[GrepOutput](t, Grep(nil), env, map[string]any{"pattern": pattern, "under": h.Ref, "limit": 200, "per_file": 200}).Matches {
			out = append(out, m.Ref+":"+strconv.Itoa(m.Col))
		}
	}
	return out
}

func TestGrepAgainstNaiveSearch(t *testing.T) {
	r := codetest.WriteRoot(t, "code", codetest.Fixture)
	for _, p := range oraclePatterns {
		if diff := cmp.Diff(naive(t, r, p), everyMatch(t, r, p)); diff != "" {
			t.Errorf("%s:\n%s", p, diff)
		}
	}
}

func TestGrepAgainstRipgrep(t *testing.T) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("ripgrep is not installed; the naive search above is the oracle")
	}
	r := codetest.WriteRoot(t, "code", codetest.Fixture)
	for _, p := range oraclePatterns {
		cmd := exec.Command(rg, "--no-config", "--crlf", "--hidden", "--no-require-git", "--no-heading", "--column", "--glob", "!.env", "-n", "-e", p)
		cmd.Dir = r.Path()
		raw, err := cmd.Output()
		if len(raw) == 0 && err != nil {
			t.Fatalf("rg %s: %v", p, err)
		}
		var want []string
		for _, line := range strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n") {
			parts := strings.SplitN(line, ":", 4)
			want = append(want, strings.TrimPrefix(strings.Join(parts[:3], ":"), "./"))
		}
		got := everyMatch(t, r, p)
		elsewhere := func(match string) bool { return strings.HasPrefix(match, "docs/latin1.txt:") } // ripgrep counts its bytes
		want, got = slices.DeleteFunc(want, elsewhere), slices.DeleteFunc(got, elsewhere)
		sort.Strings(want)
		sort.Strings(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", p, diff)
		}
	}
}
