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

// Notes of another server pass with all they hold, under the client's own token, in order and before the answer.
func TestRawNotes(t *testing.T) {
	s := relayCall(t, func(_ context.Context, c server.Call) (server.Reply, error) {
		for _, n := range [][2]string{
			{"notifications/progress", `{"progressToken":"up-1","progress":9007199254740993,"total":1.0e3,"message":"a\nb","_meta":{"x":1}}`},
			{"notifications/message", "{\"level\":\"warning\",\n\"logger\":\"up\",\"data\":{\"n\":1.50}}"},
			{"notifications/message", `{"level":"info","data":"below what is wanted"}`},
			{"notifications/message", `{"level":"loud","data":1}`}, {"notifications/message", `{"data":1}`}, {"notifications/message", `[]`},
			{"notifications/progress", `{"progress":"1"}`}, {"notifications/progress", `{"progress":1,"progress":2}`}, {"notifications/progress", `{`}, {"notifications/progress", ``},
			{"notifications/cancelled", `{"requestId":1}`}, {"tools/call", `{}`},
			{"notifications/progress", `{"progress":2}`},
		} {
			c.Note(n[0], json.RawMessage(n[1]))
		}
		return server.Reply{Text: c.LogLevel}, nil
	})
	want := []string{
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":9007199254740993,"total":1.0e3,"message":"a\nb","_meta":{"x":1}}}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"up","data":{"n":1.50}}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":2,"progressToken":7}}`,
	}
	for _, era := range eras {
		p := era.open(t, s)
		meta := `"progressToken":7`
		if era.modern {
			meta += `,"io.modelcontextprotocol/logLevel":"warning"`
		} else {
			p.send(`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"warning"}}`)
			p.next()
		}
		p.send(era.message("1", "tools/call", `"name":"t"`, meta))
		for _, line := range want {
			if got := p.line(); got != line {
				t.Errorf("%s:\ngot  %s\nwant %s", era.name, got, line)
			}
		}
		if w := p.next(); textOf(t, w.Result) != "warning" {
			t.Errorf("%s: %+v", era.name, w)
		}
	}
	p := eras[1].open(t, s) // neither progress nor a log was asked for
	p.send(eras[1].message("1", "tools/call", `"name":"t"`, ""))
	if w := p.next(); w.Method != "" {
		t.Errorf("unasked: %+v", w)
	}
}

// asks sends a request to the client for each call: the method is its argument m, the params its argument p.
func asks(ctx context.Context, c server.Call) (server.Reply, error) {
	if c.Ask == nil {
		return server.Reply{Text: "nobody"}, nil
	}
	var in struct {
		M string
		P json.RawMessage
	}
	if err := json.Unmarshal(c.Args, &in); err != nil {
		return server.Reply{}, err
	}
	result, err := c.Ask(ctx, in.M, in.P)
	var no *server.AskError
	if errors.As(err, &no) {
		return server.Reply{Text: fmt.Sprintf("no %d %s %s", no.RPCCode(), no.Message, no.Data)}, nil
	}
	if err != nil {
		return server.Reply{Text: "error: " + err.Error()}, nil
	}
	return server.Reply{Text: string(result)}, nil
}

func declare(caps string) string {
	return strings.Replace(initialize, `"capabilities":{}`, `"capabilities":`+caps, 1)
}

// dialDeclared opens a connection of a client with these capabilities.
func dialDeclared(t *testing.T, s *server.Server, caps string) *pipe {
	t.Helper()
	p := dial(t, s)
	p.send(declare(caps))
	p.next()
	p.send(initialized)
	return p
}

func askCall(id, method, params string) string {
	return eras[0].message(id, "tools/call", callParams("t", `{"m":"`+method+`","p":`+params+`}`), "")
}

// Requests of another server pass with all they hold, and so do the client's results and refusals.
func TestRawAsks(t *testing.T) {
	s := relayCall(t, asks)
	p := dialDeclared(t, s, `{"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true}}`)
	for _, c := range []struct{ method, params, sent, response, want string }{
		{"elicitation/create", `{"mode":"form","requestedSchema":{"properties":{"n":{"maximum":9007199254740993}}}}`, `{"mode":"form","requestedSchema":{"properties":{"n":{"maximum":9007199254740993}}}}`,
			`"result":{"action":"accept","content":{"n":1.0},"_meta":{}}`, `{"action":"accept","content":{"n":1.0},"_meta":{}}`},
		{"elicitation/create", `{"mode":"url","url":"https://a.test"}`, `{"mode":"url","url":"https://a.test"}`, `"result":{"action":"decline"}`, `{"action":"decline"}`},
		{"sampling/createMessage", `{"messages":[],"maxTokens":1,"tools":[]}`, `{"messages":[],"maxTokens":1,"tools":[]}`, `"error":{"code":-1,"message":"no\nthanks","data":{"a":1.0}}`, `no -1 no thanks {"a":1.0}`},
		{"roots/list", `{}`, `{}`, `"result":{"roots":[]}`, `{"roots":[]}`},
		{"roots/list", `{}`, `{}`, `"result":[]`, "error: the client's response to roots/list cannot be read: the result is not an object"},
		{"roots/list", `{}`, `{}`, `"error":[]`, "error: the client's response to roots/list cannot be read: malformed error object"},
	} {
		p.send(askCall("1", c.method, c.params))
		w := p.next()
		if w.Method != c.method || string(w.Params) != c.sent {
			t.Fatalf("asked %+v", w)
		}
		p.send(`{"jsonrpc":"2.0","id":` + string(w.ID) + `,` + c.response + `}`)
		if w := p.next(); textOf(t, w.Result) != c.want {
			t.Errorf("%s: got %s", c.response, w.Result)
		}
	}
}

