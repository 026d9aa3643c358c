package server_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

func callParams(tool, args string) string {
	return `"name":"` + tool + `","arguments":` + args
}

// 200 calls, each of which sends three progress and three log notes right before it returns: none may be lost, none may
// come after the answer, and their order stands.
func TestNotesComeBeforeTheAnswer(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			s, _ := newServer(t, func(o *server.Options) { o.MaxCalls = 200 })
			p := era.open(t, s)
			const calls = 200
			go func() {
				for i := range calls {
					p.send(era.message(strconv.Itoa(i), "tools/call", callParams("notes", `{"n":3}`),
						`"io.modelcontextprotocol/logLevel":"info","progressToken":`+strconv.Itoa(i)))
				}
			}()
			progress, answered, logs := map[string]int{}, 0, 0
			for answered < calls {
				switch w := p.next(); w.Method {
				case "notifications/progress":
					token, done := between(string(w.Params), `"progressToken":`, ","), between(string(w.Params), `"progress":`, ",")
					if progress[token]++; strconv.Itoa(progress[token]) != done {
						t.Errorf("note %d of call %s says %s", progress[token], token, done)
					}
				case "notifications/message":
					logs++
				default:
					if progress[string(w.ID)] != 3 {
						t.Errorf("call %s was answered after %d notes", w.ID, progress[string(w.ID)])
					}
					answered++
				}
			}
			if logs != 3*calls {
				t.Errorf("%d log notes of %d", logs, 3*calls)
			}
		})
	}
}

func between(s, before, after string) string {
	_, s, _ = strings.Cut(s, before)
	s, _, _ = strings.Cut(s, after)
	return s
}

// Eight calls that only return once all eight run: a server that queues calls would never answer.
func TestCallsRunConcurrently(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			s, b := newServer(t)
			b.meet.Add(8)
			p := era.open(t, s)
			for i := range 8 {
				p.send(era.message(strconv.Itoa(i), "tools/call", callParams("meet", `{}`), ""))
			}
			for range 8 {
				if w := p.next(); textOf(t, w.Result) != "met" {
					t.Fatal(w)
				}
			}
		})
	}
}

