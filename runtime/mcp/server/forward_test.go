package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

var everything = server.Offers{Resources: true, ResourceSubscribe: true, Prompts: true, Completions: true}

// Only what is offered is announced, in both eras, and a change is seen by those who come after it.
func TestOffersAreAnnounced(t *testing.T) {
	for _, c := range []struct {
		offers server.Offers
		want   string
	}{
		{server.Offers{}, `{"logging":{},"tools":{"listChanged":true}}`},
		{server.Offers{Resources: true}, `{"logging":{},"resources":{"listChanged":true},"tools":{"listChanged":true}}`},
		{server.Offers{ResourceSubscribe: true}, `{"logging":{},"tools":{"listChanged":true}}`},
		{everything, `{"logging":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true},"completions":{}}`},
	} {
		b := &relay{tools: []server.Tool{loose("t")}}
		s := serveRelay(t, b)
		b.mu.Lock()
		b.offers = c.offers
		b.mu.Unlock()
		b.changed("")
		p := dial(t, s)
		p.send(initialize)
		if line := p.line(); !strings.Contains(line, `"capabilities":`+c.want+`,`) {
			t.Errorf("initialize: %s", line)
		}
		p.send(eras[1].message("1", "server/discover", "", ""))
		if line := p.line(); !strings.Contains(line, `"capabilities":`+c.want) {
			t.Errorf("discover: %s", line)
		}
	}
}

// forwardable are requests that a backend may answer, with what the stateless era adds to their results.
var forwardable = []struct{ method, params, hints string }{
	{"resources/list", `"cursor":"c"`, `"ttlMs":60000,"cacheScope":"private",`},
	{"resources/templates/list", ``, `"ttlMs":60000,"cacheScope":"private",`},
	{"resources/read", `"uri":"a:b"`, `"ttlMs":0,"cacheScope":"private",`},
	{"prompts/list", ``, `"ttlMs":60000,"cacheScope":"private",`},
	{"prompts/get", `"name":"p","arguments":{"n":1.0}`, ``},
	{"completion/complete", `"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"}`, ``},
	{"resources/subscribe", `"uri":"a:b"`, ``},
	{"resources/unsubscribe", `"uri":"a:b"`, ``},
}

// A request reaches the backend whole and its result the client, with what the client's era wants.
func TestForward(t *testing.T) {
	seen := make(chan server.Forward, 1)
	b := &relay{offers: everything, forward: func(_ context.Context, f server.Forward) (json.RawMessage, error) {
		seen <- f
		f.Note("notifications/progress", json.RawMessage(`{"progress":1}`))
		return json.RawMessage(`{"future":[1.0],"method":"` + f.Method + `"}`), nil
	}}
	s := serveRelay(t, b)
	for _, era := range eras {
		p := era.open(t, s)
		for _, c := range forwardable {
			p.send(era.message("1", c.method, c.params, `"progressToken":7,"x":1.0`))
			if era.modern && strings.HasSuffix(c.method, "scribe") {
				if w := p.next(); w.Error == nil || w.Error.Code != -32601 {
					t.Errorf("%s of the other era: %+v", c.method, w)
				}
				continue
			}
			if w := p.next(); string(w.Params) != `{"progress":1,"progressToken":7}` {
				t.Errorf("%s: no note: %+v", c.method, w)
			}
			want := `{"jsonrpc":"2.0","id":1,"result":{"future":[1.0],"method":"` + c.method + `"}}`
			if era.modern {
				want = strings.Replace(want, `"}}`, `",`+c.hints+`"resultType":"complete","_meta":{`+relayInfo+`}}}`, 1)
			}
			if line := p.line(); line != want {
				t.Errorf("%s:\ngot  %s\nwant %s", era.name, line, want)
			}
			f := receive(t, "request", seen)
			if f.Method != c.method || !strings.Contains(string(f.Params), c.params) || !strings.Contains(string(f.Params), `"x":1.0`) {
				t.Errorf("%s: passed on as %s %s", era.name, f.Method, f.Params)
			}
			if f.Session == "" || f.Client.Name != "raw" || (f.LogLevel == "info") == era.modern {
				t.Errorf("%s: %+v", era.name, f)
			}
		}
	}
}

// Hints that another server gave stay; those of the other era go.
func TestForwardedHints(t *testing.T) {
	b := &relay{offers: everything, forward: func(context.Context, server.Forward) (json.RawMessage, error) {
		return json.RawMessage(`{"resources":[],"ttlMs":5,"cacheScope":"public","resultType":"complete","_meta":{` + relayInfo + `}}`), nil
	}}
	s := serveRelay(t, b)
	for i, want := range []string{`{"resources":[],"_meta":{` + relayInfo + `}}`, `{"resources":[],"ttlMs":5,"cacheScope":"private","resultType":"complete","_meta":{` + relayInfo + `}}`} {
		p := eras[i].open(t, s)
		p.send(eras[i].message("1", "resources/list", "", ""))
		if line := p.line(); line != `{"jsonrpc":"2.0","id":1,"result":`+want+`}` {
			t.Errorf("%s: %s", eras[i].name, line)
		}
	}
}

