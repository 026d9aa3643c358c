package service_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// readerOf is a fleet with one tool whose results are as long as asked for.
func readerOf(t *testing.T) *fleet {
	return newFleet(t, map[string]string{"logs": `{"name":"read","description":"Read a log.","inputSchema":{"type":"object","properties":{"lines":{"type":"integer"}}}}`})
}

func texts(t *testing.T, raw json.RawMessage) []string {
	t.Helper()
	var r struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range r.Content {
		out = append(out, c.Text)
	}
	return out
}

// A result over the bound comes page by page, by the five tools and by its own
// name, to the session that asked and to no other.
func TestLongResultsComeByPage(t *testing.T) {
	for _, c := range []struct{ surface, call string }{
		{"discovery", `{"name":"execute_tool","arguments":{"tool":"logs__read","arguments":{"lines":2000}}}`},
		{"proxy", `{"name":"logs__read","arguments":{"lines":2000}}`},
	} {
		t.Run(c.surface, func(t *testing.T) {
			svc := readerOf(t).behind(t, fmt.Sprintf("gateway: {surface: %q, result: 2000}", c.surface))
			client := newFace(t, svc)
			first := texts(t, client.ask("tools/call", c.call))
			if len(first) != 2 || tokens.Count(first[0]+first[1]) > 2000 {
				t.Fatalf("%d texts, %d tokens", len(first), tokens.Count(strings.Join(first, "")))
			}
			whole := first[0]
			for note, n := first[1], 0; n < 50; n++ {
				_, call, more := strings.Cut(strings.TrimSuffix(note, "]"), "Next: fetch_result ")
				if !more {
					break
				}
				page := texts(t, client.ask("tools/call", `{"name":"fetch_result","arguments":`+call+`}`))
				whole, note = whole+page[0], page[1]
			}
			if strings.Count(whole, "\n") != 2000 || !strings.HasSuffix(whole, "1999 is a line of a long result") {
				t.Errorf("the pages hold %d lines", strings.Count(whole, "\n"))
			}
			_, call, _ := strings.Cut(strings.TrimSuffix(first[1], "]"), "Next: fetch_result ")
			other := newFace(t, svc).ask("tools/call", `{"name":"fetch_result","arguments":`+call+`}`)
			if text := strings.Join(texts(t, other), ""); !strings.Contains(text, "RESULT_NOT_FOUND") || strings.Contains(text, "is a line") {
				t.Errorf("another session reads %.200s", text)
			}
		})
	}
}

// What nobody reads for gateway.result_time is gone, which is said with the time and the
// way to it, whether it was cut or made short.
func TestLongResultsAreKeptForATime(t *testing.T) {
	for name, cue := range map[string]string{"cut": `result: 2000`, "summarized": `result: 8000}
servers: logs: {summarization: {}`} {
		t.Run(name, func(t *testing.T) {
			svc := readerOf(t).behind(t, `gateway: {result_time: "60ms", `+cue+`}`)
			client := newFace(t, svc)
			said := strings.Join(texts(t, client.ask("tools/call", `{"name":"execute_tool","arguments":{"tool":"logs__read","arguments":{"lines":2000}}}`)), "\n")
			m := regexp.MustCompile(`fetch_result \{"id":"([a-z2-7]+)`).FindStringSubmatch(said)
			if m == nil {
				t.Fatalf("%.600s", said)
			}
			clocktest.Until(t, "its time is over", func() bool {
				_, kept := service.DashboardSource{Service: svc}.Kept(m[1])
				return !kept
			})
			for _, how := range []string{``, `,"page":2`, `,"query":"1999"`, `,"range":"last 40"`} {
				got := strings.Join(texts(t, client.ask("tools/call", `{"name":"fetch_result","arguments":{"id":"`+m[1]+`"`+how+`}}`)), "\n")
				if !strings.Contains(got, "RESULT_") || !strings.Contains(got, "60ms") || !strings.Contains(got, "gain") || strings.Contains(got, "is a line") {
					t.Errorf("%s: %s", how, got)
				}
			}
		})
	}
}

