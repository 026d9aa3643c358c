package upstream

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
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
