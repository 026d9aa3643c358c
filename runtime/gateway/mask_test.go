package gateway

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

func TestWhatIsMaskedInAValue(t *testing.T) {
	m := &masker{mask: func(s string) string { return strings.ReplaceAll(s, "hush", "#") }}
	for _, c := range [][2]string{
		{`{ "a": 1.50, "n": 9007199254740993 }`, `{ "a": 1.50, "n": 9007199254740993 }`},
		{`{ "a": [ "say hush" ], "n": 1.50 }`, `{ "a": [ "say #" ], "n": 1.50 }`},
		{`{"say hush":{"x":1}}`, `{"say #":{"x":1}}`},
		{`{"a":"h\u0075sh","a":"hush"}`, `{"a":"#","a":"#"}`},
		{`{"data":"hush","x":"hush"}`, `{"data":"#","x":"#"}`},
		{`{"data":"hush","mimeType":"image/png","x":"hush"}`, `{"data":"hush","mimeType":"image/png","x":"#"}`},
		{`{"mimeType":"image/png","data":{"x":"hush"}}`, `{"mimeType":"image/png","data":{"x":"#"}}`},
		{`{"mimeType":"image/png","data":["hush"]}`, `{"mimeType":"image/png","data":["#"]}`},
		{`{"blob":"hush","text":"\"hush\\"}`, `{"blob":"hush","text":"\"#\\"}`},
		{`"hush"`, `"#"`},
		{``, ``},
	} {
		if got := string(m.value(json.RawMessage(c[0]))); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}

// A server cannot make us read a large value once for each bracket around it.
func TestMaskingReadsDeepValuesOnce(t *testing.T) {
	read := 0
	m := &masker{mask: func(s string) string { read += len(s); return s }}
	const depth = 9_000
	raw := strings.Repeat("[", depth) + `"` + strings.Repeat("x", 8<<20) + `"` + strings.Repeat("]", depth)
	done := make(chan json.RawMessage)
	go func() { done <- m.value(json.RawMessage(raw)) }()
	if got := <-done; string(got) != raw || read != 8<<20 {
		t.Errorf("%d bytes, %d masked", len(got), read)
	}
}

func TestWhatAServerAsksIsMasked(t *testing.T) {
	m := &masker{mask: func(s string) string { return strings.ReplaceAll(s, "hush", "#") }}
	var asked string
	_, _ = m.asks(func(_ context.Context, _ string, params json.RawMessage) (json.RawMessage, error) {
		asked = string(params)
		return nil, nil
	})(t.Context(), "elicitation/create", json.RawMessage(`{"message":"hush"}`))
	if asked != `{"message":"#"}` {
		t.Error(asked)
	}
}
