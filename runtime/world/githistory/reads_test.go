package githistory_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// TestReads lists what has to stay open so that a history can be read.
func TestReads(t *testing.T) {
	r := newRepo(t)
	r.Commit("one", map[string]string{"in/a.go": "1\n"})
	own := filepath.Join(r.Dir, ".git")
	tree := filepath.Join(t.TempDir(), "tree")
	r.Git("worktree", "add", "-q", tree)
	for dir, want := range map[string][]string{
		r.Dir:                      {own},
		filepath.Join(r.Dir, "in"): {own},
		tree:                       {filepath.Join(own, "worktrees", "tree"), own},
		t.TempDir():                nil,
	} {
		got := githistory.Reads(dir)
		if !slices.EqualFunc(got, want, func(a, b string) bool { return real(t, a) == real(t, b) }) {
			t.Errorf("%s: %v, want %v", dir, got, want)
		}
	}
}

func real(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAWorktreeSharesItsOwnRepository has a repository call itself a worktree of another.
func TestAWorktreeSharesItsOwnRepository(t *testing.T) {
	victim := newRepo(t)
	victim.Commit("the secret plans", map[string]string{"plan.go": "1\n"})
	dir := t.TempDir()
	at := filepath.Join(dir, "meta", "worktrees", "x")
	err := os.MkdirAll(at, 0o755)
	for name, text := range map[string]string{".git": "gitdir: meta/worktrees/x\n", "meta/worktrees/x/HEAD": victim.Git("rev-parse", "HEAD") + "\n",
		"meta/worktrees/x/commondir": filepath.Join(victim.Dir, ".git") + "\n", "meta/worktrees/x/gitdir": filepath.Join(dir, ".git") + "\n"} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := opens(t, dir); err == nil || !strings.Contains(err.Error(), "--root") {
		t.Errorf("opened: %v", err)
	}
	if got := githistory.Reads(dir); got != nil {
		t.Errorf("it would stay open: %v", got)
	}
}
