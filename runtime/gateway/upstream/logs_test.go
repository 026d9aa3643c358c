package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// reader remembers the log lines it is given.
type reader struct {
	mu    sync.Mutex
	lines []string
}

func (r *reader) read(l LogLine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	line := fmt.Sprintf("%s %d", l.Params, l.Left)
	if l.Session != "" {
		line += " for " + l.Session
	}
	r.lines = append(r.lines, line)
}

func (r *reader) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.lines
	r.lines = nil
	return out
}

// talker is a program that says what it is told to say.
func talker(say chan string) Starter {
	return startPiped(func(p *piped) {
		go func() {
			for {
				select {
				case line := <-say:
					p.print("%s", line)
				case <-p.done:
					return
				}
			}
		}()
		p.messages(func(m incoming) {
			if !p.hello(m) && m.Method != "tools/call" {
				p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
			}
		})
	})
}

func logLine(n int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%d}}`, n)
}

func TestLogLinesOutsideOfCallsAreGivenInOrderAndNotTooMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r reader
		say := make(chan string)
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake}, Options{Start: talker(say), Log: r.read})
		if _, err := s.About(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i := range 1000 {
			say <- logLine(i)
		}
		synctest.Wait()
		got := r.take()
		if len(got) != logBurst {
			t.Errorf("%d lines of a flood", len(got))
		}
		for i, line := range got {
			if line != fmt.Sprintf(`{"level":"info","data":%d} 0`, i) {
				t.Errorf("line %d: %s", i, line)
			}
		}
		time.Sleep(time.Second)
		for i := range 1000 {
			say <- logLine(i)
		}
		synctest.Wait()
		if got := r.take(); len(got) != logRate || got[0] != `{"level":"info","data":0} 950` {
			t.Errorf("a second later: %q", got)
		}
	})
}

// One session must not see what a server logs of another's calls. The server names no call.
func TestALogLineIsOfTheOneCallThereIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r reader
		var mu sync.Mutex
		noted := map[string]int{}
		say := make(chan string)
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake}, Options{Start: talker(say), Log: r.read})
		if _, err := s.About(t.Context()); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		call := func(session string, notes bool) (end func()) {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			q := Request{Method: "tools/call", Params: json.RawMessage(`{"name":"x"}`), Session: session, Time: time.Hour}
			if notes {
				q.Note = func(Note) { mu.Lock(); noted[session]++; mu.Unlock() }
			}
			wg.Go(func() { _, _ = s.Do(ctx, q); close(done) })
			synctest.Wait()
			return func() { cancel(); <-done; synctest.Wait() }
		}
		line := func(when, outside string, a, b int) {
			t.Helper()
			say <- logLine(1)
			synctest.Wait()
			got := strings.Join(r.take(), "; ")
			if got != outside || noted["a"] != a || noted["b"] != b {
				t.Errorf("%s: %q outside of calls, %v in them; want %q, %d and %d", when, got, noted, outside, a, b)
			}
			clear(noted)
		}
		answerAll := func() {
			for id := range 40 {
				say <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, id)
			}
			synctest.Wait()
		}
		const all = `{"level":"info","data":1} 0`
		const outsideOf = all + " for "
		line("before anybody calls", all, 0, 0)
		end := call("a", true)
		line("in the only call", "", 1, 0)
		again := call("a", true)
		line("in the second of one session", "", 1, 0)
		again()
		end()
		line("after them", outsideOf+"a", 0, 0)
		end = call("a", false)
		line("in a call without notes", "", 0, 0)
		end()
		end = call("b", true)
		line("in another's call, while the server still works on that", "", 0, 0)
		end()
		line("soon after both were left", "", 0, 0)
		time.Sleep(lateLines + time.Second)
		line("a minute after calls of two", "", 0, 0)
		end = call("b", true)
		line("in the only call, a minute after another was left", "", 0, 1)
		answerAll()
		end()
		line("after it", outsideOf+"b", 0, 0)
		end = call("b", true)
		endA := call("a", true)
		line("in two calls", "", 0, 0)
		answerAll()
		end()
		endA()
		line("after both", "", 0, 0)
		end = call("b", true)
		line("in the only call, after another's was answered", "", 0, 1)
		end()
		end = call("", true)
		time.Sleep(2 * lateLines)
		answerAll()
		time.Sleep(2 * lateLines)
		line("after a call without a session", "", 0, 0)
		end()
		wg.Wait()
	})
}
