package service_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/service"
)

// TestAReplacedRootFreesNoServer removes a root that a project names for itself and
// makes it again, as a checkout of another branch and back does. The servers of the
// project wait before and after it.
func TestAReplacedRootFreesNoServer(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the server of this test is a shell")
	}
	const variable = "CanaryOfTheUser"
	var mu sync.Mutex
	var sent []string
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		sent = append(sent, r.Header.Get("Authorization"))
		mu.Unlock()
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(far.Close)
	started := filepath.Join(t.TempDir(), "started")
	svc, opt := project(t, "", fmt.Sprintf(`roots: code: ["pool"]
servers: near: {command: "/bin/sh", args: ["-c", %q]}
servers: far: {url: %q, headers: Authorization: "Bearer ${TOKEN}"}
`, "echo run >> '"+started+"'; exec cat", far.URL+"/mcp"))
	if err := os.WriteFile(filepath.Join(opt.Layers[0].Dir, consent.Secrets), []byte("TOKEN="+variable+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if held := svc.Snapshot().Held(); !held.Holds("servers", "near") || !held.Holds("servers", "far") {
		t.Fatalf("the servers do not wait: %v", held.Paths())
	}

	root := filepath.Join(opt.Work, "pool")
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "again.go"), []byte("package pool\n\nfunc NewAgain() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r, err := call(t, svc, "locate_in_codebase", `{"question":"NewAgain"}`); err != nil || len(r.References) == 0 {
		t.Fatalf("the new root is not read: %v, %v", r.References, err)
	}
	for range 2 {
		if _, err := svc.Invoke(t.Context(), service.Call{Tool: "search_tools", Args: []byte(`{"query": "anything"}`)}); err != nil {
			t.Error(err)
		}
		svc.Gateway().Probe(t.Context(), nil, func(int, int, string) {}) // returns when every start has ended
	}

	if out, err := os.ReadFile(started); err == nil {
		t.Errorf("a program that waits was started: %q", out)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(sent) > 0 {
		t.Errorf("an address that waits was asked, with %q", sent)
	}
	if held := svc.Snapshot().Held(); !held.Holds("servers", "near") || !held.Holds("servers", "far") {
		t.Errorf("nothing is said to wait any more: %v", held.Paths())
	}
	_, err := svc.Invoke(t.Context(), service.Call{Tool: "execute_tool", Args: []byte(`{"tool": "near__anything", "arguments": {}}`)})
	if err == nil || !strings.Contains(err.Error(), "compactor allow") {
		t.Errorf("a call of a server that waits: %v", err)
	}
}
