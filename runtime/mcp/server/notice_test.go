package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// shelf is a backend whose resources can be subscribed to, but for those whose uri begins with "no:".
func shelf(t testing.TB) (*relay, *server.Server, chan server.Forward) {
	t.Helper()
	seen := make(chan server.Forward, 2000)
	b := &relay{offers: everything, ended: make(chan string, 100)}
	b.forward = func(_ context.Context, f server.Forward) (json.RawMessage, error) {
		seen <- f
		if strings.Contains(string(f.Params), `"no:`) {
			return nil, errors.New("no such resource")
		}
		return json.RawMessage(`{}`), nil
	}
	return b, serveRelay(t, b), seen
}

func (b *relay) notify(method, params string) {
	b.tell(server.Notice{Method: "notifications/" + method, Params: json.RawMessage(params)})
}

func (p *pipe) request(method, params string) wire {
	p.t.Helper()
	p.send(eras[0].message("1", method, params, ""))
	return p.next()
}

// bare is a note without params.
func bare(method string) string {
	return `{"jsonrpc":"2.0","method":"notifications/` + method + `"}`
}

func updated(params string) string {
	return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":` + params + `}`
}

// Clients of the handshake era hear of changed lists, and of the resources they subscribed to, of parts of them too.
func TestNotices(t *testing.T) {
	b, s, seen := shelf(t)
	p, other := eras[0].open(t, s), eras[0].open(t, s)
	for _, uri := range []string{"file:///a", "dir:///d/", "gone:x", "no:1"} {
		p.request("resources/subscribe", `"uri":"`+uri+`"`)
	}
	if w := p.request("resources/unsubscribe", `"uri":"gone:x"`); w.Error != nil {
		t.Errorf("got %+v", w.Error)
	}
	session := receive(t, "request", seen).Session
	p.request("logging/setLevel", `"level":"info"`)
	other.request("ping", "") // it has not asked for log notes, and it has been heard to be initialized
	b.notify("resources/list_changed", `{"_meta":{"io.modelcontextprotocol/subscriptionId":3}}`)
	b.notify("resources/updated", `{"uri":"file:///ab"}`)
	b.notify("resources/updated", `{"uri":"gone:x"}`)
	b.notify("resources/updated", `{"uri":"no:1"}`)
	b.notify("resources/updated", `{"uri":"file:///a","title":"A","_meta":{"x":1.0,"io.modelcontextprotocol/subscriptionId":3}}`)
	for _, uri := range []string{"file:///a/b", "file:///a#l1", "dir:///d/e/f"} {
		b.notify("resources/updated", `{"uri":"`+uri+`"}`)
	}
	for _, bad := range []string{``, `{`, `[]`, `{}`, `{"uri":7}`, `{"uri":"file:///a","uri":"x"}`, `{"uri":"file:///a","x":"` + strings.Repeat("x", 70000) + `"}`} {
		b.notify("resources/updated", bad)
	}
	for _, unknown := range []string{"tools/list_changed", "cancelled", "progress", "future"} {
		b.notify(unknown, `{}`)
	}
	b.notify("message", `{"level":"info","logger":"up","data":[1.0]}`)
	b.notify("message", `{"level":"debug","data":"not wanted"}`)
	b.notify("elicitation/complete", `{"elicitationId":"for nobody"}`)
	b.tell(server.Notice{Method: "notifications/elicitation/complete", Params: json.RawMessage(`{"elicitationId":"e"}`), Sessions: []string{session}})
	for _, to := range []string{"another", session} { // of another server, for those who subscribed there
		b.tell(server.Notice{Method: "notifications/resources/updated", Params: json.RawMessage(`{"uri":"file:///a/to","to":"` + to + `"}`), Sessions: []string{to}})
	}
	b.notify("prompts/list_changed", ``)
	for _, want := range []string{bare("resources/list_changed"), updated(`{"uri":"file:///a","title":"A","_meta":{"x":1.0}}`), updated(`{"uri":"file:///a/b"}`),
		updated(`{"uri":"file:///a#l1"}`), updated(`{"uri":"dir:///d/e/f"}`),
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"up","data":[1.0]}}`,
		`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e"}}`, updated(`{"uri":"file:///a/to","to":"` + session + `"}`), bare("prompts/list_changed")} {
		if line := p.line(); line != want {
			t.Errorf("got  %s\nwant %s", line, want)
		}
	}
	for _, want := range []string{bare("resources/list_changed"), bare("prompts/list_changed")} {
		if line := other.line(); line != want {
			t.Errorf("one who subscribed to nothing heard %s", line)
		}
	}
	p.close()
	if got := receive(t, "end", b.ended); got != session {
		t.Errorf("session %s ended, not %s", got, session)
	}
}

