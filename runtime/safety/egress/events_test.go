package egress

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

func TestACutIsAnEvent(t *testing.T) {
	long := make([]string, 50)
	for i := range long {
		long[i] = strings.Repeat("finding ", 10)
	}
	ordered := answer{Text: strings.Repeat("word ", 200), References: []string{"a.go:3", "gone.go:1"}}
	for _, c := range []struct {
		name   string
		value  any
		typ    *schema.Schema
		tokens int
		cuts   int
	}{
		{"a value", map[string]any{"list": long}, nil, 300, 1},
		{"a value that fits", map[string]any{"list": long}, nil, 100_000, 0},
		{"a value with an order of cutting", ordered, answerType(), 100, 1},
		{"one that fits, of which a reference was dropped", ordered, answerType(), 100_000, 0},
	} {
		var seen []event.Event
		ctx := event.WithView(t.Context(), func(e event.Event) { seen = append(seen, e) }, event.Cut)
		out, err := New(redact.Default()).Apply(ctx, c.value, c.typ, fixture(t), c.tokens)
		if err != nil {
			t.Fatal(err)
		}
		if len(seen) != c.cuts || c.cuts == 1 && (seen[0].Bytes != len(out) || seen[0].Attrs[0].Value.Int64() <= int64(len(out))) {
			t.Errorf("%s: %+v", c.name, seen)
		}
		plain, _ := New(redact.Default()).Apply(t.Context(), c.value, c.typ, fixture(t), c.tokens)
		if string(plain) != string(out) {
			t.Errorf("%s: the reply is another when it is watched", c.name)
		}
	}
}