func TestCancelReachesTheBackendAndIsNotAnswered(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			s, b := newServer(t)
			p := era.open(t, s)
			p.send(era.message("1", "tools/call", callParams("wait", `{}`), ""))
			p.send(era.message(`"1"`, "tools/call", callParams("wait", `{}`), ""))
			receive(t, "start", b.started)
			receive(t, "start", b.started)
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}`)
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`)
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`)
			if err := receive(t, "end", b.ended); err != context.Canceled {
				t.Fatalf("the call ended with %v", err)
			}
			close(b.release)
			if w := p.next(); string(w.ID) != `"1"` || textOf(t, w.Result) != "released" {
				t.Errorf("answered %s: 1 was cancelled, \"1\" was not", w.ID)
			}
			p.send(era.message("2", "tools/list", "", ""))
			if w := p.next(); string(w.ID) != "2" {
				t.Errorf("the cancelled call was answered: %s", w.ID)
			}
		})
	}
}

// The answer to a second request with an id in use must not be taken for that of the first.
func TestIDInUse(t *testing.T) {
	s, b := newServer(t)
	p := eras[0].open(t, s)
	p.send(eras[0].message("7", "tools/call", callParams("wait", `{}`), ""))
	receive(t, "start", b.started)
	for _, method := range []string{"tools/call", "tools/list", "ping"} {
		p.send(eras[0].message("7", method, callParams("echo", `{"text":"x"}`), ""))
		if w := p.next(); string(w.ID) != "null" || w.Error == nil || w.Error.Code != -32600 {
			t.Errorf("%s: got %+v", method, w)
		}
	}
	close(b.release)
	if w := p.next(); string(w.ID) != "7" || textOf(t, w.Result) != "released" {
		t.Errorf("got %+v", w)
	}
	p.send(eras[0].message("7", "tools/call", callParams("echo", `{"text":"again"}`), ""))
	if w := p.next(); textOf(t, w.Result) != "again" {
		t.Errorf("the id is not free again: %+v", w)
	}
}

func TestTooManyCallsAreRefusedAtOnce(t *testing.T) {
	s, b := newServer(t, func(o *server.Options) { o.MaxCalls = 2 })
	p := eras[0].open(t, s)
	for i := range 3 {
		p.send(eras[0].message(strconv.Itoa(i), "tools/call", callParams("wait", `{}`), ""))
	}
	w := p.next()
	if string(w.ID) != "2" || w.Error == nil || !strings.HasPrefix(w.Error.Message, server.CodeBusy) {
		t.Fatalf("got %+v", w)
	}
	p.send(eras[0].message("3", "tools/list", "", ""))
	if w := p.next(); w.Error != nil {
		t.Error("a busy server must still list its tools")
	}
	close(b.release)
	p.next()
	p.next()
}

func TestOversizedLine(t *testing.T) {
	s, _ := newServer(t, func(o *server.Options) { o.MaxMessage = 100_000 })
	p := dial(t, s)
	head, tail := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"pad":"`, `"}}`
	fits := head + strings.Repeat("x", 100_000-len(head)-len(tail)) + tail
	p.send(fits)
	if w := p.next(); string(w.ID) != "1" || w.Error != nil {
		t.Errorf("a line of just the limit: %+v", w)
	}
	for _, size := range []int{100_001, 165_536, 3_000_000} {
		p.send(strings.Repeat("y", size))
		if w := p.next(); w.Error == nil || w.Error.Message != fmt.Sprintf("a message of %d bytes is over the limit of 100000: send less at a time", size) {
			t.Errorf("a line of %d bytes: %+v", size, w)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if w := p.next(); string(w.ID) != "2" {
		t.Errorf("the line after: %+v", w)
	}
}

func TestToolListChanged(t *testing.T) {
	t.Run("handshake", func(t *testing.T) {
		s, b := newServer(t)
		p := eras[0].open(t, s)
		p.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`) // the server has read "initialized" when it answers
		p.next()
		b.grow("extra")
		if line := p.line(); line != `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` {
			t.Error(line)
		}
		p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		if line := p.line(); !strings.Contains(line, `"name":"extra"`) {
			t.Error(line)
		}
	})
	t.Run("stateless", func(t *testing.T) {
		s, b := newServer(t)
		p := eras[1].open(t, s)
		p.send(eras[1].message(`"sub-1"`, "subscriptions/listen", `"notifications":{"toolsListChanged":true,"promptsListChanged":true}`, ""))
		if line := p.line(); line != `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"sub-1"},"notifications":{"toolsListChanged":true}}}` {
			t.Error(line)
		}
		b.grow("extra")
		if line := p.line(); line != `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"sub-1"}}}` {
			t.Error(line)
		}
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"sub-1"}}`)
		p.send(eras[1].message("2", "tools/list", "", ""))
		p.next()
		b.grow("more")
		p.send(eras[1].message("3", "tools/list", "", ""))
		if w := p.next(); string(w.ID) != "3" {
			t.Errorf("a note came after the subscription ended: %+v", w)
		}
	})
	t.Run("unasked", func(t *testing.T) {
		s, b := newServer(t)
		p := eras[1].open(t, s)
		p.send(eras[1].message("1", "server/discover", "", ""))
		p.next()
		b.grow("extra")
		p.send(eras[1].message("2", "tools/list", "", ""))
		if w := p.next(); string(w.ID) != "2" {
			t.Errorf("a stateless client heard what it did not subscribe to: %+v", w)
		}
	})
}

// A change that cannot be served is refused whole: the old tools stay.
func TestBadChangeIsRefused(t *testing.T) {
	s, b := newServer(t)
	p := eras[0].open(t, s)
	b.grow("no good name!")
	b.grow("fine")
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if line := p.line(); strings.Contains(line, "no good") || strings.Contains(line, `"fine"`) || !strings.Contains(line, `"echo"`) {
		t.Error(line)
	}
}

// At the end of input a short call still gets its answer: printf '...' | compactor serve works.
func TestEndOfInputLetsCallsFinish(t *testing.T) {
	s, b := newServer(t)
	p := eras[0].open(t, s)
	p.send(eras[0].message("1", "tools/call", callParams("wait", `{}`), ""))
	receive(t, "start", b.started)
	p.in.Close()
	close(b.release)
	if w := p.next(); textOf(t, w.Result) != "released" {
		t.Errorf("got %+v", w)
	}
}