// What was cut is looked into without reading it page by page: by lines, words and
// JSON path, as small models write them, and within the same bound.
func TestCutResultsAreLookedInto(t *testing.T) {
	svc := readerOf(t).behind(t, "gateway: result: 2000")
	client := newFace(t, svc)
	first := texts(t, client.ask("tools/call", `{"name":"execute_tool","arguments":{"tool":"logs__read","arguments":{"lines":2000}}}`))
	_, call, _ := strings.Cut(strings.TrimSuffix(first[1], "]"), "Next: fetch_result ")
	var next struct{ ID string }
	if err := json.Unmarshal([]byte(call), &next); err != nil {
		t.Fatal(err)
	}
	id, _, _ := strings.Cut(next.ID, "-")
	for _, c := range []struct{ arguments, want, note string }{
		{`"id":"` + id + `","range":"lines 1201-1202"`, "1199 is a line of a long result\n1200 is a line of a long result\n", "[compactor: lines 1201-1202 of 2001. Next: fetch_result {\"id\":\"" + id + "\",\"range\":\"1203-1204\"}]"},
		{`"id":"id=` + id + `","range":7,"page":1,"query":"","path":""`, "5 is a line of a long result\n", "lines 7-7 of 2001"},
		{`"id":"` + id + `","query":"1999"`, "1999- 1997 is a line of a long result\n2000- 1998 is a line of a long result\n2001: 1999 is a line of a long result\n", "1 line that matches"},
		{`"id":"` + id + `","query":"1999","path":"a"`, "TOOL_VALIDATION_ERROR", ""},
		{`"id":"` + id + `","range":"all of it"`, "lines 120-180", ""},
		{`"id":"` + id + `","path":"items[0]"`, "no JSON", ""},
		{`"id":"` + id + `","page":"2"`, " is a line of a long result", "page 2 of "},
	} {
		got := texts(t, client.ask("tools/call", `{"name":"fetch_result","arguments":{`+c.arguments+`}}`))
		if !strings.Contains(got[0], c.want) || !strings.Contains(strings.Join(got[1:], ""), c.note) {
			t.Errorf("%s: %.600q", c.arguments, got)
		}
	}
	all := texts(t, client.ask("tools/call", `{"name":"fetch_result","arguments":{"id":"`+id+`","query":"line of result"}}`))
	if n := tokens.Count(strings.Join(all, "")); n > 2000 || n < 1000 {
		t.Errorf("a query gives %d tokens", n)
	}
	other := texts(t, newFace(t, svc).ask("tools/call", `{"name":"fetch_result","arguments":{"id":"`+id+`","query":"1999"}}`))
	unknown := texts(t, client.ask("tools/call", `{"name":"fetch_result","arguments":{"id":"aaaaaaaa","query":"1999"}}`))
	if got, want := strings.ReplaceAll(strings.Join(other, ""), id, "ID"), strings.ReplaceAll(strings.Join(unknown, ""), "aaaaaaaa", "ID"); got != want {
		t.Errorf("another session reads %s, for an unknown id it reads %s", got, want)
	}
}

// Of a summarized result the original is read, and what is read of it is bounded and
// never made short in its turn.
func TestSummarizedResultsAreLookedInto(t *testing.T) {
	svc := readerOf(t).behind(t, "gateway: result: 4000\nservers: logs: summarization: {size_threshold_tokens: 200, summary_max_token_limit: 150}")
	client := newFace(t, svc)
	got := readSummarized(t, client.ask("tools/call", `{"name":"execute_tool","arguments":{"tool":"logs__read","arguments":{"lines":2000}}}`))
	if got.Summarized == nil || got.Summarized.ID == "" {
		t.Fatalf("%+v", got)
	}
	for arguments, least := range map[string]int{`"range":"1-2000"`: 3000, `"query":"line of result"`: 3000, `"page":3`: 3000, `"query":"1234"`: 20} {
		answer := client.ask("tools/call", `{"name":"fetch_result","arguments":{"id":"`+got.Summarized.ID+`",`+arguments+`}}`)
		all := texts(t, answer)
		if n := tokens.Count(strings.Join(all, "")); n < least || n > 4000 || strings.Contains(string(answer), "_summarized") || strings.Contains(string(answer), "shortened") {
			t.Errorf("%s: %d tokens: %.300s", arguments, n, answer)
		}
	}
}

// Without a tool that reads pages, no hint names one.
func TestAHintNamesOnlyWhatIsThere(t *testing.T) {
	svc := readerOf(t).behind(t, "gateway: result: 2000\ntools: fetch_result: enabled: false")
	got := texts(t, newFace(t, svc).ask("tools/call", `{"name":"execute_tool","arguments":{"tool":"logs__read","arguments":{"lines":2000}}}`))
	if len(got) != 2 || strings.Contains(got[1], "fetch_result") || !strings.Contains(got[1], "not kept") {
		t.Errorf("%.200q", got)
	}
}

// menu.only leaves groups of tools out of the menu, and of what the client is told.
func TestMenuOfTheGatewayAlone(t *testing.T) {
	svc := readerOf(t).behind(t, `menu: only: ["gateway"]`)
	client := newFace(t, svc)
	var list struct{ Tools []struct{ Name string } }
	raw := client.ask("tools/list", "{}")
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "execute_tool fetch_result get_tool_details list_servers list_tools search_tools" {
		t.Errorf("listed: %s", got)
	}
	if n := tokens.Count(string(raw)); n > maxMenuTokens+50 { // the sixth reads results that were cut
		t.Errorf("the whole menu has %d tokens", n)
	} else {
		t.Logf("the whole menu has %d tokens", n)
	}
	said := client.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	if strings.Contains(string(said), "research_codebase") || !strings.Contains(string(said), "search_tools") {
		t.Errorf("instructions: %s", said)
	}
}

// Output schemas are most of the menu, and few clients use them.
func TestOutputSchemasGoToClientsThatUseThem(t *testing.T) {
	for _, c := range []struct {
		more, client string
		want         bool
	}{
		{"", "lm-studio", false},
		{"", "mcp-inspector", true},
		{"", "some/Inspector-v2", true},
		{`menu: output_schemas: ["LM-*"]`, "lm-studio", true},
		{`menu: output_schemas: ["*"]`, "", true},
		{`menu: output_schemas: []`, "mcp", false},
	} {
		svc := start(t, options(t, map[string]string{"compactor.cue": "package compactor\n" + c.more}))
		client := newFace(t, svc)
		client.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"`+c.client+`","version":"1"}}`)
		list := string(client.ask("tools/list", "{}"))
		modern := string(client.ask("tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"`+c.client+`","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`))
		for era, text := range map[string]string{"handshake": list, "stateless": modern} {
			if got := strings.Contains(text, "outputSchema"); got != c.want {
				t.Errorf("%s to client %q, %s: output schemas %v", c.more, c.client, era, got)
			}
		}
	}
}
