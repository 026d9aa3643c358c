package service

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// TestDocumentsStayInTheirReplies draws calls of clients of which each may search some
// collections, of research over code and documents and of pins too. What only a document
// says is in no reply to a client that may not search it, whatever others asked and
// pinned before, and in no event: the timeline, the dashboard, the log and the traces are
// made of those, and are their owner's, who may read the documents themselves.
func TestDocumentsStayInTheirReplies(t *testing.T) {
	rounds, calls := 2, 80
	if os.Getenv("COMPACTOR_LONG") != "" {
		rounds, calls = 40, 400
	}
	told, researched, pinned := 0, 0, 0
	for round := range rounds {
		r := rand.New(rand.NewPCG(uint64(round), 23))
		work, state := t.TempDir(), t.TempDir()
		w := newWorld(t, r, work)
		only := map[string]string{} // what nobody asks for, by collection
		for i, s := range w.shelves {
			only[s.name] = fmt.Sprintf("vk%xjq%d", r.Uint32(), i)
			text := "# Acquire\n\nWhere all connections of a pool are taken, Acquire refuses at once, as the " + only[s.name] + " has it.\n"
			if err := os.WriteFile(filepath.Join(work, s.name, "acquire.md"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		code := filepath.Join(work, "src")
		if err := os.MkdirAll(code, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(code, "pool.go"), []byte("package pool\n\n// Acquire gives a connection, or false where all are taken.\nfunc Acquire(open, most int) bool { return open < most }\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		snap, diags := loadCollections(t, work, state, "roots: code: [\"src\"]\nnotes: for: \"user\"\n"+w.configured(func(shelf) bool { return true }))
		if snap == nil {
			t.Fatal(diags)
		}
		svc := New(snap)
		t.Cleanup(func() { _ = svc.Close() })
		indexAll(t, snap)
		events := svc.Events().Subscribe(1<<20, event.Kinds()...)
		sessions := map[string]*session.Session{}
		for i, client := range fuzzClients {
			sessions[client] = session.New(session.Who{ID: fmt.Sprint(round, i), Client: session.Client{Name: client}})
		}
		ids := w.ids(t, svc)
		for range calls {
			client, c := fuzzClients[r.IntN(len(fuzzClients))], w.drawMore(ids)
			raw, _ := json.Marshal(c.args)
			got := said(t, svc, sessions[client], c.tool, raw)
			for _, s := range w.shelves {
				has := strings.Contains(got, only[s.name])
				if may := (Collection{Collection: snap.Plan.Config.Collections[s.name]}).allowsClient(client); has && !may {
					t.Fatalf("round %d, client %q is told of %s: %s %s\nsays %s", round, client, s.name, c.tool, raw, got)
				}
				if has {
					told++
				}
				if has && c.tool == "research_codebase" {
					researched++
				}
			}
			if c.tool == "pin_highlight" && strings.Contains(got, `"stands"`) {
				pinned++
			}
		}
		events.Close()
		seen := 0
		for {
			e, ok := events.Next(t.Context())
			if !ok {
				break
			}
			seen++
			text := fmt.Sprintf("%+v", e)
			if detail, err := json.Marshal(e.Detail); err == nil {
				text += string(detail)
			}
			for _, s := range w.shelves {
				if strings.Contains(text, only[s.name]) {
					t.Fatalf("round %d: an event holds text of %s: %s", round, s.name, text)
				}
			}
		}
		if seen < calls {
			t.Errorf("%d events of %d calls", seen, calls)
		}
	}
	if told == 0 || researched == 0 || pinned == 0 {
		t.Errorf("who may is told %d times, %d times by research; %d pins: so nothing could be told", told, researched, pinned)
	}
}

// drawMore is draw with the tools that answer from more than collections, or keep something.
func (w *world) drawMore(ids []string) fuzzCall {
	const about = "why does Acquire refuse where all connections of a pool are taken?"
	switch w.r.IntN(6) {
	case 0:
		return fuzzCall{"research_codebase", map[string]any{"question": about}}
	case 1:
		id := ids[w.r.IntN(len(ids))]
		if w.r.IntN(2) == 0 {
			id = w.shelves[w.r.IntN(len(w.shelves))].name + "/acquire.md"
		}
		quote := "Where all connections of a pool are taken, Acquire refuses at once"
		if w.r.IntN(3) == 0 {
			quote = fuzzShared[w.r.IntN(len(fuzzShared))]
		}
		return fuzzCall{"pin_highlight", map[string]any{"id": id, "quote": quote, "note": "seen of " + w.shelves[w.r.IntN(len(w.shelves))].name}}
	case 2:
		return fuzzCall{"search", map[string]any{"query": about, "top_k": 50, "explain": true}}
	}
	return w.draw(ids)
}
