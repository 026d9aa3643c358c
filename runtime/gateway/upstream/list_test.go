package upstream

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// A server that was started anew between two pages does not know its cursors any
// more: the list is read from its beginning, once.
func TestACursorThatIsForgottenBeginsTheListAnew(t *testing.T) {
	for forgets, want := range map[int32]string{1: "a2 b2", 100: ""} {
		var lives atomic.Int32
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, Options{Start: startPiped(func(p *piped) {
			life := int32(1)
			p.messages(func(m incoming) {
				switch {
				case p.hello(m):
				case !strings.Contains(string(m.Params), "cursor"):
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"a%d"}],"nextCursor":"x"}}`, m.ID, life)
				case life <= forgets:
					life++
					lives.Store(life)
					p.print(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"invalid cursor"}}`, m.ID)
				default:
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"b%d"}]}}`, m.ID, life)
				}
			})
		})})
		items, err := s.List(t.Context(), "tools/list", "tools")
		var names []string
		for _, it := range items {
			names = append(names, rawjson.GetText(it, "name"))
		}
		var rpc *RPCError
		if got := strings.Join(names, " "); got != want || (want == "") != errors.As(err, &rpc) || lives.Load() > 3 {
			t.Errorf("forgotten %d times: %q, %v after %d lives; want %q", forgets, got, err, lives.Load(), want)
		}
	}
}

// A server that declares no tools is asked for them all the same: what it answers
// counts, and any other answer means that it has none.
func TestAServerThatDeclaresNoToolsIsAsked(t *testing.T) {
	for name, c := range map[string]struct {
		answer string // "": none at all
		want   string
		fails  bool
	}{
		"it has some":       {`"result":{"tools":[{"name":"a"}]}`, "a", false},
		"no such method":    {`"error":{"code":-32601,"message":"no"}`, "", false},
		"its own error":     {`"error":{"code":-32603,"message":"internal"}`, "", false},
		"not initialized":   {`"error":{"code":-32600,"message":"no"}`, "", false},
		"no answer":         {"", "", false},
		"a list of no kind": {`"result":{}`, "", false},
		"the end":           {"exit", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, Options{Start: startPiped(func(p *piped) {
					p.messages(func(m incoming) {
						switch {
						case p.hello(m):
						case m.Method == "ping":
							p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
						case c.answer == "exit":
							p.in.Close()
						case c.answer != "":
							p.print(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, c.answer)
						}
					})
				})})
				offer, err := s.Tools(t.Context())
				var names []string
				if offer != nil {
					for _, it := range offer.Tools {
						names = append(names, rawjson.GetText(it, "name"))
					}
				}
				if got := strings.Join(names, " "); got != c.want || (err != nil) != c.fails || !c.fails && s.Health().State != StateReady {
					t.Errorf("%q %v, want %q; %s", got, err, c.want, s.Health().State)
				}
			})
		})
	}
}
