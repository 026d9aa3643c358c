package service

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
)

// loadWhole loads a snapshot in which every field has a value: something waits, a
// model and pages are configured, a role has a pattern of its own.
func loadWhole(t *testing.T) *Snapshot {
	t.Helper()
	work, user := t.TempDir(), t.TempDir()
	plant(t, user, map[string]string{"compactor/c.cue": `package compactor
network: hosts: "docs.example.org": {}
models: default: {provider: "openai", url: "http://127.0.0.1:9/v1", model: "m"}
redaction: patterns: ticket: {regex: "TICKET-[0-9]{6}", scope: "role", example: "TICKET-123456"}
roles: locator: redaction: ["ticket"]
`})
	plant(t, work, map[string]string{"pool/a.go": "package pool\n\nfunc OldQuagga() {}\n", ".compactor/c.cue": `package compactor
roots: code: ["pool"]
servers: theirs: command: "no-such-program"
roles: locator: model: "default"
`})
	place, err := consent.Find(consent.Query{Work: work, User: user})
	if err != nil {
		t.Fatal(err)
	}
	snap, diags, err := Load(t.Context(), Options{Defaults: compactor.Defaults, Place: place, Work: work, Builtins: builtins.All, State: t.TempDir(), Artifacts: filepath.Join(t.TempDir(), "out"), Cache: true, Memory: 1 << 20})
	if err != nil || snap == nil {
		t.Fatal(err, diags.Err())
	}
	t.Cleanup(func() { _ = snap.Close() })
	return snap
}

// fieldsOf are the fields of a snapshot by name, those of what it embeds too.
func fieldsOf(s *Snapshot) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Snapshot]()) {
		if !f.Anonymous {
			out[f.Name] = reflect.ValueOf(s).Elem().FieldByIndex(f.Index)
		}
	}
	return out
}

// ownFields are those that each snapshot has for itself: its roots, and what comes of
// opening them.
var ownFields = map[string]bool{"Roots": true, "Kinds": true, "Artifacts": true, "options": true, "given": true, "lease": true}

// TestNoFieldOfASnapshotIsLost compares a snapshot with those that are made of it.
func TestNoFieldOfASnapshotIsLost(t *testing.T) {
	first := loadWhole(t)
	for name, v := range fieldsOf(first) {
		if v.IsZero() && name != "lease" && name != "given" && name != "leads" && name != "Warnings" {
			t.Errorf("%s has no value: this test says nothing of it", name)
		}
	}
	elsewhere, err := first.Elsewhere(map[string][]string{"code": {first.opt.Work}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = elsewhere.Close() })
	svc := New(first)
	t.Cleanup(func() { _, _ = svc.Close(), svc.Snapshot().Close() })
	pool := filepath.Join(first.opt.Work, "pool")
	if err := os.RemoveAll(pool); err != nil {
		t.Skipf("an open directory cannot be removed here: %v", err)
	}
	if err := os.Mkdir(pool, 0o755); err != nil {
		t.Fatal(err)
	}
	renewed := svc.acquireFresh()
	renewed.lease.release()
	if renewed == first {
		t.Fatal("the roots were not opened again")
	}
	was := fieldsOf(first)
	for of, s := range map[string]*Snapshot{"renewed": renewed, "elsewhere": elsewhere} {
		for name, v := range fieldsOf(s) {
			switch {
			case !ownFields[name]:
				if !same(v, was[name]) {
					t.Errorf("%s: %s is another", of, name)
				}
			case v.IsZero() && name != "lease" && !was[name].IsZero():
				t.Errorf("%s: %s has no value", of, name)
			}
		}
	}
}

// same reports whether two values are one thing, or equal as far as they are not
// compared by place.
func same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func:
		return a.Pointer() == b.Pointer()
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Interface:
		return a.IsNil() == b.IsNil() && (a.IsNil() || same(a.Elem(), b.Elem()))
	}
	return a.Equal(b)
}

// TestPagesAreReadAfterARootWasReplaced asks for a page before and after it.
func TestPagesAreReadAfterARootWasReplaced(t *testing.T) {
	docs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<html><title>Quaggas</title><body><h1>Quaggas</h1><p>The quagga limit is 42 animals for each herd.</p></body></html>"))
	}))
	t.Cleanup(docs.Close)
	at, err := url.Parse(docs.URL)
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(t.TempDir(), "work")
	code := map[string]string{"code/a.go": "package a\n\nfunc OldQuagga() {}\n"}
	svc := New(opened(t, work, code, `roots: code: ["code"]
network: hosts: "127.0.0.1": {ports: [`+at.Port()+`], http: true, private: true, start: ["`+docs.URL+`/quaggas"]}`, nil))
	t.Cleanup(func() { _, _ = svc.Close(), svc.Snapshot().Close() })
	for _, when := range []string{"before", "after"} {
		reply, err := svc.Invoke(t.Context(), Call{Tool: "web_research", Args: json.RawMessage(`{"question":"What is the quagga limit?"}`), Deterministic: true})
		if err != nil || !strings.Contains(string(reply.JSON), "42 animals") {
			t.Errorf("%s: %+v, %v", when, reply, err)
		}
		if err := os.RemoveAll(filepath.Join(work, "code")); err != nil {
			t.Skipf("an open directory cannot be removed here: %v", err)
		}
		plant(t, work, code)
	}
}

// TestWhatThePlanMarksAsWaitingIsNotStarted loses the verdict, and keeps the mark that
// it left in the plan.
func TestWhatThePlanMarksAsWaitingIsNotStarted(t *testing.T) {
	snap := loadWhole(t)
	lost := *snap.compiled
	lost.held, lost.reach = nil, nil
	server := snap.Plan.Config.Servers["theirs"]
	if server.Held = false; (&Snapshot{compiled: &lost}).allowsServer(server) {
		t.Error("a server that waits may be started")
	}
}
