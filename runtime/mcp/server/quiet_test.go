package server_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// Quiet is called once each time that nothing has run for its while: after the start, and after a call, however long
// that took.
func TestQuiet(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var told atomic.Int32
				after := func(d time.Duration, want int32, what string) {
					t.Helper()
					time.Sleep(d)
					synctest.Wait()
					if n := told.Load(); n != want {
						t.Errorf("%s: called %d times, not %d", what, n, want)
					}
				}
				s, b := newServer(t, func(o *server.Options) {
					o.Quiet, o.QuietTime = func() { told.Add(1) }, 10*time.Second
				})
				defer s.Close()
				p := era.open(t, s)
				after(9*time.Second, 0, "right after the start")
				after(2*time.Second, 1, "a while after the start")
				after(time.Hour, 1, "long after the start")

				p.send(era.message("1", "tools/call", callParams("wait", `{}`), ""))
				p.send(era.message("2", "tools/call", callParams("wait", `{}`), ""))
				receive(t, "start", b.started)
				receive(t, "start", b.started)
				p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
				after(time.Hour, 1, "while a call runs beside one that has ended")
				close(b.release)
				p.next()
				after(9*time.Second, 1, "right after the calls")
				after(2*time.Second, 2, "a while after the calls")
				p.close()
			})
		})
	}
}
