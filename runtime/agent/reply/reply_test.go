package reply

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"compactor/runtime/schema"
)

func ptr[T any](v T) *T { return &v }

// choose is the schema of a choice among eight candidates.
var choose = &schema.Schema{Type: schema.Object, Fields: []schema.Field{
	{Name: "notes", Required: true, Schema: &schema.Schema{Type: schema.Array, MaxLen: ptr(4), Items: &schema.Schema{Type: schema.Object, Fields: []schema.Field{
		{Name: "id", Required: true, Schema: &schema.Schema{Type: schema.Integer, Enum: []any{1, 2, 3, 4, 5, 6, 7, 8}}},
		{Name: "note", Required: true, Schema: &schema.Schema{Type: schema.String, MaxLen: ptr(60)}},
	}}}},
	{Name: "summary", Schema: &schema.Schema{Type: schema.String}},
	{Name: "found", Schema: &schema.Schema{Type: schema.Boolean, Default: true}},
}}

func notes(found bool, pairs ...any) map[string]any {
	out := []any{}
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, map[string]any{"id": pairs[i], "note": pairs[i+1]})
	}
	return map[string]any{"notes": out, "found": found}
}

func TestJSON(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rung       Rung
		want       map[string]any
	}{
		{"clean", `{"notes":[{"id":1,"note":"defines it"}]}`, Clean, notes(true, 1, "defines it")},
		{"fence", "Sure! Here is the JSON:\n```json\n{\"notes\":[{\"id\":1,\"note\":\"defines it\"}]}\n```\nHope it helps", Stripped, notes(true, 1, "defines it")},
		{"cut", `{"notes":[{"id":1,"note":"defines it"},{"id":2,"note":"cal`, Fitted, notes(true, 1, "defines it")},
		{"keyed", `{"notes":{"1":"defines it","#2":"calls"}}`, Fitted, notes(true, 1, "defines it", 2, "calls")},
		{"inner quotes", `{"notes":[{"id":1,"note":"the "pool" type, here"}]}`, Mended, notes(true, 1, `the "pool" type, here`)},
		{"think", `<think>maybe {"notes":[{"id":2,"note":"no"}]}</think>{"notes":[{"id":1,"note":"a"}]}`, Stripped, notes(true, 1, `a`)},
	} {
		got, rung, err := JSON(c.text, choose)
		if err != nil || rung != c.rung {
			t.Errorf("%s: rung %s, %v", c.name, rung, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
	_, _, err := JSON(`{"notes":[{"id":"pool.go","note":"x"}]}`, choose)
	if err == nil || err.Error() != `field notes[0].id: want one of 1..8, got "pool.go"` {
		t.Error(err)
	}
	calls, rest := Calls("I will look.\n<tool_call>\n{\"name\": \"Code.grep\", \"arguments\": {\"pattern\": \"pool\"}}\n</tool_call>", []string{"code_grep"})
	if d := cmp.Diff([]Call{{Name: "code_grep", Arguments: map[string]any{"pattern": "pool"}}}, calls); d != "" || rest != "I will look." {
		t.Error(d, rest)
	}
}