// Whatever goes wrong with a request, its client gets an error in words and the server serves on.
func TestForwardFails(t *testing.T) {
	var result string
	var failure error
	b := &relay{offers: everything, forward: func(context.Context, server.Forward) (json.RawMessage, error) {
		if result == "panic" {
			panic("password=hunter2")
		}
		return json.RawMessage(result), failure
	}}
	s := serveRelay(t, b)
	internal := `{"code":-32603,"message":"INTERNAL_ERROR: internal error in prompts/get; try other arguments; the server's log has the details","data":{"compactor/error":{"code":"INTERNAL_ERROR"}}}`
	for _, c := range []struct {
		params, result string
		err            error
		want           string
	}{
		{`"name":"p"`, "", rpcErr{-32602, "no such prompt", `{"a":1}`}, `{"code":-32602,"message":"no such prompt","data":{"a":1}}`},
		{`"name":"p"`, "", errCoded{"the server\nis down", "UPSTREAM_DOWN", "start it"}, `{"code":-32603,"message":"UPSTREAM_DOWN: the server is down; start it","data":{"compactor/error":{"code":"UPSTREAM_DOWN"}}}`},
		{`"name":"p"`, "", errAbout{errCoded{"it is down", "UPSTREAM_DOWN", ""}}, `{"code":-32603,"message":"UPSTREAM_DOWN: it is down","data":{"compactor/error":{"code":"UPSTREAM_DOWN","details":{"n":1},"server":"lake","tool":"depth"}}}`},
		{`"name":"p"`, "", badError{}, internal}, {`"name":"p"`, "panic", nil, internal},
		{`"name":"p"`, "", nil, internal}, {`"name":"p"`, "[]", nil, internal}, {`"name":"p"`, `{"a":1,"a":2}`, nil, internal},
		{`"name":"p","arguments":{"a":1,"a":2}`, "{}", nil, `{"code":-32602,"message":"params: arguments.a is given twice"}`},
	} {
		result, failure = c.result, c.err
		for _, era := range eras {
			p := era.open(t, s)
			p.send(era.message("1", "prompts/get", c.params, ""))
			if line := p.line(); line != `{"jsonrpc":"2.0","id":1,"error":`+c.want+`}` {
				t.Errorf("%s %s %v: %s", c.params, c.result, c.err, line)
			}
			p.close()
		}
	}
	result, failure = `{"resultType":"input_required","inputRequests":{}}`, nil
	p := eras[0].open(t, s)
	p.send(eras[0].message("1", "prompts/get", `"name":"p"`, ""))
	if w := p.next(); w.Error == nil || !strings.Contains(w.Error.Message, "more input is wanted") {
		t.Errorf("got %+v", w)
	}
}

// What is not offered is refused without asking the backend, as by a server that has no such things.
func TestNotOffered(t *testing.T) {
	b := &relay{offers: server.Offers{Resources: true}, forward: func(_ context.Context, f server.Forward) (json.RawMessage, error) {
		if !strings.HasPrefix(f.Method, "resources/") || strings.HasSuffix(f.Method, "scribe") {
			t.Errorf("%s was passed on", f.Method)
		}
		return json.RawMessage(`{}`), nil
	}}
	s := serveRelay(t, b)
	for _, era := range eras {
		p := era.open(t, s)
		for i, c := range forwardable {
			p.send(era.message("1", c.method, c.params, ""))
			if w := p.next(); (w.Error == nil) != (i < 3) || w.Error != nil && w.Error.Code != -32601 {
				t.Errorf("%s, %s: %+v", era.name, c.method, w)
			}
		}
	}
}

// A client that gives up ends what it asked for: by a note, or by hanging up where there are no sessions. Until then other
// requests are served.
func TestForwardIsCancelled(t *testing.T) {
	started, ended := make(chan bool, 1), make(chan error, 1)
	b := &relay{offers: everything, forward: func(ctx context.Context, f server.Forward) (json.RawMessage, error) {
		started <- true
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	}}
	s := serveRelay(t, b)
	for _, era := range eras {
		p := era.open(t, s)
		p.send(era.message("1", "resources/read", `"uri":"a:b"`, ""))
		receive(t, "start", started)
		p.send(era.message("2", "tools/list", "", ""))
		if w := p.next(); string(w.ID) != "2" {
			t.Errorf("got %+v", w)
		}
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		if err := receive(t, "end", ended); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		p.send(era.message("3", "tools/list", "", ""))
		if w := p.next(); string(w.ID) != "3" {
			t.Errorf("a cancelled request was answered: %+v", w)
		}
	}
	w := openWeb(t, s)
	ctx, hangUp := context.WithCancel(t.Context())
	go func() { receive(t, "start", started); hangUp() }()
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, w.url, strings.NewReader(eras[1].message("1", "resources/read", `"uri":"a:b"`, "")))
	req.Header = http.Header{"Content-Type": {"application/json"}, "Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"resources/read"}, "Mcp-Name": {"a:b"}}
	if res, err := w.client.Do(req); err == nil {
		res.Body.Close()
		t.Error("answered")
	}
	if err := receive(t, "end", ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A server that stops says so to those who wait.
func TestForwardEndsWithTheServer(t *testing.T) {
	started := make(chan bool, 1)
	b := &relay{offers: everything, forward: func(ctx context.Context, f server.Forward) (json.RawMessage, error) {
		started <- true
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	p := eras[0].open(t, serveRelay(t, b))
	p.send(eras[0].message("1", "prompts/list", "", ""))
	receive(t, "start", started)
	p.stop()
	if w := p.next(); w.Error == nil || !strings.HasPrefix(w.Error.Message, "SERVER_STOPPING: ") {
		t.Errorf("got %+v", w)
	}
}
