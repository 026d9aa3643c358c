package githistory_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// opens opens a repository, which must not take long whatever lies in it.
func opens(t *testing.T, dir string) error {
	t.Helper()
	done := make(chan error, 1)
	go func() {
		_, err := githistory.Open(t.Context(), dir)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(2 * time.Minute):
		t.Fatal("it hangs")
		return nil
	}
}

func (r *repo) lay(name, text string) {
	r.t.Helper()
	at := filepath.Join(r.Dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
		r.t.Fatal(err)
	}
}

// A repository names no other one in its place.
func TestARepositoryIsNoOther(t *testing.T) {
	victim := newRepo(t)
	victim.Commit("the secret plans", map[string]string{"plan.go": "1\n"})
	at := filepath.Join(victim.Dir, ".git")
	for name, lay := range map[string]func(t *testing.T, dir string) error{
		"a file that names it": func(_ *testing.T, dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+at+"\n"), 0o644)
		},
		"a relative name": func(_ *testing.T, dir string) error {
			rel, err := filepath.Rel(dir, at)
			return errors.Join(err, os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+rel+"\n"), 0o644))
		},
		"a link to it": func(_ *testing.T, dir string) error { return os.Symlink(at, filepath.Join(dir, ".git")) },
		"its common directory": func(_ *testing.T, dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, ".git"), 0o755), os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644),
				os.WriteFile(filepath.Join(dir, ".git", "commondir"), []byte(at+"\n"), 0o644))
		},
		"its parts by links": func(_ *testing.T, dir string) error {
			err := os.Mkdir(filepath.Join(dir, ".git"), 0o755)
			for _, part := range []string{"HEAD", "objects", "refs", "config"} {
				err = errors.Join(err, os.Symlink(filepath.Join(at, part), filepath.Join(dir, ".git", part)))
			}
			return err
		},
		"a bare one by links": func(_ *testing.T, dir string) error {
			var err error
			for _, part := range []string{"HEAD", "objects", "refs", "config"} {
				err = errors.Join(err, os.Symlink(filepath.Join(at, part), filepath.Join(dir, part)))
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := lay(t, dir); err != nil {
				t.Skip(err)
			}
			if err := opens(t, dir); err == nil || !strings.Contains(err.Error(), "--root") {
				t.Errorf("opened: %v", err)
			}
			sub := filepath.Join(dir, "sub")
			if err := os.Mkdir(sub, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := opens(t, sub); err == nil {
				t.Error("opened from below")
			}
		})
	}
}

// What git itself makes of two directories is one repository.
func TestWorktreesAndSubmodulesAreOpened(t *testing.T) {
	r := newRepo(t)
	r.Commit("one", map[string]string{"a.go": "1\n"})
	tree := filepath.Join(t.TempDir(), "tree")
	r.Git("worktree", "add", "-q", tree)
	if err := opens(t, tree); err != nil {
		t.Error(err)
	}
	outer := newRepo(t)
	outer.Commit("begin", map[string]string{"b.go": "1\n"})
	outer.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", r.Dir, "part")
	if err := opens(t, filepath.Join(outer.Dir, "part")); err != nil {
		t.Error(err)
	}
	bare := filepath.Join(t.TempDir(), "bare.git")
	r.Git("clone", "-q", "--bare", r.Dir, bare)
	if err := opens(t, bare); err != nil {
		t.Error(err)
	}
}

func TestConfigurationsThatReadOtherFiles(t *testing.T) {
	for _, config := range []string{
		"[include]\n\tpath = /dev/zero\n", "[INCLUDE] path = x\n", "[core][include]path=x\n", "[ include ]\npath=x\n",
		"[includeIf \"gitdir:/\"]\n\tpath = x\n", "[core]\n\tbare = false [include]\n",
	} {
		r := newRepo(t)
		r.Commit("one", map[string]string{"a.go": "1\n"})
		r.lay(".git/config", config+"[core]\n\trepositoryformatversion = 0\n")
		if err := opens(t, r.Dir); err == nil || !strings.Contains(err.Error(), "[include]") {
			t.Errorf("%q: %v", config, err)
		}
	}
	r := newRepo(t)
	r.Commit("one", map[string]string{"a.go": "1\n"})
	r.Git("config", "remote.include-me.url", "x")
	if err := opens(t, r.Dir); err != nil {
		t.Errorf("a remote with such a name: %v", err)
	}
}

// A tree of trees that name each other stands for 10^10 files in a few hundred
// bytes.
func TestATreeOfTreesIsBounded(t *testing.T) {
	r := newRepo(t)
	r.Commit("one", map[string]string{"a.go": "1\n"})
	id, mode := r.GitIn("x\n", "hash-object", "-w", "--stdin"), "100644"
	for range 10 {
		var body bytes.Buffer
		raw, _ := hex.DecodeString(id)
		for i := range 10 {
			fmt.Fprintf(&body, "%s d%d\x00%s", mode, i, raw)
		}
		id, mode = r.GitIn(body.String(), "hash-object", "-t", "tree", "-w", "--stdin", "--literally"), "40000"
	}
	commit := r.Git("commit-tree", "-m", "bomb", "-p", "HEAD", id)
	defer githistory.SetPatience(10 * time.Minute)()
	l, err := r.open().Layout(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.To(t.Context(), commit); err == nil || !strings.Contains(err.Error(), "--root") {
		t.Errorf("laid out: %v", err)
	}
}
