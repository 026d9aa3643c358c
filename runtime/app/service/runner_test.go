package service_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// manyIssues are n tools that all fit one search.
func manyIssues(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"name":"create_issue_%d","description":"Create an issue.","inputSchema":{"type":"object","properties":{"title":{"type":"string"}}}}`, i))
	}
	return strings.Join(list, ",")
}

// A search gives five where nobody says how many, through the face that clients see.
func TestASearchGivesFive(t *testing.T) {
	face := newFace(t, newFleet(t, map[string]string{"github": manyIssues(12)}).behind(t, ""))
	for limit, want := range map[string]int{``: 5, `,"limit":null`: 5, `,"limit":7`: 7, `,"limit":2`: 2} {
		var res struct {
			Structured struct{ Tools []json.RawMessage } `json:"structuredContent"`
		}
		raw := face.ask("tools/call", `{"name":"search_tools","arguments":{"query":"create an issue"`+limit+`}}`)
		if err := json.Unmarshal(raw, &res); err != nil || len(res.Structured.Tools) != want {
			t.Errorf("limit %q: %d tools, want %d: %s", limit, len(res.Structured.Tools), want, raw)
		}
	}
}

// A model that calls an upstream tool by its name, as it would elsewhere, is told
// the call that works.
func TestACallOfWhatIsNotListedSaysHow(t *testing.T) {
	const asks = `servers: github: trust: "ask"`
	for name, c := range map[string]struct {
		more, call string
		want       []string
		not        string
	}{
		"listed name":        {"", `{"name":"github__create_issue_1","arguments":{"title":"a b"}}`, []string{"TOOL_NOT_FOUND", `call execute_tool with {"tool":"github__create_issue_1","arguments":{"title":"a b"}}`}, ""},
		"own name":           {"", `{"name":"create_issue_1"}`, []string{`call execute_tool with {"tool":"github__create_issue_1","arguments":…}`}, ""},
		"a long call":        {"", `{"name":"create_issue_1","arguments":{"title":"` + strings.Repeat("x ", 900) + `"}}`, []string{`"arguments":…}`}, "x x x"},
		"a secret":           {"", `{"name":"create_issue_1","arguments":{"title":"ghp_x7Kq2LmZ9vRt4WbYc1NdPf8HjGs5QaEu3oTi"}}`, []string{`"arguments":…}`}, "x7Kq2LmZ9v"},
		"misspelt":           {"", `{"name":"github__creat_isue_1","arguments":{}}`, []string{"did you mean github__create_issue_"}, "create_issue_3,"},
		"waiting":            {asks, `{"name":"github__create_issue_1","arguments":{}}`, []string{"cannot be run", "compactor tools approve github__create_issue_1"}, "execute_tool with"},
		"waiting, in a list": {asks + "\ngateway: surface: \"proxy\"", `{"name":"github__create_issue_1","arguments":{}}`, []string{"compactor tools approve github__create_issue_1"}, "execute_tool"},
		"another name": {`tools: execute_tool: enabled: false
			tools: run: {description: "Run.", surface: "discovery", pipeline: "execute_tool", #input: {which: string, with?: {[string]: _}, [string]: _}}`,
			`{"name":"github__create_issue_1","arguments":{"title":"a"}}`, []string{`call run with {"which":"github__create_issue_1","with":{"title":"a"}}`}, "execute_tool"},
	} {
		t.Run(name, func(t *testing.T) {
			svc := newFleet(t, map[string]string{"github": manyIssues(200)}).behind(t, c.more)
			var res struct {
				Content []struct{ Text string }
				IsError bool
			}
			raw := newFace(t, svc).ask("tools/call", c.call)
			if err := json.Unmarshal(raw, &res); err != nil || !res.IsError || len(res.Content) != 1 {
				t.Fatalf("%v: %s", err, raw)
			}
			text := res.Content[0].Text
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("%s\nlacks %s", text, want)
				}
			}
			if c.not != "" && strings.Contains(text, c.not) || len(text) > 1200 {
				t.Errorf("%s\nhas %s", text, c.not)
			}
		})
	}
}

// A tool that is not on the menu is none that runs another.
func TestNoToolIsNamedThatAClientDoesNotSee(t *testing.T) {
	face := newFace(t, newFleet(t, map[string]string{"github": manyIssues(3)}).behind(t, `menu: only: ["research"]`))
	if err := face.refused("tools/call", `{"name":"github__create_issue_1","arguments":{}}`); strings.Contains(err, "execute_tool") {
		t.Error(err)
	}
}

// A name that means nothing names the nearest few of a long list.
func TestAnUnknownNameGivesAShortError(t *testing.T) {
	for more, want := range map[string]string{"": "search_tools", "gateway: surface: \"proxy\"": " more"} {
		face := newFace(t, newFleet(t, map[string]string{"github": manyIssues(150)}).behind(t, more))
		err := face.refused("tools/call", `{"name":"github_issue_make","arguments":{}}`)
		if len(err) > 600 || !strings.Contains(err, "unknown tool") || !strings.Contains(err, want) {
			t.Errorf("%q: %d bytes: %s", more, len(err), err)
		}
	}
}

// What the configuration gives as examples of a tool is shown with its schema.
func TestDetailsShowExamples(t *testing.T) {
	f := newFleet(t, map[string]string{"github": manyIssues(1)})
	svc := f.behind(t, `servers: github: tools: create_issue_0: examples: [{title: "Crash at start"}, {title: "x", labels: ["bug"]}]`)
	raw := newFace(t, svc).ask("tools/call", `{"name":"get_tool_details","arguments":{"tool":"create_issue_0"}}`)
	if want := `\"examples\":[{\"title\":\"Crash at start\"},{\"labels\":[\"bug\"],\"title\":\"x\"}]`; !strings.Contains(string(raw), want) {
		t.Errorf("%s\nlacks %s", raw, want)
	}
}