// A session over HTTP hears the same on the stream of its GET; what came before the stream waits, once and as it was last.
func TestNoticesWaitForAStream(t *testing.T) {
	b, s, _ := shelf(t)
	w := openWeb(t, s)
	w.login()
	w.post(eras[0].message("1", "resources/subscribe", `"uri":"a:b"`, ""))
	for i := range 5000 {
		b.notify("resources/updated", fmt.Sprintf(`{"uri":"a:b","n":%d}`, i))
		b.notify("prompts/list_changed", "")
		b.notify("resources/updated", fmt.Sprintf(`{"uri":"a:b/%d"}`, i))
	}
	next := eventReader(t, w.do(t.Context(), http.MethodGet, ""))
	for i := range 1024 {
		want := updated(fmt.Sprintf(`{"uri":"a:b/%d"}`, i-2))
		switch i {
		case 0:
			want = updated(`{"uri":"a:b","n":4999}`)
		case 1:
			want = bare("prompts/list_changed")
		}
		if line, _ := next(); line != want {
			t.Fatalf("note %d: %s, want %s", i, line, want)
		}
	}
	b.notify("resources/updated", `{"uri":"a:b"}`) // the bound is of what waits
	if line, _ := next(); line != updated(`{"uri":"a:b"}`) {
		t.Error(line)
	}
}

