package gateway

import (
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// librarian is a server with one resource that notes who comes and goes.
type librarian struct {
	mu  sync.Mutex
	log []string
}

func (l *librarian) web(method string, _ json.RawMessage) string {
	switch method {
	case "resources/list":
		return resources("x:1")
	case "resources/subscribe", "resources/unsubscribe":
		l.mu.Lock()
		defer l.mu.Unlock()
		l.log = append(l.log, strings.TrimPrefix(method, "resources/"))
		return `{}`
	}
	return ""
}

func (l *librarian) heard() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.log, " ")
}

func ask(t *testing.T, g *Gateway, method, id string) {
	t.Helper()
	if raw, err := g.Forward(t.Context(), method, json.RawMessage(`{"uri":"x:1"}`), Caller{Session: session.New(session.Who{ID: id})}); err != nil || string(raw) != `{}` {
		t.Fatalf("%s: %s, %v", method, raw, err)
	}
}

// A server that is reached in another way after a reload knows nothing of what
// was subscribed to.
func TestSubscriptionsOutliveAReload(t *testing.T) {
	var l librarian
	g := newWeb(t, map[string]web{"b": l.web}, Options{})
	ask(t, g, "resources/subscribe", "s")
	again := g.entry("b").config()
	again.Headers = map[string]string{"X-New": "yes"}
	g.Configure(&config.Config{Servers: map[string]config.Server{"b": again}, Gateway: g.cfg})
	clocktest.Until(t, "the server is subscribed to again", func() bool { return l.heard() == "subscribe subscribe" }, func() any { return l.heard() })
	ask(t, g, "resources/unsubscribe", "s")
	if got := l.heard(); got != "subscribe subscribe unsubscribe" {
		t.Errorf("the server heard: %s", got)
	}
}

// A subscription ends where it was made, though another server has listed the
// address since.
func TestASubscriptionEndsWhereItWasMade(t *testing.T) {
	var l librarian
	var both atomic.Bool
	g := newWeb(t, map[string]web{"b": l.web, "a": func(method string, _ json.RawMessage) string {
		switch {
		case method != "resources/list":
			return ""
		case both.Load():
			return resources("x:1")
		}
		return `{"resources":[]}`
	}}, Options{})
	ask(t, g, "resources/subscribe", "s")
	both.Store(true)
	g.handleChange("a", "resources")
	ask(t, g, "resources/unsubscribe", "s")
	if got := l.heard(); got != "subscribe unsubscribe" {
		t.Errorf("the server heard: %s", got)
	}
}

// Who subscribes while the subscription of another is refused is not told that
// all is well.
func TestARefusedSubscriptionIsNobodyElses(t *testing.T) {
	var asked atomic.Int32
	began, refuse := make(chan struct{}), make(chan struct{})
	g := newWeb(t, map[string]web{"b": func(method string, _ json.RawMessage) string {
		switch {
		case method == "resources/list":
			return resources("x:1")
		case method == "resources/subscribe" && asked.Add(1) == 1:
			close(began)
			<-refuse
			return ""
		}
		return `{}`
	}}, Options{})
	var first, second error
	var wg sync.WaitGroup
	wg.Go(func() {
		_, first = g.Forward(t.Context(), "resources/subscribe", json.RawMessage(`{"uri":"x:1"}`), Caller{Session: session.New(session.Who{ID: "1"})})
	})
	<-began
	wg.Go(func() {
		_, second = g.Forward(t.Context(), "resources/subscribe", json.RawMessage(`{"uri":"x:1"}`), Caller{Session: session.New(session.Who{ID: "2"})})
	})
	at := resourceAt{"b", "x:1"}
	clocktest.Until(t, "the second waits", func() bool {
		g.subscribed.mu.Lock()
		defer g.subscribed.mu.Unlock()
		return g.subscribed.turns[at] != nil && g.subscribed.turns[at].wanted == 2
	})
	close(refuse)
	wg.Wait()
	if first == nil || second != nil || asked.Load() != 2 {
		t.Errorf("first: %v, second: %v; the server was asked %d times, want 2", first, second, asked.Load())
	}
}
