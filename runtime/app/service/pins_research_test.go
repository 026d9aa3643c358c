package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// worder is a model server that says two sentences of the first place it is shown.
func worder(t *testing.T, sentences ...string) string {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"tiny","object":"model","meta":{"n_ctx":8192}}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		key := "sentence"
		if bytes.Contains(body, []byte(`"why"`)) || bytes.Contains(body, []byte(`\"why\"`)) { // of a choice
			key = "why"
		}
		var points []map[string]any
		for _, s := range sentences {
			points = append(points, map[string]any{key: s, "id": 1})
		}
		content, _ := json.Marshal(map[string]any{"points": points})
		chunk, _ := json.Marshal(map[string]any{"model": "tiny", "choices": []any{map[string]any{"index": 0, "delta": map[string]string{"role": "assistant", "content": string(content)}}}})
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", chunk)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// One question is answered from code and documents, each reference held against its file
// or its document; without a collection, or for who may search none, from code alone.
func TestResearchReadsDocuments(t *testing.T) {
	files := map[string]string{
		"src/pool.go":   "package pool\n\nimport \"errors\"\n\n// ErrFull says that every connection is taken.\nvar ErrFull = errors.New(\"pool: full\")\n\n// Acquire gives a connection, or ErrFull where all are taken.\nfunc Acquire(open, most int) error {\n\tif open >= most {\n\t\treturn ErrFull\n\t}\n\treturn nil\n}\n",
		"book/pools.md": "# Pools\n\nA pool keeps twelve connections open.\n\nWhere all connections of a pool are taken, Acquire refuses at once, so that callers do not pile up.\n",
	}
	const config = `roots: code: ["src"]
collections: guide: {roots: ["book"], allow: ["lm-*"]}
`
	type report struct {
		Answer     string
		References []string
		Documents  *struct{ Value struct{ References []string } }
	}
	ask := func(p pinning, client string) (r report, raw string) {
		t.Helper()
		raw = p.ask(client, "research_codebase", map[string]any{"question": "why does Acquire refuse where all connections are taken?"}, &r)
		return r, raw
	}
	for name, more := range map[string]string{
		"no model": "",
		"a model": fmt.Sprintf("roles: synthesizer: recheck: false\nmodels: default: {provider: \"openai\", url: %q}\n",
			worder(t, "Acquire compares open with most, and gives no connection where they are equal.", "Acquire asks the moon, see guide/moon.md:1 and guide/pools.md:999.")),
		"a model down": "models: default: {provider: \"openai\", url: \"http://127.0.0.1:9/v1\"}\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := pinsOf(t, t.TempDir(), config+more, files)
			r, raw := ask(p, "lm-studio")
			if !slices.Contains(r.References, "guide/pools.md:5") || !slices.ContainsFunc(r.References, func(s string) bool { return strings.HasPrefix(s, "pool.go:") }) {
				t.Errorf("%v: %s", r.References, raw)
			}
			if !strings.Contains(r.Answer, "so that callers do not pile up") || r.Documents == nil {
				t.Error(raw)
			}
			if slices.ContainsFunc(r.References, func(s string) bool { return strings.Contains(s, "999") || strings.Contains(s, "moon") }) {
				t.Errorf("a reference that is none leaves: %v", r.References)
			}
			if (name == "a model") != strings.Contains(raw, `"names":["tiny"]`) || strings.Contains(r.Answer, "moon") {
				t.Errorf("what the model says: %s", raw)
			}
			if r, raw = ask(p, "other"); r.Documents != nil || strings.Contains(raw, "guide/") || strings.Contains(raw, "pile up") {
				t.Errorf("a client is told what it may not search: %s", raw)
			}
		})
	}
	p := pinsOf(t, t.TempDir(), `roots: code: ["src"]`, files)
	if r, raw := ask(p, "lm-studio"); r.Documents != nil || len(r.References) == 0 || strings.Contains(raw, "documents") || strings.Contains(raw, "docs_reader") {
		t.Errorf("without a collection: %s", raw)
	}
}
