package main

import (
	_ "embed"
	"fmt"
	"net"
	"net/http"
	"os"
)

// chosen is what llama.cpp sent for a question of the locator, with
// qwen2.5-coder-0.5b: the stream as it was.
//
//go:embed testdata/models/choose.sse
var chosen []byte

// modelserver is a model server with a fault, in a process of its own:
//
//	modelserver MODE CONFIG
//
// It listens, writes a configuration that names it to CONFIG, and then never
// answers (hang), answers long after everyone has gone (late), or is gone itself
// in the middle of a reply (die), as if it had been killed.
func modelserver() {
	mode, config := os.Args[1], os.Args[2]
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"qwen2.5-coder-0.5b","object":"model","owned_by":"llamacpp","meta":{"n_ctx":4096,"n_ctx_train":32768}}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		switch mode {
		case "hang":
			<-r.Context().Done()
			return
		case "late":
			<-r.Context().Done()
			_, _ = w.Write(chosen)
		case "die":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write(chosen[:len(chosen)/2])
			_ = http.NewResponseController(w).Flush()
			os.Exit(9)
		}
	})
	text := fmt.Sprintf("package compactor\n\nmodels: default: {provider: \"openai\", url: \"http://%s/v1\"}\n", l.Addr())
	if err := os.WriteFile(config+".tmp", []byte(text), 0o644); err != nil {
		panic(err)
	}
	if err := os.Rename(config+".tmp", config); err != nil {
		panic(err)
	}
	panic(http.Serve(l, mux))
}
