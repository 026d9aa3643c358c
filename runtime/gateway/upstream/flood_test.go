package upstream

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A server that asks without end and reads no answer must not pile them up here.
func TestAServerThatAsksAndDoesNotReadIsNotAnswered(t *testing.T) {
	const asks = 5_000
	before := runtime.NumGoroutine()
	during := make(chan int, 1)
	s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, Options{Start: startPiped(func(p *piped) {
		p.messages(func(m incoming) {
			if m.Method == "" || p.hello(m) {
				return
			}
			for i := range asks {
				p.print(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)
			}
			during <- runtime.NumGoroutine()
			p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
		})
	})})
	if _, err := s.Do(t.Context(), Request{Method: "tools/call"}); err != nil {
		t.Fatal(err)
	}
	if n := <-during - before; n > maxReplies+100 {
		t.Errorf("%d goroutines for %d pings that were not read", n, asks)
	}
	// Once it reads again it is answered again.
	if _, err := s.Do(t.Context(), Request{Method: "tools/call"}); err != nil {
		t.Error(err)
	}
}

// Nor is what it calls its request repeated, however long that is.
func TestAnIDWithoutEndIsNotAnswered(t *testing.T) {
	answered := make(chan string, 10)
	s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, Options{Start: startPiped(func(p *piped) {
		p.messages(func(m incoming) {
			switch {
			case m.Method == "":
				answered <- fmt.Sprint(len(m.ID))
			case !p.hello(m):
				p.print(`{"jsonrpc":"2.0","id":%q,"method":"ping"}`, strings.Repeat("x", 1<<20))
				p.print(`{"jsonrpc":"2.0","id":"short","method":"ping"}`)
				p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
			}
		})
	})})
	if _, err := s.Do(t.Context(), Request{Method: "tools/call"}); err != nil {
		t.Fatal(err)
	}
	if got := <-answered; got != "7" {
		t.Errorf("an id of %s bytes was answered", got)
	}
}
