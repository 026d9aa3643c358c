package upstream

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// Programs know of their own changes only, so that all are told what is subscribed to.
func TestEachProgramHearsOfSubscriptions(t *testing.T) {
	var heard [2]atomic.Int32 // subscribe, unsubscribe
	s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake, Allow: []string{Elicitation}}, Options{Start: startPiped(func(p *piped) {
		p.messages(func(m incoming) {
			switch {
			case m.Method == "resources/subscribe":
				heard[0].Add(1)
			case m.Method == "resources/unsubscribe":
				heard[1].Add(1)
			case p.hello(m):
				return
			}
			p.print(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, m.ID)
		})
	})})
	for i := range 3 {
		if _, err := s.Do(t.Context(), (&caller{session: fmt.Sprint(i)}).call("see", "")); err != nil {
			t.Fatal(err)
		}
	}
	for i, method := range []string{"resources/subscribe", "resources/unsubscribe"} {
		if _, err := s.Do(t.Context(), Request{Method: method, Params: json.RawMessage(`{"uri":"a:b"}`)}); err != nil {
			t.Fatal(err)
		}
		clocktest.Until(t, method, func() bool { return heard[i].Load() == 3 })
	}
}
