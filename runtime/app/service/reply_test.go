package service_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// result is a tools/call result.
type result struct {
	Content           []struct{ Type, Text string }
	StructuredContent json.RawMessage
	IsError           bool
}

func (f *face) result(params string) (r result) {
	f.t.Helper()
	if err := json.Unmarshal(f.ask("tools/call", params), &r); err != nil {
		f.t.Fatal(err)
	}
	if len(r.Content) != 1 || r.IsError {
		f.t.Fatalf("%+v", r)
	}
	return r
}

// The text for a model is text: the answer first, no counts and no times. Programs find
// the JSON beside it.
func TestModelsReadText(t *testing.T) {
	client := newFace(t, start(t, options(t, nil)))
	for era, meta := range map[string]string{"handshake": "", "stateless": "," + modernMeta} {
		for _, c := range []struct{ tool, args string }{
			{"research_codebase", `{"question":"where is NewPool?"}`}, {"locate_in_codebase", `{"question":"NewPool"}`}, {"analyze_component", `{"component":"NewPool"}`},
		} {
			r := client.result(`{"name":"` + c.tool + `","arguments":` + c.args + meta + `}`)
			text := r.Content[0].Text
			if !json.Valid(r.StructuredContent) || r.StructuredContent[0] != '{' {
				t.Errorf("%s, %s: structured content %s", era, c.tool, r.StructuredContent)
			}
			if !strings.Contains(text, "pool/pool.go:4") || !strings.Contains(text, "confidence ") || strings.Contains(text, "elapsedMs") || strings.HasPrefix(text, "{") {
				t.Errorf("%s, %s: text %s", era, c.tool, text)
			}
			if n, all := tokens.Count(text), tokens.Count(string(r.StructuredContent)); n > all || all > 1000 {
				t.Errorf("%s, %s: %d tokens of text, %d of JSON", era, c.tool, n, all)
			}
		}
		if r := client.result(`{"name":"list_roots","arguments":{}` + meta + `}`); string(r.StructuredContent) != r.Content[0].Text {
			t.Errorf("%s: what has no text of its own: %+v", era, r)
		}
	}
}

// A model that asks the same again is told so, and gets the answer all the same.
func TestTheSameQuestionAgain(t *testing.T) {
	client := newFace(t, start(t, options(t, nil)))
	ask := func(q string) string {
		return client.result(`{"name":"research_codebase","arguments":{"question":"` + q + `"}}`).Content[0].Text
	}
	first, again, other := ask("where is NewPool?"), ask("where is NewPool?"), ask("how is the queue bounded?")
	rest, same := strings.CutPrefix(again, "Same as before")
	if _, answer, _ := strings.Cut(rest, "\n"); !same || answer != first {
		t.Errorf("%q after %q", again, first)
	}
	if strings.HasPrefix(first, "Same") || strings.HasPrefix(other, "Same") {
		t.Errorf("%q, %q", first, other)
	}
}

// A small model fills in limits at random; nothing can be answered in the least of them.
func TestLimitsTooSmallAreRaised(t *testing.T) {
	client := newFace(t, start(t, options(t, nil)))
	r := client.result(`{"name":"research_codebase","arguments":{"question":"where is NewPool?","constraints":{"tokens":10,"files":1,"bytes":1,"time_ms":0}}}`)
	text := r.Content[0].Text
	for _, want := range []string{"pool/pool.go:4", "were raised", "files from 1 to 5", "tokens from 10 to 200"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if n := tokens.Count(string(r.StructuredContent)); n > 200 {
		t.Errorf("%d tokens", n)
	}
	off := newFace(t, start(t, options(t, map[string]string{"a.cue": "package compactor\ntools: research_codebase: least: {tokens: 0, files: 0, bytes: 0, time_ms: 0}\n"})))
	if r := off.result(`{"name":"research_codebase","arguments":{"question":"where is NewPool?","constraints":{"files":4}}}`); strings.Contains(r.Content[0].Text, "raised") {
		t.Error(r.Content[0].Text)
	}
}
