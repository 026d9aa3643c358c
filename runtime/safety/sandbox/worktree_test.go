package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A linked worktree below its repository holds the same files once more.
func TestLinkedWorktreesAreNotWalked(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	eachMode(t, func(t *testing.T, m mode) {
		dir := plant(t, map[string]string{"main/a.go": "package a\n", "main/sub/b.go": "package b\n", "other/o.go": "package o\n"})
		repo, bare := filepath.Join(dir, "main"), filepath.Join(dir, "bare")
		for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"},
			{"worktree", "add", "-q", "-b", "one", "sub/one"}, {"worktree", "add", "-q", "-b", "two", "../beside"}} {
			git(t, repo, "", args...)
		}
		git(t, dir, "", "clone", "-q", "--bare", "main", "bare/.git")
		git(t, bare, "", "worktree", "add", "-q", "-b", "three", "three")
		git(t, bare, "", "worktree", "add", "-q", "-b", "four", "four")
		must(t, os.MkdirAll(filepath.Join(dir, "module"), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, "module", ".git"), []byte("gitdir: ../main/.git/modules/module\n"), 0o644))
		must(t, os.WriteFile(filepath.Join(dir, "module", "m.go"), []byte("package m\n"), 0o644))

		copied := filepath.Join(dir, "main", "copied") // git does not know of it
		must(t, os.MkdirAll(copied, 0o755))
		text, err := os.ReadFile(filepath.Join(dir, "main", "sub", "one", ".git"))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(copied, ".git"), text, 0o644))
		must(t, os.WriteFile(filepath.Join(copied, "c.go"), []byte("package c\n"), 0o644))
		git(t, repo, "", "worktree", "add", "-q", "-b", "five", ".trees/five")

		bares := []string{"bare/four/a.go", "bare/four/sub/b.go", "bare/three/a.go", "bare/three/sub/b.go"} // there is no main working tree
		for _, c := range []struct {
			root, under string
			want        []string
		}{
			{"main", ".", []string{"a.go", "copied/c.go", "sub/b.go"}},
			{"main/.trees", ".", []string{"five/a.go", "five/sub/b.go"}},      // the main working tree is not read
			{"main", "sub/one", []string{"sub/one/a.go", "sub/one/sub/b.go"}}, // asked for by name
			{"main/sub", ".", []string{"b.go"}},
			{"main/sub/one", ".", []string{"a.go", "sub/b.go"}},
			{"beside", ".", []string{"a.go", "sub/b.go"}},
			{".", ".", append(bares, "main/a.go", "main/copied/c.go", "main/sub/b.go", "module/m.go", "other/o.go")},
		} {
			if diff := cmp.Diff(c.want, filesOf(t, m.open(t, filepath.Join(dir, c.root), Options{}), c.under)); diff != "" {
				t.Errorf("%s, %s: %s", c.root, c.under, diff)
			}
		}
		r := m.open(t, repo, Options{NoIgnore: true})
		if n := len(filesOf(t, r, ".")); n != 7 {
			t.Errorf("%d files with NoIgnore", n)
		}
	})
}
