package service

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// A question that leaves out what it is about is asked with the words of the one before
// it in the same session, and says so; one that stands for itself, or is of another
// session, is asked alone.
func TestDocumentsRememberTheQuestionBefore(t *testing.T) {
	work, state := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"rotation.md": "# Rotation of passwords\n\nA password is rotated monthly.\n",
		"tls.md":      "# TLS certificates\n\nFor TLS the certificate is rotated daily. Rotation is automatic.\n",
		"tlsport.md":  "# TLS port\n\nTLS listens on port 8443. TLS needs TLS.\n",
	} {
		path := filepath.Join(work, "docs", name)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	snap, diags := loadCollections(t, work, state, `collections: guide: roots: ["docs"]`)
	if snap == nil {
		t.Fatal(diags)
	}
	svc := New(snap)
	t.Cleanup(func() { _ = svc.Close() })
	indexAll(t, svc.Snapshot())
	ask := func(who *session.Session, query string) string {
		raw, _ := json.Marshal(map[string]any{"query": query, "explain": true, "top_k": 3})
		reply, err := svc.Call(t.Context(), Call{Tool: "search", Args: raw, Caller: gateway.Caller{Session: who}})
		if err != nil {
			t.Fatal(err)
		}
		return string(reply.JSON)
	}
	newSession := func(id string) *session.Session {
		return session.New(session.Who{ID: id, Client: session.Client{Name: "c"}})
	}
	one := newSession("one")
	if first := ask(one, "how often is a password rotated?"); strings.Contains(first, "earlier question") {
		t.Errorf("the first question leans on another: %s", first)
	}
	follow := ask(one, "and for TLS?")
	if !strings.Contains(follow, "rotat (earlier question)") || strings.Contains(follow, `"confidence":"high"`) {
		t.Errorf("%s", follow)
	}
	if whole := ask(one, "which port does the TLS listener of the server use?"); strings.Contains(whole, "earlier question") {
		t.Errorf("a question that stands for itself: %s", whole)
	}
	if other := ask(newSession("two"), "and for TLS?"); strings.Contains(other, "earlier question") {
		t.Errorf("another session's question is asked: %s", other)
	}
}
