package upstream

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
)

// A server that asks for the context of "this server" would get that of all.
func TestNoServerGetsTheContextOfOthers(t *testing.T) {
	const params, left = `{"includeContext":"thisServer","maxTokens":9,"messages":[]}`, `{"maxTokens":9,"messages":[]}`
	if got := withoutContext("sampling/createMessage", json.RawMessage(`{"IncludeContext":"allServers","maxTokens":9}`)); string(got) != `{"maxTokens":9}` {
		t.Errorf("in capitals: %s", got)
	}
	for method, want := range map[string]string{"sampling/createMessage": left, "elicitation/create": params} {
		if got := withoutContext(method, json.RawMessage(params)); string(got) != want {
			t.Errorf("%s: %s", method, got)
		}
		round := func(params string) string {
			return `{"resultType":"input_required","inputRequests":{"a":{"method":"` + method + `","params":` + params + `}},"requestState":"s"}`
		}
		if got, err := Question(json.RawMessage(round(params)), []string{Sampling, Elicitation}); string(got) != round(want) {
			t.Errorf("%s: %s, %v", method, got, err)
		}
	}
	if got := withoutContext("sampling/createMessage", nil); got != nil {
		t.Errorf("%s", got)
	}
}

// In the handshake era a server asks in requests, which Spec.Allow holds. What looks like a question of the other era would
// pass that by.
func TestNoResultOfTheHandshakeEraAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake}, Options{Start: startPiped(func(p *piped) {
			p.messages(func(m incoming) {
				if !p.hello(m) {
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage","params":{}}}}}`, m.ID)
				}
			})
		})})
		for _, rounds := range []bool{true, false} {
			r := toolCall("ask", `{}`)
			r.Rounds = rounds
			if result, err := s.Do(t.Context(), r); codeOf(err) != CodeExecution || !strings.Contains(err.Error(), "asks for input") {
				t.Errorf("rounds %v: %s, %v", rounds, result, err)
			}
		}
	})
}

// A client that reads names in any capitals sees no question that was not looked at.
func TestNoQuestionIsSpelledOtherwise(t *testing.T) {
	for result, passes := range map[string]bool{
		`{"inputRequests":{"a":{"method":"sampling/createMessage","params":{}}}}`:                                                       true,
		`{"inputRequests":{"a":{"method":"elicitation/create","params":{}}}}`:                                                           false,
		`{"inputRequests":{"a":{"method":"x"}}}`:                                                                                        false,
		`{"RESULTTYPE":"input_required"}`:                                                                                               false,
		`{"inputRequests":{},"inputRequests":{"a":{"method":"elicitation/create"}}}`:                                                    false,
		`{"inputRequests":{},"InputRequests":{"a":{"method":"elicitation/create"}}}`:                                                    false,
		`{"INPUTREQUESTS":{"a":{"method":"elicitation/create"}}}`:                                                                       false,
		`{"inputRequests":{"a":{"method":"sampling/createMessage","Method":"roots/list"}}}`:                                             false,
		`{"inputRequests":{"a":{"method":"sampling/createMessage","Params":{"includeContext":"allServers"}}}}`:                          false,
		`{"inputRequests":{"a":{"method":"sampling/createMessage","params":{}},"b":{"method":"sampling/createMessage","paRams":null}}}`: false,
	} {
		_, err := Question(json.RawMessage(`{"resultType":"input_required",`+result[1:]), []string{Sampling})
		if (err == nil) != passes {
			t.Errorf("%s: %v", result, err)
		}
	}
}