func TestEndOfInputEndsLongCalls(t *testing.T) {
	s, b := newServer(t, func(o *server.Options) { o.Grace = 200 * time.Millisecond })
	p := eras[1].open(t, s)
	p.send(eras[1].message("9", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`, ""))
	p.next()
	p.send(eras[1].message("1", "tools/call", callParams("wait", `{}`), ""))
	receive(t, "start", b.started)
	p.in.Close()
	if w := p.next(); string(w.ID) != "9" || !strings.Contains(string(w.Result), "subscriptionId") {
		t.Errorf("the subscription did not end first: %+v", w)
	}
	if err := receive(t, "end", b.ended); err != context.Canceled {
		t.Error(err)
	}
	if err := receive(t, "end of Serve", p.done); err != nil {
		t.Error(err)
	}
	p.done <- nil
}

// When the server is stopped, calls are cancelled, their clients told, and Serve returns.
func TestStop(t *testing.T) {
	s, b := newServer(t)
	p := eras[0].open(t, s)
	p.send(eras[0].message("1", "tools/call", callParams("wait", `{}`), ""))
	receive(t, "start", b.started)
	p.stop()
	if w := p.next(); !strings.HasPrefix(textOf(t, w.Result), server.CodeStopping) {
		t.Errorf("got %+v", w)
	}
	if err := receive(t, "end of Serve", p.done); err != nil {
		t.Error(err)
	}
	p.done <- nil
}

// A tool that ignores its context holds up the end no longer than the grace.
func TestStopDoesNotWaitForever(t *testing.T) {
	s, b := newServer(t, func(o *server.Options) { o.Grace = 20 * time.Millisecond })
	p := eras[0].open(t, s)
	p.send(eras[0].message("1", "tools/call", callParams("stubborn", `{}`), ""))
	receive(t, "start", b.started)
	p.stop()
	if err := receive(t, "end of Serve", p.done); err != nil {
		t.Error(err)
	}
	p.done <- nil
	close(b.release)
	receive(t, "end of the tool", b.ended)
}

// A client that does not read holds up its own calls, not the end of the server.
func TestStopWithAClientThatDoesNotRead(t *testing.T) {
	s, _ := newServer(t, func(o *server.Options) { o.Grace = 20 * time.Millisecond })
	ctx, stop := context.WithCancel(context.Background())
	outR, outW := io.Pipe()
	in := strings.NewReader(strings.Repeat(eras[1].message("1", "tools/list", "", "")+"\n", 1000))
	done := make(chan error, 1)
	go func() { done <- s.ServeLines(ctx, in, outW) }()
	stop()
	if err := receive(t, "end of Serve", done); err != nil {
		t.Error(err)
	}
	outR.Close()
}

// A client that went away ends its connection without an error.
func TestClientGone(t *testing.T) {
	s, b := newServer(t)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.ServeLines(context.Background(), inR, outW) }()
	io.WriteString(inW, eras[1].message("1", "tools/call", callParams("wait", `{}`), "")+"\n")
	receive(t, "start", b.started)
	outR.Close()
	io.WriteString(inW, eras[1].message("2", "tools/list", "", "")+"\n")
	if err := receive(t, "end of the call", b.ended); err != context.Canceled {
		t.Error(err)
	}
	if err := receive(t, "end of Serve", done); err != nil {
		t.Error(err)
	}
}

// A last line without a line feed counts, carriage returns do not, nothing but the protocol is written.
func TestPrintfClient(t *testing.T) {
	s, _ := newServer(t)
	in := strings.NewReader("\r\n\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\r\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	var out bytes.Buffer
	if err := s.ServeLines(context.Background(), in, &out); err != nil {
		t.Fatal(err)
	}
	want := `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":2,"result":{}}` + "\n"
	if out.String() != want {
		t.Errorf("got %q", out.String())
	}
}

// Both eras on one connection: each request is served by its own rules.
func TestErasMix(t *testing.T) {
	s, _ := newServer(t)
	p := eras[0].open(t, s)
	p.send(eras[1].message("1", "tools/call", callParams("echo", `{"text":"new"}`), ""))
	p.send(eras[0].message("2", "tools/call", callParams("echo", `{"text":"old"}`), ""))
	seen := map[string]bool{}
	for range 2 {
		w := p.next()
		seen[string(w.ID)] = strings.Contains(string(w.Result), "resultType")
	}
	if !seen["1"] || seen["2"] {
		t.Errorf("resultType by id: %v", seen)
	}
}

func TestSessionIsTheConnection(t *testing.T) {
	s, b := newServer(t)
	for range 2 {
		p := eras[1].open(t, s)
		for i := range 2 {
			p.send(eras[1].message(strconv.Itoa(i), "tools/call", callParams("echo", `{"text":"x"}`), ""))
			p.next()
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.sessions) != 2 || b.sessions[""] {
		t.Errorf("two connections had the sessions %v", b.sessions)
	}
}

// The backend hears when a session is over, on every transport that has any.
func TestTheEndOfASessionIsTold(t *testing.T) {
	s, b := newServer(t)
	for i := range 2 {
		p := eras[1].open(t, s)
		p.send(eras[1].message("1", "tools/call", callParams("echo", `{"text":"x"}`), ""))
		p.next()
		if b.known() != 1 {
			t.Errorf("connection %d: %d sessions are known, want one", i, b.known())
		}
		p.close()
	}
	w := openWeb(t, s)
	id := w.login()
	w.post(eras[0].message("1", "tools/call", callParams("echo", `{"text":"x"}`), ""), "Mcp-Session-Id", id)
	if b.known() != 1 {
		t.Errorf("%d sessions are known, want that over HTTP", b.known())
	}
	w.do(t.Context(), http.MethodDelete, "", "Mcp-Session-Id", id)
	if b.known() != 0 {
		t.Errorf("%d sessions are known after their end", b.known())
	}
}
