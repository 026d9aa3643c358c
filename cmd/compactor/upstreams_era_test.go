package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A client of the stateless era cannot be asked while a call runs. What a server
// of the handshake era asks then comes to it in rounds, by the tool's name and by
// execute_tool, if its user allows that at all.
func TestAClientIsAskedInRounds(t *testing.T) {
	s := startLines(t, configOf(t, `
gateway: surface: "both"
servers: strict: {command: "TOOLSERVER", args: ["ask"]}
servers: open: {command: "TOOLSERVER", args: ["ask"], allow: ["sampling", "elicitation", "roots"]}
`), `{}`)
	s.until("both are listed", func() bool { return strings.Count(strings.Join(s.tools(), " "), "__ask") == 2 })
	for call, allowed := range map[string]bool{
		`"name":"open__ask","arguments":{}`:                        true,
		`"name":"execute_tool","arguments":{"tool":"open__ask"}`:   true,
		`"name":"strict__ask","arguments":{}`:                      false,
		`"name":"execute_tool","arguments":{"tool":"strict__ask"}`: false,
	} {
		result, asked := rounds(t, s, call)
		answered := `\"ask0\",\"result\":{\"from\":\"sampling/createMessage\"}`
		if allowed != strings.Contains(result, answered) || allowed != (fmt.Sprint(asked) == "[sampling/createMessage elicitation/create roots/list]") || !allowed && len(asked) > 0 {
			t.Errorf("%s: asked %v, got %s", call, asked, result)
		}
	}
}

// What a client sends beside the arguments is for the server whose tool it calls, and not for all that a pipeline calls.
func TestAPipelinePassesOnNoParams(t *testing.T) {
	s := startLines(t, configOf(t, `
gateway: surface: "both"
servers: one: {command: "TOOLSERVER", args: ["sent"]}
servers: two: {command: "TOOLSERVER", args: ["sent"]}
pipelines: both: {
	stages: a: {builtin: "tools.execute", with: call: {tool: "one__sent"}}
	stages: b: {builtin: "tools.execute", with: call: {tool: "two__sent"}}
	output: "[a.value, b.value]"
}
tools: both: {description: "Calls two servers", pipeline: "both"}
pipelines: last: {
	stages: a: {builtin: "tools.execute", with: call: {tool: "one__sent"}}
	stages: b: {builtin: "tools.execute", with: call: {tool: "two__sent"}, needs: ["a"]}
	output: "b.value"
}
tools: last: {description: "Calls two servers and gives what the second said", pipeline: "last"}
`), `{}`)
	s.until("both are listed", func() bool { return strings.Count(strings.Join(s.tools(), " "), "__sent") == 2 })
	for call, passed := range map[string]bool{
		`"name":"one__sent","arguments":{}`:                      true,
		`"name":"execute_tool","arguments":{"tool":"one__sent"}`: true,
		`"name":"both","arguments":{}`:                           false,
		`"name":"last","arguments":{}`:                           false,
	} {
		raw := string(s.ask("tools/call", "{"+call+`,"inputResponses":{"a":{"mark":"response"}},"requestState":"mark-state","_meta":{"x/mark":1,`+statelessMeta+`}}`))
		if !strings.Contains(raw, "tools/call") || strings.Contains(raw, "mark") != passed {
			t.Errorf("%s: %s", call, raw)
		}
	}
}

const statelessMeta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"sampling":{},"elicitation":{},"roots":{}}`

// rounds calls a tool as a client of the stateless era does, and answers what it
// is asked with where the answer is from. It gives the last result.
func rounds(t *testing.T, s *lineClient, call string) (result string, asked []string) {
	t.Helper()
	const meta = `,"_meta":{` + statelessMeta + "}"
	more := ""
	for range 9 {
		raw := s.ask("tools/call", "{"+call+more+meta+"}")
		var r struct {
			ResultType    string
			InputRequests map[string]struct{ Method string }
			RequestState  string
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		if r.ResultType != "input_required" {
			return string(raw), asked
		}
		responses := map[string]any{}
		for name, q := range r.InputRequests {
			responses[name] = map[string]string{"from": q.Method}
			asked = append(asked, q.Method)
		}
		given, err := json.Marshal(responses)
		if err != nil {
			t.Fatal(err)
		}
		more = fmt.Sprintf(`,"inputResponses":%s,"requestState":%q`, given, r.RequestState)
	}
	t.Fatalf("asked without end: %v", asked)
	return "", nil
}
