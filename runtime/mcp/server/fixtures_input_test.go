package server_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// elicitations are the schemas that tools ask their client's user for.
var elicitations = map[string]string{
	"test_elicitation": `{"type":"object","properties":{"username":{"type":"string","description":"User's response"},
		"email":{"type":"string","description":"User's email address"}},"required":["username","email"]}`,
	"test_elicitation_sep1034_defaults": `{"type":"object","properties":{"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},
		"score":{"type":"number","default":95.5},"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}}}`,
	"test_elicitation_sep1330_enums": `{"type":"object","properties":{"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
		"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
		"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
		"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
		"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}}`,
}

// elicit asks the client's user, in the handshake era.
func elicit(ctx context.Context, c server.Call, schema string) (server.Reply, error) {
	if c.Ask == nil {
		return server.Reply{}, &server.MissingCapability{Name: "elicitation"}
	}
	var in struct{ Message string }
	if err := json.Unmarshal(c.Args, &in); err != nil {
		return server.Reply{}, err
	}
	result, err := c.Ask(ctx, "elicitation/create", json.RawMessage(fmt.Sprintf(`{"message":%q,"requestedSchema":%s}`, in.Message, schema)))
	var no *server.AskError
	if errors.As(err, &no) && no.RPCCode() == -32601 {
		return server.Reply{}, &server.MissingCapability{Name: "elicitation"}
	}
	if err != nil {
		return server.Reply{}, err
	}
	var out struct {
		Action  string
		Content json.RawMessage
	}
	err = json.Unmarshal(result, &out)
	return server.Reply{Text: fmt.Sprintf("Elicitation completed: action=%s, content=%s", out.Action, out.Content)}, err
}

// inputTool asks its client in rounds, as the stateless era does: a result that wants input, and the same request again
// with it. In the handshake era it asks while it works.
type inputTool struct {
	rounds []inputRound
	result string          // %s: the responses of the last round
	needs  map[string]bool // by capability: leave out requests that the client did not declare
}

type inputRound struct {
	requests map[string]string
	state    string // signed, so to say: any other is refused
}

func forName(message, field string) string {
	return fmt.Sprintf(`{"method":"elicitation/create","params":{"message":%q,"requestedSchema":{"type":"object","properties":{"%s":{"type":"string"}},"required":["%s"]}}}`, message, field, field)
}

func forText(prompt string) string {
	return fmt.Sprintf(`{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":%q}}],"maxTokens":100}}`, prompt)
}

const (
	forRoots = `{"method":"roots/list","params":{}}`
	forOK    = `{"method":"elicitation/create","params":{"message":"Please confirm","requestedSchema":{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}}}`
	saidText = `{"content":[{"type":"text","text":%q}]}`
)

var inputTools = map[string]inputTool{
	"test_input_required_result_elicitation":   {rounds: []inputRound{{requests: map[string]string{"user_name": forName("What is your name?", "name")}}}, result: saidText},
	"test_input_required_result_sampling":      {rounds: []inputRound{{requests: map[string]string{"capital_question": forText("What is the capital of France?")}}}, result: saidText},
	"test_input_required_result_list_roots":    {rounds: []inputRound{{requests: map[string]string{"client_roots": forRoots}}}, result: saidText},
	"test_input_required_result_request_state": {rounds: []inputRound{{map[string]string{"confirm": forOK}, "confirming"}}, result: strings.Replace(saidText, "%q", `"state-ok"`, 1)},
	"test_input_required_result_multiple_inputs": {rounds: []inputRound{{map[string]string{
		"user_name": forName("What is your name?", "name"), "greeting": forText("Generate a greeting"), "client_roots": forRoots}, "three"}}, result: saidText},
	"test_input_required_result_multi_round": {rounds: []inputRound{{map[string]string{"step1": forName("Step 1: What is your name?", "name")}, "one"},
		{map[string]string{"step2": forName("Step 2: What is your favorite color?", "color")}, "two"}}, result: saidText},
	"test_input_required_result_tampered_state": {rounds: []inputRound{{map[string]string{"confirm": forOK}, "signed"}}, result: saidText},
	"test_input_required_result_capabilities": {rounds: []inputRound{{requests: map[string]string{"user_name": forName("What is your name?", "name"), "greeting": forText("Generate a greeting")}}},
		needs: map[string]bool{"sampling": true, "elicitation": true}, result: saidText},
}

