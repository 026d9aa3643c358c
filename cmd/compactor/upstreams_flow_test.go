package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// progressOf are the params of the progress notes that came before an answer.
func progressOf(t *testing.T, m spoken) []string {
	t.Helper()
	var out []string
	for _, n := range m.notes {
		if n.Method == "notifications/progress" {
			text, err := json.Marshal(meaning(t, n.Params))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(text))
		}
	}
	return out
}

// sameProgress: all notes come, in order, before the result, under the caller's
// token; and with execute_tool too.
func sameProgress(t *testing.T, direct, through *peer) {
	params := func(name, arguments string) string {
		return fmt.Sprintf(`{"name":%q,"arguments":%s,"_meta":{"progressToken":"tok-7"}}`, name, arguments)
	}
	const arguments = `{"duration":0.2,"steps":8}`
	want := progressOf(t, direct.ask("tools/call", params("trigger-long-running-operation", arguments)))
	got := progressOf(t, through.ask("tools/call", params("everything__trigger-long-running-operation", arguments)))
	if len(want) != 8 || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, not %q", got, want)
	}
	executed := progressOf(t, through.ask("tools/call", params("execute_tool", `{"tool":"everything__trigger-long-running-operation","arguments":`+arguments+`}`)))
	if strings.Join(executed, "\n") != strings.Join(want, "\n") {
		t.Errorf("by execute_tool: %q, not %q", executed, want)
	}
}

