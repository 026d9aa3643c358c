package egress

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/event"
	"github.com/compactor-mcp/compactor/runtime/redact"
)

func TestACutIsAnEvent(t *testing.T) {
	long := make([]string, 50)
	for i := range long {
		long[i] = strings.Repeat("finding ", 10)
	}
	for _, c := range []struct {
		name   string
		value  any
		tokens int
		cuts   int
	}{
		{"a value", map[string]any{"list": long}, 300, 1},
		{"a value that fits", map[string]any{"list": long}, 100_000, 0},
	} {
		var seen []event.Event
		ctx := event.WithView(t.Context(), func(e event.Event) { seen = append(seen, e) }, event.Cut)
		out, err := New(redact.Default()).Out(ctx, c.value, nil, fixture(t), c.tokens)
		if err != nil {
			t.Fatal(err)
		}
		if len(seen) != c.cuts || c.cuts == 1 && (seen[0].Bytes != len(out) || seen[0].Attrs[0].Value.Int64() <= int64(len(out))) {
			t.Errorf("%s: %+v", c.name, seen)
		}
		plain, _ := New(redact.Default()).Out(t.Context(), c.value, nil, fixture(t), c.tokens)
		if string(plain) != string(out) {
			t.Errorf("%s: the reply is another when it is watched", c.name)
		}
	}
}
