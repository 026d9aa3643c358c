package gateway

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/trust"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// Servers of two projects often have one name, and what is approved of one says
// nothing of the other; the user's own is one wherever he is.
func TestApprovalsOfAProjectsServerAreItsOwn(t *testing.T) {
	of := func(project string, theirs bool) string {
		g := New(Options{Project: project})
		t.Cleanup(func() { _ = g.Close() })
		return g.approvals.serverKey(config.Server{Name: "db", Project: theirs})
	}
	if of("/a", true) == of("/b", true) || of("/a", true) == of("/a", false) {
		t.Error("two servers share their approvals")
	}
	if of("/a", false) != "db" || of("/b", false) != "db" || of("", true) != "db" {
		t.Error("a server of the user's has other approvals elsewhere")
	}
	first := of("/a", true)
	if again := of("/a", true); again != first {
		t.Error("approvals are not found again")
	}
}

// What was approved before all members were pinned stays approved where nothing has changed since, and is pinned whole
// from then on; what has changed meanwhile is set aside and shown.
func TestApprovalsOfEarlierVersionsHold(t *testing.T) {
	dressed := func(name, ui string) string {
		return strings.TrimSuffix(simple(name), "}") + `,"_meta":{"ui":"` + ui + `"}}`
	}
	w := newWorld(t, map[string]string{"a": dressed("same", "one") + "," + dressed("moved", "one") + "," + simple("plain")})
	w.cfg.Gateway.Trust = "ask"
	w.Configure(w.cfg)
	w.names()
	w.approveAll()
	rewrite := func(change func(*store.Pin)) {
		t.Helper()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(context.Background(), filepath.Join(w.dir, "state.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		err = s.ChangePins(t.Context(), "a", func(pins []store.Pin) ([]store.Pin, error) {
			for i := range pins {
				change(&pins[i])
			}
			return pins, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	rewrite(func(p *store.Pin) {
		if hash := trust.Earlier(p.Definition); hash != "" {
			p.Hash = hash
		}
	})
	w.offer("a", dressed("same", "one")+","+dressed("moved", "two")+","+simple("plain"))
	w.open()
	w.Probe(t.Context(), nil, func(int, int, string) {})
	if got := strings.Join(w.names(), " "); got != "a__same a__plain" {
		t.Errorf("listed %s", got)
	}
	waiting := w.Waiting(t.Context())
	if len(waiting) != 1 || waiting[0].Tool != "moved" || strings.Join(waiting[0].Changes, "") != `_meta.ui: "one" → "two"` {
		t.Errorf("waiting: %+v", waiting)
	}
	rewrite(func(p *store.Pin) {
		if whole, _ := trust.Hash(p.Definition); p.Tool != "moved" && p.Hash != whole {
			t.Errorf("%s is pinned by %s, and not whole by %s", p.Tool, p.Hash, whole)
		}
	})
	w.offer("a", dressed("same", "two"))
	w.open()
	w.Probe(t.Context(), nil, func(int, int, string) {})
	if got := w.names(); len(got) != 0 {
		t.Errorf("listed after a change of what was pinned whole: %s", got)
	}

	hash := trust.Earlier(json.RawMessage(dressed("same", "two")))
	a := w.cfg.Servers["a"]
	a.Pins = map[string]string{"same": hash}
	w.cfg.Servers["a"] = a
	w.Configure(w.cfg)
	if got := w.Listed(); len(got) != 1 || strings.Contains(string(got[0].Definition), "_meta") {
		t.Errorf("of a tool that the configuration pins by its parts is listed: %+v", got)
	}
}
