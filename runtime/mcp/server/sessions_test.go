package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// wound is a clock that tests move.
type wound struct {
	mu  sync.Mutex
	now time.Time
}

func (c *wound) read() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *wound) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

func (w *web) alive(id string) bool {
	code, _ := w.post(eras[0].message("1", "tools/list", "", ""), "Mcp-Session-Id", id)
	return code == 200
}

// A client that begins session after session ends its own, not those that
// others talk in.
func TestAFloodOfSessionsEndsNoneInUse(t *testing.T) {
	clock := &wound{now: time.Now()}
	s, _ := newServer(t, func(o *server.Options) { o.MaxSessions, o.Now = 20, clock.read })
	w := openWeb(t, s)
	var mine []string
	for range 5 {
		mine = append(mine, w.login())
	}
	for round := range 10 {
		for _, id := range mine {
			if !w.alive(id) {
				t.Fatalf("round %d: a session in use was ended", round)
			}
		}
		for range 50 {
			clock.pass(10 * time.Millisecond)
			w.login()
		}
	}
	// One that uses its sessions is refused when there is no room, and told so.
	refused := 0
	for range 40 {
		clock.pass(10 * time.Millisecond)
		res := w.do(t.Context(), http.MethodPost, initialize, "Mcp-Session-Id", "")
		if id := res.Header.Get("Mcp-Session-Id"); id != "" {
			w.alive(id)
		} else if refused++; res.StatusCode != 503 || res.Header.Get("Retry-After") == "" {
			t.Errorf("%s", res.Status)
		}
	}
	if refused < 20 {
		t.Errorf("%d of 40 were refused", refused)
	}
	for _, id := range mine {
		if !w.alive(id) {
			t.Error("a session in use was ended by others in use")
		}
	}
	clock.pass(2 * time.Minute) // then the one unused for longest gives way
	if w.login() == "" {
		t.Error("no room after a while")
	}
}

// Whoever comes from one address beyond this machine has a part of the sessions, not all.
func TestOneAddressHasAPartOfTheSessions(t *testing.T) {
	s, _ := newServer(t, func(o *server.Options) { o.MaxSessions = 10 })
	begin := func(addr string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, server.Path, strings.NewReader(initialize))
		r.Header.Set("Content-Type", "application/json")
		r.RemoteAddr = addr
		rec := httptest.NewRecorder()
		s.Handler().ServeHTTP(rec, r)
		return rec
	}
	use := func(id string) int {
		r := httptest.NewRequest(http.MethodPost, server.Path, strings.NewReader(eras[0].message("1", "tools/list", "", "")))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Mcp-Session-Id", id)
		rec := httptest.NewRecorder()
		s.Handler().ServeHTTP(rec, r)
		return rec.Code
	}
	for i, addr := range []string{"192.0.2.1:1", "[::ffff:192.0.2.1]:2", "192.0.2.1:3", "192.0.2.1:4", "192.0.2.1:5", "192.0.2.1:6"} {
		rec := begin(addr)
		want := 200
		if i == 5 {
			want = 429
		}
		if rec.Code != want || want == 429 && rec.Header().Get("Retry-After") == "" {
			t.Errorf("session %d: %d %s", i, rec.Code, rec.Body)
		}
		use(rec.Header().Get("Mcp-Session-Id"))
	}
	if rec := begin("192.0.2.2:1"); rec.Code != 200 {
		t.Errorf("another address: %d", rec.Code)
	}
	for range 4 {
		if rec := begin("127.0.0.1:1"); rec.Code != 200 {
			t.Errorf("this machine: %d", rec.Code)
		}
	}
}

// The protocol's own ping is answered when every turn is taken.
func TestPingIsAnsweredUnderLoad(t *testing.T) {
	s, b := newServer(t, func(o *server.Options) { o.MaxRequests, o.MaxCalls = 1, 1 })
	w := openWeb(t, s)
	id := w.login()
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		defer close(done)
		w.do(ctx, http.MethodPost, eras[0].message("1", "tools/call", callParams("wait", `{}`), ""), "Mcp-Session-Id", id)
	}()
	receive(t, "start", b.started)
	if code, body := w.post(`{"jsonrpc":"2.0","id":2,"method":"ping"}`); code != 200 || strings.Contains(body, "error") {
		t.Errorf("ping: %d %s", code, body)
	}
	if code, _ := w.post(eras[0].message("3", "tools/list", "", "")); code != 503 {
		t.Errorf("tools/list: %d", code)
	}
	close(b.release)
	<-done
}
