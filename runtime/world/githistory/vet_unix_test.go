//go:build unix

package githistory_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// Git would wait for a pipe that nobody writes to.
func TestPipesInARepositoryAreNotWaitedFor(t *testing.T) {
	for _, name := range []string{"config", "HEAD", "info/attributes", "packed-refs", "shallow", "objects/info/alternates", "refs/heads/main", "objects/pack/pack-1.idx"} {
		r := newRepo(t)
		r.Commit("one", map[string]string{"a.go": "1\n"})
		at := filepath.Join(r.Dir, ".git", filepath.FromSlash(name))
		_ = os.Remove(at)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), syscall.Mkfifo(at, 0o600)); err != nil {
			t.Fatal(err)
		}
		if err := opens(t, r.Dir); err == nil || !strings.Contains(err.Error(), at) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, key := range []string{"include.path", "includeIf.gitdir:/.path"} {
		r := newRepo(t)
		r.Commit("one", map[string]string{"a.go": "1\n"})
		pipe := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(filepath.Join(r.Dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		section, _, _ := strings.Cut(key, ".path")
		if what, where, ok := strings.Cut(section, "."); ok {
			section = what + " \"" + where + "\""
		}
		if _, err := f.WriteString("[" + section + "]\n\tpath = " + pipe + "\n"); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if err := opens(t, r.Dir); err == nil {
			t.Errorf("%s was read", key)
		}
	}
}

// What lies beside the repository is bounded by time.
func TestASilentGitIsEnded(t *testing.T) {
	r := newRepo(t)
	r.Commit("one", map[string]string{"a.go": "1\n"})
	h := r.open()
	o, err := h.Objects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	l, err := h.Layout(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	defer githistory.SetPatience(500 * time.Millisecond)() // the rest is only asked what it cannot answer
	// A pack appears whose index nobody writes; git looks for packs anew when an object is not there.
	away := t.TempDir()
	for _, name := range []string{"info", "pack"} {
		if err := os.Mkdir(filepath.Join(away, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(syscall.Mkfifo(filepath.Join(away, "pack", "pack-0123456789012345678901234567890123456789.idx"), 0o600),
		os.WriteFile(filepath.Join(away, "pack", "pack-0123456789012345678901234567890123456789.pack"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	r.lay(".git/objects/info/alternates", away+"\n")
	const none = "0123456789012345678901234567890123456789"
	if h.Has(t.Context(), none) {
		t.Error("it has what is not there")
	}
	if err := l.To(t.Context(), none); !errors.Is(err, githistory.ErrSlow) {
		t.Errorf("tree: %v", err)
	}
	if _, err := h.Changes(t.Context(), githistory.Commit{ID: none, Parent: none}); !errors.Is(err, githistory.ErrSlow) {
		t.Errorf("changes: %v", err)
	}
	if _, err := h.Hunks(t.Context(), githistory.Commit{ID: none, Parent: none}, "a.go"); !errors.Is(err, githistory.ErrSlow) {
		t.Errorf("hunks: %v", err)
	}
	fresh, err := h.Objects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	if _, err := fresh.Blob(none, 100); !errors.Is(err, githistory.ErrSlow) {
		t.Errorf("blob: %v", err)
	}
}
