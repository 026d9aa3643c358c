package discover

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// What llama.cpp's server says of itself and its model, shortened.
const (
	llamaModels = `{"object":"list","data":[{"id":"qwen2.5-coder-0.5b","object":"model","owned_by":"llamacpp","meta":{"n_ctx":8192,"n_ctx_train":32768,"n_params":630167424,"ftype":"Q4_K - Medium"}}]}`
	llamaProps  = `{"default_generation_settings":{"n_ctx":8192},"total_slots":1,"build_info":"b0-unknown"}`
)

func TestServers(t *testing.T) {
	llama := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/v1/models":
			fmt.Fprint(w, llamaModels)
		case "/props":
			fmt.Fprint(w, llamaProps)
		default:
			http.NotFound(w, r)
		}
	}))
	defer llama.Close()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>hello") }))
	defer site.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := "http://" + closed.Addr().String() + "/v1"
	_ = closed.Close()
	got := Servers(t.Context(), []Place{{"Gone", "openai", gone}, {"A site", "openai", site.URL + "/v1"}, {"llama.cpp", "openai", llama.URL + "/v1"}, {"No Ollama", "ollama", site.URL}})
	if len(got) != 1 || got[0].Name != "llama.cpp" || len(got[0].Models) != 1 {
		t.Fatalf("found %+v, want llama.cpp with one model", got)
	}
	if m := got[0].Models[0]; m.Model != "qwen2.5-coder-0.5b" || m.Window != 8192 {
		t.Errorf("model %+v", m)
	}
}