// In the stateless era a client says what it wants to hear, and each note says which of its subscriptions it is for.
func TestListenToNotices(t *testing.T) {
	b, s, seen := shelf(t)
	p := eras[1].open(t, s)
	listen := func(id, want string) string {
		p.send(eras[1].message(id, "subscriptions/listen", `"notifications":`+want, ""))
		return string(p.next().Params)
	}
	tag := func(id string) string { return `"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}` }
	for _, c := range []struct{ id, want, granted string }{
		{`"r"`, `{"resourceSubscriptions":["a:b","no:1","a:b","c:d/"]}`, `{"resourceSubscriptions":["a:b","c:d/"]}`},
		{`7`, `{"promptsListChanged":true,"toolsListChanged":true}`, `{"toolsListChanged":true,"promptsListChanged":true}`},
		{`8`, `{"resourcesListChanged":true}`, `{"resourcesListChanged":true}`},
	} {
		if got := listen(c.id, c.want); got != `{`+tag(c.id)+`,"notifications":`+c.granted+`}` {
			t.Errorf("granted %s", got)
		}
	}
	b.notify("message", `{"level":"error","data":"not in this era"}`)
	b.notify("resources/updated", `{"uri":"a:c"}`)
	for _, c := range []struct{ method, params, want string }{
		{"prompts/list_changed", ``, `{` + tag("7") + `}`},
		{"resources/list_changed", `{}`, `{` + tag("8") + `}`},
		{"resources/updated", `{"uri":"a:b","_meta":{"io.modelcontextprotocol/subscriptionId":"up","x":1}}`, `{"uri":"a:b","_meta":{"x":1,"io.modelcontextprotocol/subscriptionId":"r"}}`},
		{"resources/updated", `{"uri":"c:d/e"}`, `{"uri":"c:d/e",` + tag(`"r"`) + `}`},
	} {
		b.notify(c.method, c.params)
		if w := p.next(); w.Method != "notifications/"+c.method || string(w.Params) != c.want {
			t.Errorf("%s: got %s %s", c.params, w.Method, w.Params)
		}
	}
	first := receive(t, "request", seen)
	if first.Method != "resources/subscribe" || string(first.Params) != `{"uri":"a:b"}` || first.Session == "" {
		t.Errorf("the backend was asked %+v", first)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"r"}}`)
	if got := receive(t, "end", b.ended); got != first.Session {
		t.Errorf("session %s ended, not %s", got, first.Session)
	}
	b.notify("resources/updated", `{"uri":"a:b"}`)
	b.notify("resources/list_changed", ``)
	if w := p.next(); w.Method != "notifications/resources/list_changed" {
		t.Errorf("a subscription that is over: %+v", w)
	}
}

// The same over HTTP, where hanging up ends the subscription.
func TestListenToNoticesOverHTTP(t *testing.T) {
	b, s, seen := shelf(t)
	w := openWeb(t, s)
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	next := eventReader(t, w.do(ctx, http.MethodPost, eras[1].message("1", "subscriptions/listen", `"notifications":{"resourceSubscriptions":["a:b"]}`, ""), modern("subscriptions/listen", "")...))
	next()
	b.notify("resources/updated", `{"uri":"a:b"}`)
	if line, _ := next(); line != updated(`{"uri":"a:b","_meta":{"io.modelcontextprotocol/subscriptionId":1}}`) {
		t.Error(line)
	}
	hangUp()
	if got := receive(t, "end", b.ended); got != receive(t, "request", seen).Session {
		t.Errorf("session %q ended", got)
	}
}

// What is not offered is not granted, and a backend is asked for no more resources than there is room for.
func TestSubscriptionsAreBounded(t *testing.T) {
	b, s, seen := shelf(t)
	p := eras[0].open(t, s)
	for i := range 1024 {
		p.request("resources/subscribe", fmt.Sprintf(`"uri":"a:%d"`, i))
	}
	for _, params := range []string{`"uri":"a:1024"`, `"uri":""`, `"uri":7`, ``, `"uri":"` + strings.Repeat("x", 9000) + `"`} {
		if w := p.request("resources/subscribe", params); w.Error == nil || w.Error.Code != -32602 {
			t.Errorf("%.40s: got %+v", params, w)
		}
	}
	if w := p.request("resources/subscribe", `"uri":"a:7"`); w.Error != nil {
		t.Errorf("once more: %+v", w.Error)
	}
	p.request("resources/unsubscribe", `"uri":"a:7"`)
	if w := p.request("resources/subscribe", `"uri":"a:1024"`); w.Error != nil {
		t.Errorf("there is room: %+v", w.Error)
	}
	if len(seen) != 1024+3 {
		t.Errorf("%d requests were passed on", len(seen))
	}
	many := `"notifications":{"resourceSubscriptions":["x"` + strings.Repeat(`,"x"`, 1024) + `]}`
	p.send(eras[1].message("2", "subscriptions/listen", many, ""))
	if w := p.next(); w.Error == nil || w.Error.Code != -32602 {
		t.Errorf("got %+v", w)
	}
	b.mu.Lock()
	b.offers = server.Offers{Resources: true}
	b.mu.Unlock()
	b.changed("")
	p.send(eras[1].message("3", "subscriptions/listen", `"notifications":{"resourceSubscriptions":["x"],"promptsListChanged":true,"resourcesListChanged":true}`, ""))
	if w := p.next(); !strings.Contains(string(w.Params), `"notifications":{"resourcesListChanged":true}`) {
		t.Errorf("granted %s", w.Params)
	}
	b.notify("prompts/list_changed", "")
	b.notify("resources/updated", `{"uri":"a:1"}`)
	b.notify("resources/list_changed", "")
	for range 2 { // as a session and as a subscription
		if w := p.next(); w.Method != "notifications/resources/list_changed" {
			t.Errorf("not offered: %+v", w)
		}
	}
}
