package upstream

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// chaotic is a program that answers "x" with a fault of the day and everything else rightly.
func chaotic(faults *atomic.Int32) Starter {
	return startPiped(func(p *piped) {
		if rand.IntN(20) == 0 { // ends at once
			faults.Add(1)
			return
		}
		p.messages(func(m incoming) {
			switch {
			case p.hello(m):
				return
			case m.Method != "x":
				p.print(`{"jsonrpc":"2.0","id":%s,"result":{"right":%s}}`, m.ID, m.Params)
				return
			}
			faults.Add(1)
			switch n := rand.IntN(len(bad) + 8); {
			case n < len(bad):
				_, _ = io.WriteString(p.stdout, strings.ReplaceAll(bad[n].line, "%s", string(m.ID))+"\n")
			case n == len(bad):
				p.in.Close() // dies
			case n == len(bad)+1:
				_, _ = io.CopyN(p.stdout, endless{"x"}, 1<<20) // a line over the limit
			case n == len(bad)+2:
				_, _ = io.WriteString(p.stdout, `{"jsonrpc":"2.0","id":`)
				p.in.Close() // dies within a line
			case n == len(bad)+3: // hangs
			default:
				for range 2 {
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
				}
			}
		})
	})
}

// TestFaultsOfSomeServersDoNotTouchOthers makes thousands of faults over 20 servers, of which half are well.
func TestFaultsOfSomeServersDoNotTouchOthers(t *testing.T) {
	want := int32(5000)
	if testing.Short() {
		want = 500
	}
	before := held()
	synctest.Test(t, func(t *testing.T) {
		var faults, right, calls atomic.Int32
		var wg sync.WaitGroup
		for i := range 10 {
			sick := newServer(t, Spec{Name: fmt.Sprint("sick", i), Command: "pipe", Era: Handshake, CallTime: time.Second, MaxMessage: 256 << 10},
				Options{Start: chaotic(&faults)})
			well := newServer(t, Spec{Name: fmt.Sprint("well", i), Command: "pipe", Era: Handshake},
				Options{Start: startPiped(func(p *piped) {
					p.messages(func(m incoming) {
						if !p.hello(m) {
							p.print(`{"jsonrpc":"2.0","id":%s,"result":{"right":%s}}`, m.ID, m.Params)
						}
					})
				})})
			wg.Go(func() {
				for n := 0; faults.Load() < want; n++ {
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					_, _ = sick.Do(ctx, Request{Method: "x"})
					cancel()
					calls.Add(1)
					params := fmt.Sprintf(`{"n":%d}`, n)
					result, err := well.Do(t.Context(), Request{Method: "y", Params: []byte(params)})
					if err == nil && string(result) == `{"right":`+params+`}` {
						right.Add(1)
					} else {
						t.Errorf("%s %v", result, err)
					}
					if n%50 == 49 { // a sick server that answers again is right too, and until then says what is wrong
						time.Sleep(time.Minute)
						if _, err := sick.About(t.Context()); err != nil && codeOf(err) != CodeConnection {
							t.Errorf("error = %v", err)
						}
					}
				}
			})
		}
		wg.Wait()
		if right.Load() != calls.Load() {
			t.Errorf("%d of %d calls of the healthy were right", right.Load(), calls.Load())
		}
	})
	if after := held(); after > before+before/10+4<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
}

// held returns the bytes of the heap that are in use. Two collections empty the pools too.
func held() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
