package service

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
)

// reworder is a model that says a question in other words, fails, or hangs.
type reworder struct {
	url   string
	say   atomic.Value // string; "" hangs
	asked atomic.Int64
	hang  chan struct{}
}

func newReworder(t *testing.T) *reworder {
	m := &reworder{hang: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"m","object":"model","meta":{"n_ctx":32768}}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		m.asked.Add(1)
		say := m.say.Load().(string)
		if say == "" {
			select {
			case <-m.hang:
			case <-r.Context().Done():
			}
			return
		}
		chunk, _ := json.Marshal(map[string]any{"model": "m", "choices": []any{map[string]any{"index": 0, "delta": map[string]string{"role": "assistant", "content": say}}}})
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", chunk)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(func() { close(m.hang); server.Close() })
	m.url = server.URL + "/v1"
	return m
}

// Other wordings of a question find what its own words do not, within the filters. A model
// that fails or hangs changes nothing but a note, and none is asked where nobody wants it.
func TestOtherWordingsOfAModel(t *testing.T) {
	m := newReworder(t)
	work, state := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"docs/pools.md":    "# Pools\n\nThe client hangs its coat and keeps twelve connections.\n",
		"docs/timeouts.md": "# Timeouts\n\nAn idle socket is shut after ninety seconds.\n",
	} {
		path := filepath.Join(work, name)
		_ = os.MkdirAll(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	serve := func(rewordings int) *Service {
		place := t.TempDir()
		text := fmt.Sprintf("package compactor\nmodels: default: {provider: \"openai\", url: %q, model: \"m\"}\nroles: query_expander: budget: time: \"400ms\"\ncollections: guide: {roots: [\"docs\"], expand: rewordings: %d}\n", m.url, rewordings)
		if err := os.WriteFile(filepath.Join(place, "a.cue"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		snap, diags, err := Load(t.Context(), Options{Defaults: compactor.Defaults, Place: consent.Place{Dir: place}, Work: work, State: state, Builtins: builtins.All})
		if err != nil || snap == nil {
			t.Fatal(err, diags)
		}
		svc := New(snap)
		t.Cleanup(func() { _, _ = svc.Close(), snap.Close() })
		indexAll(t, snap)
		return svc
	}
	ask := func(svc *Service, more string) (out docs.Hits) {
		reply, err := svc.Call(t.Context(), Call{Tool: "search", Args: json.RawMessage(`{"query": "when does the client hang up` + more + `", "explain": true}`), Deterministic: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(reply.JSON, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	m.say.Store(`{"alternatives": ["After how long is an idle socket shut?", "after how long is an idle  socket shut", "path:none.md idle"]}`)
	off := serve(0)
	plain := ask(off, "")
	if m.asked.Load() != 0 || len(plain.Hits) == 0 || plain.Hits[0].URI != "guide/pools.md" || plain.Note != "" {
		t.Fatalf("asked %d times: %+v", m.asked.Load(), plain)
	}
	svc := serve(2)
	got := ask(svc, "")
	i := slices.IndexFunc(got.Hits, func(h docs.Hit) bool { return h.URI == "guide/timeouts.md" })
	if m.asked.Load() != 1 || i < 0 || !cmp.Equal(got.Asked, []string{"After how long is an idle socket shut?", "path:none.md idle"}) {
		t.Fatalf("asked %d times: %+v", m.asked.Load(), got)
	}
	if !slices.ContainsFunc(got.Hits[i].Legs, func(l docs.LegPart) bool { return l.Leg == "bm25" && l.Asked == got.Asked[0] && l.Score > 0 }) {
		t.Errorf("nothing says which wording found it: %+v", got.Hits[i])
	}
	for _, h := range got.Hits {
		if s := h.Scores; s.Fused != h.Score || fmt.Sprintf("%.4f", s.BM25+s.Vector+s.Rerank) != fmt.Sprintf("%.4f", s.Fused) {
			t.Errorf("%+v does not add up to %v", s, h.Score)
		}
	}
	if only := ask(svc, " path:pools.md"); len(only.Hits) != 1 || only.Hits[0].URI != "guide/pools.md" {
		t.Errorf("a wording leaves the filter: %+v", only)
	}
	for how, say := range map[string]string{"useless": `{"alternatives": []}`, "prose": "I would rather not.", "hangs": ""} {
		m.say.Store(say)
		got := ask(svc, "")
		if !strings.Contains(got.Note, "searched in its own words alone") {
			t.Errorf("%s: note %q", how, got.Note)
		}
		got.Note = ""
		if !cmp.Equal(got, plain) {
			t.Errorf("%s: %s", how, cmp.Diff(plain, got))
		}
	}
}
