package service

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// TestRootReplacedWhileServing takes the root away under a running service, and puts other things in its place.
func TestRootReplacedWhileServing(t *testing.T) {
	top := t.TempDir()
	work := filepath.Join(top, "work")
	code := map[string]string{"code/a.go": "package a\n\nfunc OldQuagga() {}\n"}
	svc := New(opened(t, work, code, `roots: code: ["code"]`, nil))
	t.Cleanup(func() { _, _ = svc.Close(), svc.Snapshot().Close() })
	ask := func(name string) (string, error) {
		reply, err := svc.Invoke(t.Context(), Call{Tool: "locate_in_codebase", Args: json.RawMessage(`{"question":"` + name + `"}`), Deterministic: true})
		if err != nil {
			return "", err
		}
		return string(reply.JSON), nil
	}
	if got, err := ask("OldQuagga"); err != nil || !strings.Contains(got, "a.go:3") {
		t.Fatal(got, err)
	}
	at := filepath.Join(work, "code")

	if err := os.RemoveAll(at); err != nil {
		t.Skipf("an open directory cannot be removed here: %v", err)
	}
	_, err := ask("OldQuagga")
	if _, e := contract.AsError(err); err == nil || e.Code != "ROOT_GONE" || !strings.Contains(e.Message, "make it again") || strings.Contains(e.Message, top) {
		t.Errorf("removed: %v (%+v)", err, e)
	}

	plant(t, work, map[string]string{"code/b.go": "package b\n\nfunc NewQuagga() {}\n"})
	if got, err := ask("NewQuagga"); err != nil || !strings.Contains(got, "b.go:3") {
		t.Errorf("made again: %s, %v", got, err)
	}

	// Neither a link nor a file in its place, nor a link above it, is a directory made again.
	plant(t, top, map[string]string{"outside/code/secret.go": "package s\n\n" + canary + "\n"})
	for _, turn := range []func() error{
		func() error { return os.Symlink(filepath.Join(top, "outside", "code"), at) },
		func() error { return os.WriteFile(at, nil, 0o644) },
	} {
		_ = os.RemoveAll(at)
		if err := turn(); err != nil {
			t.Skip(err)
		}
		if got, err := ask("CanaryQuokka"); err == nil && strings.Contains(got, "secret.go") {
			t.Errorf("read outside: %s", got)
		}
	}
	if err := os.Rename(work, work+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("outside", work); err != nil {
		t.Fatal(err)
	}
	if got, err := ask("CanaryQuokka"); err == nil && strings.Contains(got, "secret.go") {
		t.Errorf("read outside by a link above: %s", got)
	}
}

// TestRootNames makes names of what directories may be called.
func TestRootNames(t *testing.T) {
	taken := map[string]bool{}
	long := strings.Repeat("n", 200)
	for _, tt := range []struct{ path, want string }{
		{"/x/proj", "proj"}, {"/y/proj", "proj-2"}, {"/x/" + long, long[:maxRootName]}, {"/y/" + long, long[:maxRootName-2] + "-2"},
		{"/x/\u65e5\u672c", "code"}, {"/x/...", "code-2"}, {"/x/a b", "a-b"},
	} {
		if got := rootName("code", tt.path, taken); got != tt.want {
			t.Errorf("%s is called %s, want %s", tt.path, got, tt.want)
		}
	}
	snap := opened(t, filepath.Join(t.TempDir(), long), map[string]string{"a/src/x.go": "package x\n", "b/src/y.go": "package y\n"}, "", nil)
	n, err := snap.narrowRoots([]any{"a/src", "b/src", "./a/src"})
	if err != nil || strings.Join(n.set.Names(), " ") != "src src-2" || len(n.kinds["code"]) != 2 {
		t.Errorf("two directories of one name: %v, %v, %v", n.set.Names(), n.kinds, err)
	}
}