var inputPrompt = inputTool{rounds: []inputRound{{requests: map[string]string{"user_context": forName("What context should the prompt use?", "context")}}},
	result: `{"messages":[{"role":"user","content":{"type":"text","text":%q}}]}`}

// run gives the whole result in the handshake era, if its client can be asked; else that of the request.
func (t inputTool) run(ctx context.Context, params json.RawMessage, client server.Client, stateless bool, ask server.AskFunc) (json.RawMessage, error) {
	for {
		raw, err := t.answer(params, client)
		var needs struct {
			ResultType    string
			InputRequests map[string]struct {
				Method string
				Params json.RawMessage
			}
			RequestState string
		}
		if err != nil || stateless || ask == nil || json.Unmarshal(raw, &needs) != nil || needs.ResultType != "input_required" {
			return raw, err
		}
		var mu sync.Mutex
		var wg sync.WaitGroup
		given := map[string]json.RawMessage{}
		for name, q := range needs.InputRequests {
			wg.Go(func() {
				answer, no := ask(ctx, q.Method, q.Params)
				mu.Lock()
				defer mu.Unlock()
				given[name] = answer
				err = cmp.Or(err, no)
			})
		}
		wg.Wait()
		if err != nil {
			return nil, err
		}
		params, _ = json.Marshal(map[string]any{"inputResponses": given, "requestState": needs.RequestState})
	}
}

// answer gives the result of a request with these params: what is still wanted, or all of it.
func (t inputTool) answer(params json.RawMessage, client server.Client) (json.RawMessage, error) {
	var in struct {
		Responses map[string]json.RawMessage `json:"inputResponses"`
		State     string                     `json:"requestState"`
	}
	if json.Unmarshal(params, &in) != nil {
		return t.want(0, client), nil
	}
	round := slices.IndexFunc(t.rounds, func(r inputRound) bool { return r.state == in.State })
	switch {
	case round < 0 && in.State == "":
		return t.want(0, client), nil
	case round < 0:
		return nil, rpcErr{-32602, "requestState was changed", ""}
	}
	given := []string{}
	for _, key := range slices.Sorted(maps.Keys(t.rounds[round].requests)) {
		var r struct{ Action, Content, Roots json.RawMessage }
		if json.Unmarshal(in.Responses[key], &r) != nil || r.Content == nil && r.Roots == nil {
			return t.want(round, client), nil
		}
		given = append(given, string(r.Content)+string(r.Roots))
	}
	if round+1 < len(t.rounds) {
		return t.want(round+1, client), nil
	}
	if !strings.Contains(t.result, "%q") {
		return json.RawMessage(t.result), nil
	}
	return json.RawMessage(fmt.Sprintf(t.result, strings.Join(given, " "))), nil
}

// want asks for the input of a round.
func (t inputTool) want(round int, client server.Client) json.RawMessage {
	requests := []string{}
	for _, key := range slices.Sorted(maps.Keys(t.rounds[round].requests)) {
		request := t.rounds[round].requests[key]
		kind, _, _ := strings.Cut(strings.TrimPrefix(request, `{"method":"`), "/")
		if !t.needs[kind] || contains(client.Capabilities, kind) {
			requests = append(requests, `"`+key+`":`+request)
		}
	}
	state := ""
	if t.rounds[round].state != "" {
		state = `,"requestState":"` + t.rounds[round].state + `"`
	}
	return json.RawMessage(`{"resultType":"input_required","inputRequests":{` + strings.Join(requests, ",") + `}` + state + `}`)
}