// A client is asked nothing that it did not declare.
func TestAsksNeedTheirCapability(t *testing.T) {
	s := relayCall(t, asks)
	for _, c := range []struct{ caps, method, params, want string }{
		{`{}`, "roots/list", `{}`, "nobody"},
		{`{"future":{}}`, "roots/list", `{}`, "nobody"},
		{`{"roots":{}}`, "elicitation/create", `{}`, "no -32601 it did not declare elicitation "},
		{`{"roots":{}}`, "sampling/createMessage", `{}`, "no -32601 it did not declare sampling "},
		{`{"sampling":{}}`, "roots/list", `{}`, "no -32601 it did not declare roots "},
		{`{"sampling":{}}`, "sampling/createMessage", `{"tools":[]}`, "no -32601 it did not declare sampling.tools "},
		{`{"elicitation":{}}`, "elicitation/create", `{"mode":"url"}`, "no -32601 it did not declare elicitation.url "},
		{`{"elicitation":{"url":{}}}`, "elicitation/create", `{"message":"m"}`, "no -32601 it did not declare elicitation.form "},
		{`{"roots":{}}`, "tools/list", `{}`, "no -32601 it did not declare such a method "},
		{`{"roots":{}}`, "roots/list", `[]`, "error: the params of roots/list are not a JSON object"},
	} {
		p := dialDeclared(t, s, c.caps)
		p.send(askCall("1", c.method, c.params))
		if w := p.next(); w.Method != "" || textOf(t, w.Result) != c.want {
			t.Errorf("%s to one with %s: got %+v", c.method, c.caps, w)
		}
	}
	p := eras[1].open(t, s)
	p.send(eras[1].message("1", "tools/call", callParams("t", `{}`), ""))
	if w := p.next(); textOf(t, w.Result) != "nobody" {
		t.Errorf("asked in the stateless era, where it declared nothing: %+v", w)
	}
}

// A request that its client need not answer any more is withdrawn, over a stream of events too; a response that takes no
// events carries no requests.
func TestRawAsksOverHTTP(t *testing.T) {
	ended := make(chan error, 1)
	s := relayCall(t, func(ctx context.Context, c server.Call) (server.Reply, error) {
		if c.Ask == nil {
			return server.Reply{Text: "nobody"}, nil
		}
		_, err := c.Ask(ctx, "roots/list", nil)
		ended <- err
		return server.Reply{}, err
	})
	w := openWeb(t, s)
	res := w.do(t.Context(), http.MethodPost, declare(`{"roots":{}}`))
	w.header.Set("Mcp-Session-Id", res.Header.Get("Mcp-Session-Id"))
	call := eras[0].message("1", "tools/call", `"name":"t"`, "")
	if _, body := w.post(call, "Accept", "application/json"); !strings.Contains(body, `"nobody"`) {
		t.Error(body)
	}
	next := eventReader(t, w.do(t.Context(), http.MethodPost, call))
	if line, _ := next(); line != `{"jsonrpc":"2.0","id":"ask-1","method":"roots/list"}` {
		t.Error(line)
	}
	w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if err := receive(t, "end", ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if line, _ := next(); !strings.Contains(line, `"method":"notifications/cancelled"`) {
		t.Error(line)
	}
}
