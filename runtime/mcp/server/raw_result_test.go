package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

const relayInfo = `"io.modelcontextprotocol/serverInfo":{"name":"relay","version":"1"}`

// A result passes as it is, but for what the eras differ in.
func TestRawResults(t *testing.T) {
	broken := `{"content":[{"type":"text","text":"INTERNAL_ERROR: internal error in t\ntry other arguments; the server's log has the details"}],"isError":true`
	for _, c := range []struct{ name, raw, handshake, stateless string }{
		{"all there", `{"structuredContent":{"n":9007199254740993,"f":1.0},"content":[{"type":"text","text":"\u00e4</b>","x":1}],"isError":true,"_meta":{"a":1},"resultType":"complete","future":[]}`,
			`{"structuredContent":{"n":9007199254740993,"f":1.0},"content":[{"type":"text","text":"\u00e4</b>","x":1}],"isError":true,"_meta":{"a":1},"future":[]}`,
			`{"structuredContent":{"n":9007199254740993,"f":1.0},"content":[{"type":"text","text":"\u00e4</b>","x":1}],"isError":true,"_meta":{"a":1,` + relayInfo + `},"resultType":"complete","future":[]}`},
		{"structured list", `{"content":[],"structuredContent":[1, 2]}`,
			`{"content":[],"structuredContent":{"result":[1, 2]}}`,
			`{"content":[],"structuredContent":[1, 2],"resultType":"complete","_meta":{` + relayInfo + `}}`},
		{"server named", `{"content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"up"}}}`,
			`{"content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"up"}}}`,
			`{"content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"up"}},"resultType":"complete"}`},
		{"line breaks", "{\r\n\t\"content\": [\n]\n}", `{"content":[]}`, `{"content":[],"resultType":"complete","_meta":{` + relayInfo + `}}`},
		{"bad _meta", `{"content":[],"_meta":[]}`, `{"content":[],"_meta":[]}`, `{"content":[],"_meta":{` + relayInfo + `},"resultType":"complete"}`},
		{"input required", `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{}}},"requestState":"s"}`,
			`{"content":[{"type":"text","text":"TOOL_EXECUTION_ERROR: more input is wanted, which this client's version of the protocol has no way to give"}],"isError":true`,
			`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{}}},"requestState":"s","_meta":{` + relayInfo + `}}`},
		{"no object", `[1]`, broken, broken}, {"no json", `{"a":`, broken, broken}, {"no utf-8", "{\"a\":\"\xff\"}", broken, broken},
		{"twice", `{"content":[],"content":[]}`, broken, broken},
	} {
		s := relayCall(t, func(context.Context, server.Call) (server.Reply, error) {
			return server.Reply{Raw: json.RawMessage(c.raw), Text: "not sent"}, nil
		})
		for i, want := range []string{c.handshake, c.stateless} {
			p := eras[i].open(t, s)
			p.send(eras[i].message("1", "tools/call", `"name":"t"`, ""))
			if got := p.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"result":`+want) {
				t.Errorf("%s, %s:\ngot  %s\nwant %s", c.name, eras[i].name, got, want)
			}
		}
	}
}

// rpcErr is an error that another server answered with.
type rpcErr struct {
	code    int
	message string
	data    string
}

func (e rpcErr) Error() string { return "up: " + e.message }

func (e rpcErr) RPC() (int, string, json.RawMessage) {
	return e.code, e.message, json.RawMessage(e.data)
}

// An error of another server stays one, with its code and data. Those that speak of its own connection do not.
func TestRPCErrorsPass(t *testing.T) {
	for _, c := range []struct {
		err                  rpcErr
		handshake, stateless string
	}{
		{rpcErr{-32602, "no such tool", `{"n":1.0}`}, `{"code":-32602,"message":"no such tool","data":{"n":1.0}}`, ""},
		{rpcErr{7, "two\nlines", ""}, `{"code":7,"message":"two lines"}`, ""},
		{rpcErr{-32002, "gone", `{"uri":"a:b"}`}, `{"code":-32002,"message":"gone","data":{"uri":"a:b"}}`, `{"code":-32602,"message":"gone","data":{"uri":"a:b"}}`},
		{rpcErr{-32022, "version", `{"supported":["1"]}`}, `{"code":-32603,"message":"version","data":{"supported":["1"]}}`, ""},
		{rpcErr{-32020, "header", "{"}, `{"code":-32603,"message":"header"}`, ""},
	} {
		s := relayCall(t, func(context.Context, server.Call) (server.Reply, error) {
			return server.Reply{}, fmt.Errorf("call: %w", c.err)
		})
		if c.stateless == "" {
			c.stateless = c.handshake
		}
		for i, want := range []string{c.handshake, c.stateless} {
			p := eras[i].open(t, s)
			p.send(eras[i].message("1", "tools/call", `"name":"t"`, ""))
			if got := p.line(); got != `{"jsonrpc":"2.0","id":1,"error":`+want+`}` {
				t.Errorf("%s: got %s, want %s", eras[i].name, got, want)
			}
		}
	}
}