// cancelled: the server hears that nobody wants the answer any more.
func cancelled(t *testing.T, through *peer, up upstreamCase) {
	id, answer := through.begin("tools/call", `{"name":"everything__trigger-long-running-operation","arguments":{"duration":40,"steps":7}}`)
	request := sentLine(t, up, "the call", func(line string) bool { return strings.Contains(line, `"steps":7`) })
	through.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"enough"}}`, id))
	var m struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(request), &m); err != nil {
		t.Fatal(err)
	}
	sentLine(t, up, "the cancellation", func(line string) bool {
		return strings.Contains(line, `notifications/cancelled`) && strings.Contains(line, `"requestId":`+string(m.ID))
	})
	select {
	case m := <-answer:
		t.Errorf("a cancelled request was answered: %s%s", m.Result, m.Error)
	default:
	}
	if m := through.call("everything__echo", `{"message":"on"}`); !strings.Contains(string(m.Result), "Echo: on") {
		t.Errorf("the next call gave %s%s", m.Result, m.Error)
	}
}

// sentLine waits for a message to the server.
func sentLine(t *testing.T, up upstreamCase, what string, fits func(string) bool) string {
	t.Helper()
	var found string
	clocktest.Until(t, "the server is sent "+what, func() bool {
		for line := range strings.SplitSeq(up.sent(), "\n") {
			if fits(line) {
				found = line
				return true
			}
		}
		return false
	})
	return found
}

// sameLists compares a list of one server, by what names its items.
func sameLists(t *testing.T, direct, through *peer, method, key, id, prefix string) map[string]json.RawMessage {
	t.Helper()
	want, got := direct.list(method, key, id), through.list(method, key, id)
	if len(want) == 0 || len(got) != len(want) {
		t.Errorf("%s: %v, not %v", method, names(got), names(want))
	}
	for name, raw := range want {
		if prefix != "" {
			raw = named(t, raw, prefix+name)
		}
		if got[prefix+name] == nil || !sameMeaning(t, got[prefix+name], raw) {
			t.Errorf("%s is %s, not %s", prefix+name, got[prefix+name], raw)
		}
	}
	return want
}

// sameAsk compares answers to a request; those that name the time of day are
// asked for again.
func sameAsk(t *testing.T, direct, through *peer, method, params, paramsThrough string) {
	t.Helper()
	var want, got spoken
	for range 3 {
		if want, got = direct.ask(method, params), through.ask(method, paramsThrough); sameAnswer(t, want, got) {
			return
		}
	}
	t.Errorf("%s %s: %s%s, not %s%s", method, params, short(got.Result), got.Error, short(want.Result), want.Error)
}

// sameResources: lists, templates, contents, and what a tool adds while we run.
func sameResources(t *testing.T, direct, through *peer) {
	const made = `{"name":"made.gz","data":"data:text/plain,made","outputType":"resourceLink"}`
	direct.call("gzip-file-as-resource", made)
	through.call("everything__gzip-file-as-resource", made)
	through.heard("resources/list_changed", func(m spoken) bool { return m.Method == "notifications/resources/list_changed" })
	resources := sameLists(t, direct, through, "resources/list", "resources", "uri", "")
	sameLists(t, direct, through, "resources/templates/list", "resourceTemplates", "uriTemplate", "")
	uris := append(names(resources), "demo://resource/dynamic/text/1", "demo://resource/dynamic/blob/2")
	for _, uri := range uris {
		params := fmt.Sprintf(`{"uri":%q}`, uri)
		sameAsk(t, direct, through, "resources/read", params, params)
	}
	none := `{"uri":"demo://resource/dynamic/text/none"}`
	if m := through.ask("resources/read", none); m.Error == nil {
		t.Errorf("%s gave %s", none, m.Result)
	}
	t.Logf("%d resources", len(uris))
}

func samePrompts(t *testing.T, direct, through *peer) {
	prompts := sameLists(t, direct, through, "prompts/list", "prompts", "name", "everything__")
	for name, arguments := range map[string]string{
		"simple-prompt": `{}`, "args-prompt": `{"city":"Paris","state":"TX"}`, "completable-prompt": `{"department":"Engineering","name":"Alice"}`,
		"resource-prompt": `{"resourceType":"Text","resourceId":"3"}`,
	} {
		if prompts[name] == nil {
			t.Errorf("there is no %s", name)
		}
		params := func(name string) string { return fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments) }
		sameAsk(t, direct, through, "prompts/get", params(name), params("everything__"+name))
	}
	wrong := `{"name":"everything__args-prompt","arguments":{}}`
	if m := through.ask("prompts/get", wrong); m.Error == nil {
		t.Errorf("%s gave %s", wrong, m.Result)
	}
}

func sameCompletion(t *testing.T, direct, through *peer) {
	prompt := func(prefix string) string {
		return `{"ref":{"type":"ref/prompt","name":"` + prefix + `completable-prompt"},"argument":{"name":"name","value":"A"},"context":{"arguments":{"department":"Engineering"}}}`
	}
	sameAsk(t, direct, through, "completion/complete", prompt(""), prompt("everything__"))
	template := `{"ref":{"type":"ref/resource","uri":"demo://resource/dynamic/text/{resourceId}"},"argument":{"name":"resourceId","value":"12"}}`
	sameAsk(t, direct, through, "completion/complete", template, template)
	if m := direct.ask("completion/complete", prompt("")); !strings.Contains(string(m.Result), "Alice") {
		t.Errorf("the server completes nothing: %s", m.Result)
	}
}

// subscribed: who subscribed to a resource is told that it changed.
func subscribed(t *testing.T, through *peer) {
	const uri = "demo://resource/dynamic/text/7"
	if m := through.ask("resources/subscribe", `{"uri":"`+uri+`"}`); m.Error != nil {
		t.Fatalf("subscribe: %s", m.Error)
	}
	through.call("everything__toggle-subscriber-updates", `{}`)
	through.heard("resources/updated", func(m spoken) bool {
		return m.Method == "notifications/resources/updated" && string(m.Params) == `{"uri":"`+uri+`"}`
	})
	through.call("everything__toggle-subscriber-updates", `{}`)
	if m := through.ask("resources/unsubscribe", `{"uri":"`+uri+`"}`); m.Error != nil {
		t.Errorf("unsubscribe: %s", m.Error)
	}
}

// logged: log lines of a call come before its result.
func logged(t *testing.T, through *peer) {
	through.ask("logging/setLevel", `{"level":"debug"}`)
	m := through.call("everything__toggle-simulated-logging", `{}`)
	through.call("everything__toggle-simulated-logging", `{}`)
	for _, n := range m.notes {
		if n.Method == "notifications/message" && strings.Contains(string(n.Params), "level") && strings.Contains(string(n.Params), "message") {
			return
		}
	}
	t.Errorf("no log line came with the call: %v", m.notes)
}

// What a server asks of the client passes only where it is allowed, and then
// unchanged.
func TestWhatAServerMayAsk(t *testing.T) {
	const can = `{"sampling":{},"elicitation":{},"roots":{"listChanged":true}}`
	answers := map[string]string{
		"sampling/createMessage": `{"model":"m-1","role":"assistant","content":{"type":"text","text":"forty-two"},"stopReason":"endTurn"}`,
		"elicitation/create":     `{"action":"accept","content":{"name":"Ada","check":true,"integer":7}}`,
		"roots/list":             `{"roots":[{"uri":"file:///home/ada/src","name":"src"}]}`,
	}
	calls := [][2]string{{"trigger-sampling-request", `{"prompt":"why?","maxTokens":50}`}, {"trigger-elicitation-request", `{}`}, {"get-roots-list", `{}`}}
	for _, transport := range []string{"stdio", "http", "sse"} {
		t.Run(transport, func(t *testing.T) {
			t.Run("not allowed", func(t *testing.T) {
				through := front(t, proxied+"everything: {"+everything(t, transport).cue+"}", can, answers)
				sameDefinitions(t, dial(t, `{}`, nil, nil, npmServer(t, "everything"), "stdio"), through, "everything")
				for _, c := range calls {
					if m := through.call("everything__"+c[0], c[1]); m.Error == nil && !strings.Contains(string(m.Result), `"isError":true`) {
						t.Errorf("%s gave %s", c[0], m.Result)
					}
				}
				if len(through.asked) > 0 {
					t.Errorf("the client was asked: %v", through.asked)
				}
			})
			t.Run("allowed", func(t *testing.T) {
				direct := dial(t, can, answers, nil, npmServer(t, "everything"), "stdio")
				through := front(t, proxied+`everything: {allow: ["sampling", "elicitation", "roots"], `+everything(t, transport).cue+"}", can, answers)
				sameDefinitions(t, direct, through, "everything")
				sameResults(t, direct, through, "everything", calls)
				for _, c := range calls[:2] {
					sameQuestion(t, direct, through, c)
				}
			})
		})
	}
}

// sameQuestion compares what the client is asked during a call.
func sameQuestion(t *testing.T, direct, through *peer, c [2]string) {
	t.Helper()
	last := func(p *peer, tool string) spoken {
		p.call(tool, c[1])
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.asked) == 0 {
			t.Fatalf("%s asked nothing", tool)
		}
		return p.asked[len(p.asked)-1]
	}
	want, got := last(direct, c[0]), last(through, "everything__"+c[0])
	if want.Method != got.Method || !sameMeaning(t, want.Params, got.Params) {
		t.Errorf("%s: asked %s %s, not %s %s", c[0], got.Method, got.Params, want.Method, want.Params)
	}
}
