package service

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// signalServer makes vectors and judges passages, and keeps what it was sent.
type signalServer struct {
	url  string
	mu   sync.Mutex
	sent []string
}

func newSignalServer(t *testing.T) *signalServer {
	s := &signalServer{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"m","object":"model","meta":{"n_ctx":32768}}]}`)
	})
	mux.HandleFunc("POST /v1/embeddings", func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		_ = json.NewDecoder(r.Body).Decode(&in)
		s.keep(in.Input...)
		var data []map[string]any
		for i, text := range in.Input {
			v := []float64{0.1}
			for _, w := range []string{"wait", "connection", "pool", "marker"} {
				v = append(v, float64(strings.Count(strings.ToLower(text), w)))
			}
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"model": "m", "data": data})
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Messages []struct{ Content string }
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &in)
		said := in.Messages[len(in.Messages)-1].Content
		s.keep(said)
		var scores []map[string]int
		for n, p := range strings.Split(said, "\n\n[")[1:] {
			scores = append(scores, map[string]int{"passage": n + 1, "score": min(3, strings.Count(p, "wait"))})
		}
		content, _ := json.Marshal(map[string]any{"scores": scores})
		chunk, _ := json.Marshal(map[string]any{"model": "m", "choices": []any{map[string]any{"index": 0, "delta": map[string]string{"role": "assistant", "content": string(content)}}}})
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", chunk)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.url = server.URL + "/v1"
	return s
}

func (s *signalServer) keep(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, texts...)
}

// take returns what was sent since it was called last.
func (s *signalServer) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.sent
	s.sent = nil
	return out
}

// The signals of models, filters, added words and what is remembered of them tell a client
// nothing of a collection that it may not search: with other documents in it, and whether
// or not its owner asked the same before, each reply is the same to the byte, and so is
// what the models are sent for it.
func TestSignalsOfCollectionsAreKeptApart(t *testing.T) {
	models := newSignalServer(t)
	work, state := t.TempDir(), t.TempDir()
	write := func(files map[string]string) {
		for name, text := range files {
			path := filepath.Join(work, name)
			_ = os.MkdirAll(filepath.Dir(path), 0o755)
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	const pools = "# Pools\n\nA pool keeps connections open. Its marker is albatross.\n"
	write(map[string]string{
		"open/pools.md":   pools,
		"open/retries.md": "# Retries\n\nA retry of the transport request queue (TRQ) waits. Its marker is albatross as well.\n",
		"open/queues.md":  "# Queues\n\nA queue waits for connections of the transport, and waits again.\n",
		"open/limits.md":  "# Limits\n\nThe transport has limits. A pool of connections waits for the marker albatross.\n",
		"words.txt":       "wait 1 0 0\nwaits 1 0.1 0\nconnections 0 1 0\npool 0 1 0.2\nkestrel 0 0 1\nwyvern 0.1 0 1\nalbatross 0.3 0.3 0.3\n",
	})
	const signals = `chunk: {least: 8, most: 60, overlap: 0}, embeddings: model: "m", static: path: "words.txt", rerank: model: "m", expand: {feedback: 5, abbreviations: true}`
	serve := func() *Service {
		place := t.TempDir()
		text := fmt.Sprintf("package compactor\nmodels: m: {provider: \"openai\", url: %q, model: \"m\"}\ncollections: {open: {roots: [\"open\"], %s}, closed: {roots: [\"closed\"], allow: [\"owner\"], %s}}\n", models.url, signals, signals)
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
		models.take()
		return svc
	}
	var queries []map[string]any
	for _, q := range []string{"waits for connections", "TRQ waits", "KRL waits", "kestrel pool", "pool connections marker", "waits collection:closed", "waits path:closed/**", "waits section:salaries",
		`"kestrel roster" waits`, "waits -kestrel", "waits after:2001-01-01", "waits kind:markdown", "waits collection:open -kestrel"} {
		queries = append(queries, map[string]any{"query": q, "top_k": 50, "explain": true})
	}
	ask := func(svc *Service, client string, args map[string]any) string {
		raw, _ := json.Marshal(args)
		who := session.New(session.Who{ID: client, Client: session.Client{Name: client}})
		reply, err := svc.Call(t.Context(), Call{Tool: "search", Args: raw, Caller: gateway.Caller{Session: who}})
		if err != nil {
			return err.Error()
		}
		return string(reply.JSON)
	}
	type told struct{ replies, sent []string }
	round := func(closed map[string]string, ownerFirst bool) (client told, owner string) {
		_ = os.RemoveAll(filepath.Join(work, "closed"))
		write(closed)
		svc := serve()
		if ownerFirst {
			for _, q := range queries {
				owner += ask(svc, "owner", q)
			}
			models.take()
		}
		for _, q := range queries {
			client.replies = append(client.replies, ask(svc, "other", q))
		}
		client.sent = models.take()
		return client, owner
	}
	kestrels := map[string]string{
		"closed/salaries.md": "# Wyvern salaries\n\nThe kestrel roster ledger (KRL) of the wyvern pays for connections. A wyvern waits.\n",
		"closed/waits.md":    "# Wyvern waits\n\nA kestrel roster waits, and the wyvern waits for connections of the pool.\n",
		"closed/marker.md":   "# Marker\n\nThe wyvern has no marker, and a kestrel waits.\n",
	}
	others := map[string]string{
		"closed/a.md":     "# Basilisk\n\nA basilisk sleeps.\n",
		"closed/b.md":     "# Basilisk salaries\n\nThe basilisk is paid for transport.\n",
		"closed/pools.md": pools, // word for word what the client may read
	}
	warm, owner := round(kestrels, true)
	for _, want := range []string{"Wyvern", `"judge"`, `"embeddings"`, `"static"`, "(feedback)", "(abbreviation)"} {
		if !strings.Contains(owner, want) {
			t.Errorf("the owner's replies have no %s, so that nothing could be told", want)
		}
	}
	all := strings.Join(warm.replies, "\n")
	for _, want := range []string{"albatross", `"judge"`, `"embeddings"`, `"static"`, "(feedback)", "(abbreviation)"} {
		if !strings.Contains(all, want) {
			t.Errorf("the client's replies have no %s: %s", want, all)
		}
	}
	other, _ := round(others, true)
	cold, _ := round(kestrels, false)
	if len(cold.sent) == 0 {
		t.Error("no model was asked anything for the client")
	}
	for _, c := range []struct {
		name      string
		got, want []string
	}{
		{"other documents: replies", other.replies, warm.replies},
		{"other documents: what models are sent", other.sent, warm.sent},
		{"the owner asked nothing: replies", cold.replies, warm.replies},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s\n%s", c.name, diff)
		}
	}
	// These words no query has.
	secret := regexp.MustCompile(`(?i)wyvern|basilisk|ledger`)
	for _, text := range append(append(warm.replies, cold.sent...), other.replies...) {
		if secret.MatchString(text) {
			t.Errorf("a client is told, or a model is sent for it: %s", text)
		}
	}
}
