package hook

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

func TestToolNames(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string // "" is refused
	}{
		{[]any{"a", "b"}, "[a b]"},
		{[]any{map[string]any{"name": "a", "uses": 1}, "b"}, "[a b]"},
		{[]any{}, "[]"},
		{nil, "[]"},
		{"a", ""},
		{[]any{map[string]any{"tool": "a"}}, ""},
		{[]any{1}, ""},
		{map[string]any{"tools": []any{}}, ""},
		{func() {}, ""},
	} {
		names, err := toolNames(c.value)
		if got := fmt.Sprint(names); (err != nil) != (c.want == "") || err == nil && got != c.want {
			t.Errorf("%#v: %s, %v, want %q", c.value, got, err, c.want)
		}
	}
}

func TestResultsOfAHook(t *testing.T) {
	failed := json.RawMessage(`{"content":[],"isError":true}`)
	for _, c := range []struct {
		value any
		want  string // "" is refused
	}{
		{"short", `{"content":[{"text":"short","type":"text"}],"isError":true}`},
		{contract.ToolResult{Raw: json.RawMessage(`{"x": 1}`)}, `{"x": 1}`},
		{map[string]any{"content": []any{map[string]any{"type": "text", "text": "x"}}}, `{"content":[{"text":"x","type":"text"}]}`},
		{map[string]any{"content": "x"}, ""},
		{map[string]any{}, ""},
		{[]any{}, ""},
		{1, ""},
		{nil, ""},
	} {
		raw, err := asResult(c.value, failed)
		if (err != nil) != (c.want == "") || string(raw) != c.want {
			t.Errorf("%#v: %s, %v, want %q", c.value, raw, err, c.want)
		}
	}
}
