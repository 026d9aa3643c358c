package openai

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
)

const embedPath = "POST /v1/embeddings"

func embedder(t *testing.T, answers ...string) *Endpoint {
	server := llamaServer(t)
	server.answers[embedPath] = answers
	return endpoint(t, model.Options{Name: "vectors", Model: "gemma-3-270m.gguf", Client: server})
}

func vectors(list string) string { return asJSON("200 OK", `{"object":"list","data":[`+list+`]}`) }

func TestEmbed(t *testing.T) {
	server := llamaServer(t)
	server.answers[embedPath] = []string{"llamacpp-embed"}
	got, err := endpoint(t, model.Options{Model: "SmolLM2-135M-Instruct", Client: server}).Embed(t.Context(), []string{"a", "b"})
	if err != nil || len(got) != 2 || len(got[0]) != 576 || len(got[1]) != 576 || got[0][0] == got[1][0] {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	if sent := server.to(embedPath); len(sent) != 1 || sent[0] != `{"model":"SmolLM2-135M-Instruct","input":["a","b"]}` {
		t.Errorf("%q", sent)
	}
}

// TestEmbedKeepsTheOrder of the texts, whatever that of the answer.
func TestEmbedKeepsTheOrder(t *testing.T) {
	got, err := embedder(t, vectors(`{"index":1,"embedding":[2,2]},{"index":0,"embedding":[1,1]}`)).Embed(t.Context(), []string{"a", "b"})
	if err != nil || got[0][0] != 1 || got[1][0] != 2 {
		t.Errorf("%v %v", got, err)
	}
}

func TestEmbedErrors(t *testing.T) {
	for name, c := range map[string]struct{ answer, kind, says string }{
		"not an embedding model": {"llamacpp-noembed", model.Unsupported, "does not support embeddings"},
		"too few":                {vectors(`{"index":0,"embedding":[1]}`), model.Broken, "2 texts were sent and 1 vectors came"},
		"twice":                  {vectors(`{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}`), model.Broken, "twice"},
		"of no text":             {vectors(`{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}`), model.Broken, "of no text"},
		"other length":           {vectors(`{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}`), model.Broken, "has 2 numbers and the first 1"},
		"no number":              {vectors(`{"index":0,"embedding":[1]},{"index":1,"embedding":[null]}`), model.Broken, "not an array of numbers"},
		"as text":                {vectors(`{"index":0,"embedding":"AAAA"},{"index":1,"embedding":"AAAA"}`), model.Broken, "not an array of numbers"},
		"none":                   {vectors(""), model.Empty, "no vectors"},
		"200 with an error":      {asJSON("200 OK", `{"error":"Failed to embed: input length exceeds the context length"}`), model.Overflow, "longer than the window"},
		"too long":               {asJSON("400 Bad Request", `{"error":{"message":"input (5000 tokens) is larger than the context size (2048)","type":"exceed_context_size_error"}}`), model.Overflow, "5000"},
		"too long for llama.cpp": {"llamacpp-embed-overflow", model.Overflow, "3001 tokens"},
		"no JSON":                {raw("200 OK", "text/html", "<html>"), model.Broken, "<html>"},
		"cut":                    {"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"data\":[", model.Broken, "broke in the middle"},
		"another model":          {asJSON("200 OK", `{"model":"mistral","data":[{"embedding":[1]},{"embedding":[1]}]}`), model.Wrong, "mistral answered"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := embedder(t, c.answer).Embed(t.Context(), []string{"a", "b"})
			if !model.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "vectors") {
				t.Errorf("%v", err)
			}
		})
	}
}
