package service_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// knownOf is what a tool of ours sees of its session, as JSON.
const knownOf = `
pipelines: known: {` + pingStage + `, #input: question: string,
	output: "{number: len(session.conversation), calls: session.conversation[-6:], used: session.used, references: []}"}
tools: known: {description: "What is known.", pipeline: "known"}
gateway: surface: "both"
`

type known struct {
	Number int
	Calls  []struct {
		Tool, Server, Outcome string
		Arguments             map[string]any
		Tokens                int
	}
	Used map[string]int
}

func knownIn(t *testing.T, b service.Backend, session string) (k known, raw string) {
	t.Helper()
	r, err := b.Call(t.Context(), server.Call{Tool: "known", Args: json.RawMessage(`{"question":"?"}`), Session: session, Progress: func(server.Progress) {}})
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(r.Structured, &k); err != nil {
		t.Fatalf("%v: %s", err, r.Structured)
	}
	return k, string(r.Structured)
}

func callIn(t *testing.T, b service.Backend, session, tool, args string) {
	t.Helper()
	_, _ = b.Call(t.Context(), server.Call{Tool: tool, Args: json.RawMessage(args), Session: session, Progress: func(server.Progress) {}})
}

// Calls of our own tools and of upstream ones stand in the conversation once each,
// whichever way they were called.
func TestTheConversationHasEachCallOnce(t *testing.T) {
	b := withLake(t, knownOf)
	callIn(t, b, "a", "lake__echo", `{"n":1}`)
	callIn(t, b, "a", "execute_tool", `{"tool":"lake__echo","arguments":{"n":2}}`)
	callIn(t, b, "a", "execute_tool", `{"tool":"lake__echo","arguments":{"n":"x"}}`)
	callIn(t, b, "a", "execute_tool", `{"tool":"lake__ecko"}`)
	callIn(t, b, "a", "locate_in_codebase", `{"question":"where is the pool?"}`)
	k, _ := knownIn(t, b, "a")
	var got []string
	for _, c := range k.Calls {
		got = append(got, fmt.Sprintf("%s/%s %v %s %v", c.Server, c.Tool, c.Arguments, c.Outcome, c.Tokens > 0))
	}
	want := []string{"lake/lake__echo map[n:1] ok true", "lake/lake__echo map[n:2] ok true", "lake/lake__echo map[n:x] TOOL_VALIDATION_ERROR false",
		"/execute_tool map[tool:lake__ecko] TOOL_NOT_FOUND false", "/locate_in_codebase map[question:where is the pool?] ok true"}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if k.Used["lake__echo"] != 3 || k.Used["locate_in_codebase"] != 1 {
		t.Errorf("used: %v", k.Used)
	}
	if _, other := knownIn(t, b, "b"); strings.Contains(other, "lake__echo") || strings.Contains(other, "where is the pool") {
		t.Errorf("another session sees it: %s", other)
	}
	b.SessionEnded("a")
	if k, raw := knownIn(t, b, "a"); len(k.Calls)+len(k.Used) > 0 {
		t.Errorf("it is over, and still known: %s", raw)
	}
}

// Secrets in arguments are masked, by what they look like and by their names, and
// what a client sends without end stays within the bounds.
func TestTheConversationIsMaskedAndBounded(t *testing.T) {
	b := withLake(t, knownOf)
	secrets := `{"n":1,"password":"Tr0ub4dor&3xyz","text":"token ghp_16C7e42F292c6912E7710c838347Ae178B4a"}`
	callIn(t, b, "a", "lake__echo", secrets)
	callIn(t, b, "a", "locate_in_codebase", `{"question":"where is ghp_16C7e42F292c6912E7710c838347Ae178B4a?","password":"Tr0ub4dor&3xyz"}`)
	_, raw := knownIn(t, b, "a")
	if strings.Contains(raw, "ghp_16C7") || strings.Contains(raw, "Tr0ub4dor") || strings.Count(raw, "REDACTED") < 3 {
		t.Errorf("%s", raw)
	}
	for i := range 200 {
		callIn(t, b, "a", "lake__echo", fmt.Sprintf(`{"n":%d,"text":%q}`, i, strings.Repeat("x", 3000)))
	}
	k, raw := knownIn(t, b, "a")
	if k.Number < 10 || k.Number > 64 || k.Calls[len(k.Calls)-1].Arguments["n"] != 199.0 || len(raw) > 6*1200 {
		t.Errorf("%d calls, of which the last: %s", k.Number, raw)
	}
	if k.Used["lake__echo"] != 201 {
		t.Errorf("used: %v", k.Used)
	}
}
