package upstream

import (
	"encoding/json"
	"testing"
)

// A server that asks for the context of "this server" would get that of all.
func TestNoServerGetsTheContextOfOthers(t *testing.T) {
	const params, left = `{"includeContext":"thisServer","maxTokens":9,"messages":[]}`, `{"maxTokens":9,"messages":[]}`
	for method, want := range map[string]string{"sampling/createMessage": left, "elicitation/create": params} {
		if got := withoutContext(method, json.RawMessage(params)); string(got) != want {
			t.Errorf("%s: %s", method, got)
		}
		round := func(params string) string {
			return `{"resultType":"input_required","inputRequests":{"a":{"method":"` + method + `","params":` + params + `}},"requestState":"s"}`
		}
		if got := withoutContexts(json.RawMessage(round(params))); string(got) != round(want) {
			t.Errorf("%s: %s", method, got)
		}
	}
	if got := withoutContext("sampling/createMessage", nil); got != nil {
		t.Errorf("%s", got)
	}
}
