package service

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

func TestWhatAClientCanBeAsked(t *testing.T) {
	for _, c := range []struct {
		declared  string
		names     []string
		reachable bool
		want      []string
	}{
		{`{"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true}}`, []string{"elicitation", "roots"}, true, []string{"elicitation", "roots", "elicitation.form", "elicitation.url"}},
		{`{"sampling":{"tools":{},"context":null},"x":[]}`, []string{"sampling", "x"}, true, []string{"sampling", "x", "sampling.tools"}},
		{`{"sampling":{}}`, []string{"sampling"}, false, []string{}},
		{``, nil, true, []string{}},
		{`[1]`, []string{"sampling"}, true, []string{"sampling"}},
	} {
		got := offersOf(server.Client{Capabilities: c.names, Declared: json.RawMessage(c.declared)}, c.reachable)
		if got == nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, not %q", c.declared, got, c.want)
		}
	}
}
