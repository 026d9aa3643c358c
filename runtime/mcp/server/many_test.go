package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

const manySessions = 500

// follower is one HTTP session of the handshake era with its stream open, on a bare connection.
type follower struct {
	conn net.Conn
	r    *bufio.Reader
}

func (f *follower) until(t testing.TB, what string) {
	t.Helper()
	for {
		line, err := f.r.ReadString('\n')
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if strings.Contains(line, what) {
			return
		}
	}
}

// follow logs in and opens the stream of a session.
func follow(t testing.TB, addr string) *follower {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", addr, len(initialize), initialize)
	f := &follower{conn, bufio.NewReaderSize(conn, 512)}
	res, err := http.ReadResponse(f.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, res.Body)
	res.Body.Close()
	fmt.Fprintf(conn, "GET /mcp HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\nMcp-Session-Id: %s\r\n\r\n", addr, res.Header.Get("Mcp-Session-Id"))
	f.until(t, ": ")
	return f
}

// 500 sessions, each with a stream: all hear of a change, and calls go on beside them.
func TestManySessions(t *testing.T) {
	s, b := newServer(t)
	addr := serve(t, s, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0"}).String()
	followers := make([]*follower, manySessions)
	for i := range followers {
		followers[i] = follow(t, addr)
		defer followers[i].conn.Close()
	}
	b.grow("extra")
	for _, f := range followers {
		f.until(t, "list_changed")
	}
	w := &web{t, httpClient(t, "tcp", addr), "http://" + addr + server.Path, http.Header{}}
	if code, body := w.post(eras[1].message("1", "tools/call", callParams("echo", `{"text":"on"}`), ""), modern("tools/call", "echo")...); code != 200 || !strings.Contains(body, "on") {
		t.Errorf("%d %s", code, body)
	}
}

// 500 connections of lines on one socket, each with its own session.
func TestManyConnections(t *testing.T) {
	s, b := newServer(t)
	addr := serve(t, s, server.Transport{Kind: server.Unix, Listen: socketPath(t)}).String()
	conns := make([]net.Conn, manySessions)
	for i := range conns {
		conn, err := net.Dial("unix", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conns[i] = conn
		fmt.Fprintln(conn, eras[1].message("1", "tools/call", callParams("echo", `{"text":"x"}`), ""))
	}
	for _, conn := range conns {
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
			t.Fatal(line, err)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.sessions) != manySessions {
		t.Errorf("%d sessions", len(b.sessions))
	}
}

func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// BenchmarkSessionMemory reports the bytes of one HTTP session with an open stream, and of one connection of lines; the
// client's end in the same process is counted with it.
func BenchmarkSessionMemory(b *testing.B) {
	b.Run("http-stream", func(b *testing.B) {
		s, _ := newServer(b)
		addr := serve(b, s, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0"}).String()
		for b.Loop() {
			before := memory()
			followers := make([]*follower, manySessions)
			for i := range followers {
				followers[i] = follow(b, addr)
			}
			b.ReportMetric(float64(memory()-before)/manySessions, "B/session")
			for _, f := range followers {
				f.conn.Close()
			}
		}
	})
	b.Run("http-idle", func(b *testing.B) {
		s, _ := newServer(b)
		addr := serve(b, s, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0"}).String()
		w := &web{b, httpClient(b, "tcp", addr), "http://" + addr + server.Path, http.Header{}}
		w.login()
		for b.Loop() {
			before := memory()
			for range manySessions {
				w.login()
			}
			b.ReportMetric(float64(memory()-before)/manySessions, "B/session")
		}
	})
	b.Run("lines", func(b *testing.B) {
		s, _ := newServer(b)
		addr := serve(b, s, server.Transport{Kind: server.Unix, Listen: socketPath(b)}).String()
		for b.Loop() {
			before := memory()
			conns := make([]net.Conn, manySessions)
			for i := range conns {
				conns[i], _ = net.Dial("unix", addr)
				fmt.Fprintln(conns[i], `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
				conns[i].Read(make([]byte, 100))
			}
			b.ReportMetric(float64(memory()-before)/manySessions, "B/session")
			for _, conn := range conns {
				conn.Close()
			}
		}
	})
}
