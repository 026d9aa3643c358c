package service_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/hook"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// says is a model that says the same of every text, and what it was last asked.
func says(t *testing.T, summary string) (url string, asked *atomic.Value) {
	asked = new(atomic.Value)
	asked.Store("")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"tiny","object":"model","meta":{"n_ctx":8192}}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked.Store(string(body))
		content, _ := json.Marshal(map[string]string{"summary": summary})
		chunk, _ := json.Marshal(map[string]any{"model": "tiny", "choices": []any{map[string]any{"index": 0, "delta": map[string]string{"role": "assistant", "content": string(content)}}}})
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: %s\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", chunk)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL, asked
}

// A text goes the way of results: what a model says of it stands first as far as
// the text bears it out, and nothing comes of it where no model has said anything.
func TestATextIsWordedByAModel(t *testing.T) {
	var log strings.Builder
	for i := range 90 {
		fmt.Fprintf(&log, "worker-%d took job %d\n", i%5, 1000+i)
	}
	log.WriteString("ERROR job 1042 lost its lease lease-88f1\n")
	p := service.Printed{Text: log.String(), Tool: "tail", Task: "why did 1042 fail?", Most: 200}
	p.After("head", json.RawMessage(`{"file":"a.log"}`), 300)

	url, asked := says(t, "The job 1042 lost its lease lease-88f1. It ran on unicorn-77.")
	svc := start(t, options(t, map[string]string{"compactor.cue": fmt.Sprintf("package compactor\nmodels: default: {provider: \"openai\", url: %q}", url+"/v1")}))
	w, ok := svc.Word(t.Context(), p)
	const said = "The job 1042 lost its lease lease-88f1."
	if !ok || w.Said != said || !strings.HasPrefix(w.Text, said+"\n") || strings.Contains(w.Text, "unicorn") || strings.Contains(w.Text, "[compactor:") || w.By == "structure" || w.By == "" {
		t.Errorf("%v %+v", ok, w)
	}
	if !strings.Contains(asked.Load().(string), "why did 1042 fail?") {
		t.Errorf("the model was asked %s", asked.Load())
	}

	url, _ = says(t, "It ran on unicorn-77.")
	for name, cue := range map[string]string{"a model that makes things up": fmt.Sprintf("models: default: {provider: \"openai\", url: %q}", url+"/v1"),
		"a model that is down": `models: default: {provider: "openai", url: "http://127.0.0.1:9/v1"}`, "no model": ""} {
		svc := start(t, options(t, map[string]string{"compactor.cue": "package compactor\n" + cue}))
		if w, ok := svc.Word(t.Context(), p); ok && (w.By != "structure" || w.Said != "") {
			t.Errorf("%s: %+v", name, w)
		}
		if w, ok := svc.Served(t.Context(), p); !ok || w.By != "structure" || !strings.Contains(w.Text, "lease-88f1") || tokens.Count(w.Text) > p.Most-hook.NoteTokens {
			t.Errorf("%s, as it is served: %v %+v", name, ok, w)
		}
	}
}
