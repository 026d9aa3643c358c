package upstream

import (
	"fmt"
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
	r.lines = append(r.lines, fmt.Sprintf("%s %d", l.Params, l.Left))
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
			if !p.hello(m) && m.Method != "x" {
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

func TestALogLineIsOfTheOneCallThereIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r reader
		var mu sync.Mutex
		noted := map[int]int{}
		say := make(chan string)
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake}, Options{Start: talker(say), Log: r.read})
		var wg sync.WaitGroup
		call := func(i int) {
			wg.Go(func() {
				_, _ = s.Do(t.Context(), Request{Method: "x", Time: time.Minute, Note: func(Note) { mu.Lock(); noted[i]++; mu.Unlock() }})
			})
			synctest.Wait()
		}
		wg.Go(func() { _, _ = s.Do(t.Context(), Request{Method: "x", Time: time.Minute}) }) // wants no notes
		synctest.Wait()
		say <- logLine(1)
		synctest.Wait()
		if got := r.take(); len(got) != 1 {
			t.Errorf("while nobody listens: %q", got)
		}
		call(1)
		say <- logLine(2)
		synctest.Wait()
		call(2)
		say <- logLine(3) // it may be of either, and is not shown to the wrong one
		synctest.Wait()
		if got := r.take(); len(got) != 0 || noted[1] != 1 || noted[2] != 0 {
			t.Errorf("%q, %v", got, noted)
		}
		wg.Wait()
	})
}
