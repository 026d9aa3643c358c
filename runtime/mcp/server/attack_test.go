package server_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/mcp/listen"
	"github.com/compactor-mcp/compactor/runtime/mcp/listen/listentest"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// raw sends bytes on a fresh connection and gives the status line of what comes back; "" when the server just closes.
func raw(t *testing.T, addr, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	io.WriteString(conn, request)
	answer, _ := io.ReadAll(conn)
	line, _, _ := strings.Cut(string(answer), "\r\n")
	return strings.TrimPrefix(line, "HTTP/1.1 ")
}

func status(line string) string {
	code, _, _ := strings.Cut(line, " ")
	return code
}

// The cases H01 to H07 against local HTTP servers.
func TestAttacks(t *testing.T) {
	body := eras[1].message("1", "tools/list", "", "")
	const head = "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\nConnection: close\r\n"
	request := func(line, headers string) string {
		return fmt.Sprintf("%s HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s", line, head, len(body), headers, body)
	}
	s, _ := newServer(t)
	addr := serve(t, s, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0"}).String()
	_, port, _ := net.SplitHostPort(addr)
	own := "Host: " + addr + "\r\n"
	tests := []struct{ name, request, status string }{
		{"fine", request("POST /mcp", own), "200"},
		{"fine as localhost", request("POST /mcp", "Host: localhost:"+port+"\r\n"), "200"},
		{"fine as ::1", request("POST /mcp", "Host: [::1]:"+port+"\r\n"), "200"},
		{"fine through a forwarded port", request("POST /mcp", "Host: LOCALHOST:1\r\n"), "200"},

		{"H01 foreign host", request("POST /mcp", "Host: evil.test\r\n"), "403"},
		{"H01 host with our port", request("POST /mcp", "Host: evil.test:"+port+"\r\n"), "403"},
		{"H01 host that begins like ours", request("POST /mcp", "Host: 127.0.0.1.evil.test\r\n"), "403"},
		{"H01 host that begins like localhost", request("POST /mcp", "Host: localhost.evil.test\r\n"), "403"},
		{"H01 other address", request("POST /mcp", "Host: 192.0.2.1\r\n"), "403"},
		{"H01 unspecified address", request("POST /mcp", "Host: 0.0.0.0\r\n"), "403"},
		{"H01 empty", request("POST /mcp", "Host:\r\n"), "403"},
		{"H01 absolute form, foreign", request("POST http://evil.test/mcp", own), "403"},
		{"H01 absolute form hides a foreign host", request("POST http://"+addr+"/mcp", "Host: evil.test\r\n"), "403"},
		// net/http itself refuses these two before any handler.
		{"H01 none", request("POST /mcp", ""), "400"},
		{"H01 two", request("POST /mcp", own+"Host: evil.test\r\n"), "400"},

		{"H02 foreign origin", request("POST /mcp", own+"Origin: https://evil.test\r\n"), "403"},
		{"H02 null", request("POST /mcp", own+"Origin: null\r\n"), "403"},
		{"H02 empty", request("POST /mcp", own+"Origin:\r\n"), "403"},
		{"H02 other port", request("POST /mcp", own+"Origin: http://127.0.0.1:1\r\n"), "403"},
		{"H02 other name of this machine", request("POST /mcp", own+"Origin: http://localhost:"+port+"\r\n"), "403"},
		{"H02 other scheme", request("POST /mcp", own+"Origin: https://"+addr+"\r\n"), "403"},
		{"H02 two", request("POST /mcp", own+"Origin: http://"+addr+"\r\nOrigin: https://evil.test\r\n"), "403"},
		{"H02 our own", request("POST /mcp", own+"Origin: http://"+addr+"\r\n"), "200"},
		{"H02 preflight", "OPTIONS /mcp HTTP/1.1\r\nConnection: close\r\n" + own + "Origin: https://evil.test\r\n\r\n", "403"},

		{"H02 stream for a foreign origin", "GET /mcp HTTP/1.1\r\nAccept: text/event-stream\r\nConnection: close\r\n" + own + "Origin: https://evil.test\r\n\r\n", "403"},
		{"H02 end of a session from a foreign origin", "DELETE /mcp HTTP/1.1\r\nConnection: close\r\n" + own + "Origin: https://evil.test\r\n\r\n", "403"},

		{"H03 no type", strings.Replace(request("POST /mcp", own), "Content-Type: application/json\r\n", "", 1), "415"},
		{"H03 packed", request("POST /mcp", own+"Content-Encoding: gzip\r\n"), "415"},
		{"H03 text/plain", strings.Replace(request("POST /mcp", own), "application/json", "text/plain", 1), "415"},
		{"H03 form", strings.Replace(request("POST /mcp", own), "application/json", "application/x-www-form-urlencoded", 1), "415"},
		{"H03 multipart", strings.Replace(request("POST /mcp", own), "application/json", "multipart/form-data; boundary=x", 1), "415"},

		{"other path", request("POST /", own), "404"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if line := raw(t, addr, tt.request); status(line) != tt.status {
				t.Errorf("%s, want %s", line, tt.status)
			}
		})
	}
}

func TestAttackToken(t *testing.T) { // H04
	var log syncBuffer
	s, _ := newServer(t, func(o *server.Options) {
		o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	addr := serve(t, s, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0", Token: testToken}).String()
	w := &web{t, httpClient(t, "tcp", addr), "http://" + addr + server.Path, http.Header{}}
	body := eras[1].message("1", "tools/list", "", "")
	for _, tt := range []struct {
		name, header, query string
		status              int
	}{
		{"right", "Bearer " + testToken, "", 200},
		{"scheme in another case", "bearer " + testToken, "", 200},
		{"none", "", "", 401},
		{"wrong", "Bearer " + strings.Repeat("x", 32), "", 401},
		{"beginning", "Bearer " + testToken[:31], "", 401},
		{"longer", "Bearer " + testToken + "x", "", 401},
		{"empty", "Bearer ", "", 401},
		{"other scheme", "Basic " + testToken, "", 401},
		{"bare", testToken, "", 401},
		{"in the query", "", "?token=" + testToken + "&access_token=" + testToken, 401},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.url = "http://" + addr + server.Path + tt.query
			headers := append(modern("tools/list", ""), "Authorization", tt.header, "Origin", "")
			got, text := w.post(body, headers...)
			if got != tt.status || strings.Contains(text, testToken) {
				t.Errorf("%d %s", got, text)
			}
		})
	}
	w.url = "http://" + addr + server.Path
	headers := append(modern("tools/list", ""), "Authorization", "Bearer "+testToken)
	if got, text := w.post(body, append(headers, "Origin", "https://evil.test")...); got != 403 { // H02: a page that learned it
		t.Errorf("a foreign page with the token: %d %s", got, text)
	}
	w.header.Set("Authorization", "Bearer "+testToken)
	w.login()
	list := eras[0].message("1", "tools/list", "", "")
	if got, text := w.post(list); got != 200 {
		t.Errorf("a session: %d %s", got, text)
	}
	if got, text := w.post(list, "Authorization", ""); got != 401 { // H06: a session is no proof of who one is
		t.Errorf("a session without the token: %d %s", got, text)
	}
	if strings.Contains(log.String(), testToken) {
		t.Error("the token was logged")
	}
}

func TestAttackRemote(t *testing.T) { // H05
	s, _ := newServer(t)
	for _, tt := range []struct {
		name string
		t    server.Transport
		want string
	}{
		{"all interfaces", server.Transport{Listen: "0.0.0.0:0"}, "can be reached from other machines; listen on 127.0.0.1"},
		{"no host", server.Transport{Listen: ":0", Token: testToken}, "can be reached from other machines; listen on 127.0.0.1"},
		{"IPv6", server.Transport{Listen: "[::]:0"}, "can be reached from other machines"},
		{"other address", server.Transport{Listen: "192.0.2.1:0"}, "can be reached from other machines"},
		{"no token", server.Transport{Listen: "0.0.0.0:0", Remote: true}, "no token is set"},
		{"short token", server.Transport{Listen: "0.0.0.0:0", Remote: true, Token: "short"}, "shorter than 16 bytes"},
		{"no port", server.Transport{Listen: "127.0.0.1"}, "HOST:PORT"},
		{"no such port", server.Transport{Listen: "127.0.0.1:99999999"}, "HOST:PORT"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.t.Kind = server.HTTP
			err := s.Serve(t.Context(), tt.t)
			var refused *listen.Error
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.want) || refused.Code() != "LISTEN_REFUSED" || refused.Hint() == "" {
				t.Errorf("%v", err)
			}
		})
	}
	t.Run("allowed", func(t *testing.T) {
		addr := serve(t, s, server.Transport{Kind: server.HTTP, Listen: "0.0.0.0:0", Remote: true, Token: testToken, Hosts: []string{"box.example"}})
		_, port, _ := net.SplitHostPort(addr.String())
		w := &web{t, httpClient(t, "tcp", "127.0.0.1:"+port), "", http.Header{}}
		for host, want := range map[string]int{"127.0.0.1": 200, "192.0.2.7": 200, "box.example": 200, "evil.test": 403} {
			w.url = "http://" + host + ":" + port + server.Path
			got, text := w.post(eras[1].message("1", "tools/list", "", ""), append(modern("tools/list", ""), "Authorization", "Bearer "+testToken)...)
			if got != want {
				t.Errorf("as %s: %d %s", host, got, text)
			}
		}
	})
}

func TestAttackSessions(t *testing.T) { // H06
	now := time.Now()
	var clock sync.Mutex
	s, b := newServer(t, func(o *server.Options) {
		o.MaxSessions = 3
		o.SessionIdle = time.Minute
		o.Now = func() time.Time { clock.Lock(); defer clock.Unlock(); return now }
	})
	w := openWeb(t, s)
	list := eras[0].message("1", "tools/list", "", "")
	alive := func(id string) bool {
		code, _ := w.post(list, "Mcp-Session-Id", id)
		return code == 200
	}
	pass := func(d time.Duration) { clock.Lock(); defer clock.Unlock(); now = now.Add(d) }

	first := w.login()
	other := "A"
	if strings.HasPrefix(first, other) {
		other = "B"
	}
	if len(first) < 26 || alive(other+first[1:]) || alive(strings.ToLower(first)) {
		t.Errorf("session %s can be guessed", first)
	}
	pass(time.Second)
	second := w.login()
	pass(time.Second)
	third := w.login()
	pass(time.Second)
	alive(first) // used last
	w.login()
	if !alive(first) || alive(second) || !alive(third) {
		t.Error("not the session unused for longest gave way")
	}
	pass(2 * time.Minute)
	if alive(first) {
		t.Error("an idle session was not forgotten")
	}
	// Sessions in use do not give way: the fourth is refused.
	var calls sync.WaitGroup
	for range 3 {
		id := w.login()
		calls.Go(func() {
			w.post(eras[0].message("9", "tools/call", callParams("wait", `{}`), ""), "Mcp-Session-Id", id)
		})
		receive(t, "start", b.started)
	}
	if res := w.do(t.Context(), http.MethodPost, initialize, "Mcp-Session-Id", ""); res.StatusCode != 503 || res.Header.Get("Retry-After") == "" {
		t.Errorf("a session too many: %s", res.Status)
	}
	close(b.release)
	calls.Wait()
}

// serveInMemory serves HTTP without a network until the test ends, so that time passes as a bubble has it.
func serveInMemory(t *testing.T, s *server.Server) *listentest.Listener {
	return serveOver(t, s, server.Transport{Kind: server.HTTP})
}

func serveOver(t *testing.T, s *server.Server, tr server.Transport) *listentest.Listener {
	l := listentest.New(0)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.ServeOn(ctx, l, tr) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l
}

func openWebInMemory(t *testing.T, s *server.Server) *web { return webOf(t, serveInMemory(t, s)) }

func webOf(t *testing.T, l *listentest.Listener) *web {
	tr := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return l.Dial() }}
	t.Cleanup(tr.CloseIdleConnections)
	return &web{t, &http.Client{Transport: tr}, "http://127.0.0.1" + server.Path, http.Header{}}
}

func TestAttackSlowClients(t *testing.T) { // H06
	const head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
	for _, tt := range []struct{ name, sent, status string }{
		{"header never ends", head, ""},
		{"nothing", "", ""},
		{"body never ends", head + "Content-Length: 100\r\n\r\n{", "408"},
		{"chunked body never ends", head + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", "408"},
		{"body of a refused request never ends", strings.Replace(head, "json", "xml", 1) + "Content-Length: 100\r\n\r\n{", "415"},
		{"body of a foreign page never ends", head + "Origin: https://evil.test\r\nContent-Length: 100\r\n\r\n{", "403"},
		{"huge body announced", head + "Content-Length: 99999999999\r\n\r\n", "413"},
		{"huge chunked body", head + "Transfer-Encoding: chunked\r\n\r\n7d0\r\n" + strings.Repeat(" ", 2000) + "\r\n", "413"},
		{"huge header", head + "X: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", "431"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const limit = 5 * time.Second
				s, _ := newServer(t, func(o *server.Options) { o.HeaderTime, o.BodyTime, o.MaxMessage = limit, limit, 1000 })
				conn, err := serveInMemory(t, s).Dial()
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				began := time.Now()
				go io.WriteString(conn, tt.sent)
				answer, _ := io.ReadAll(conn) // that the server ends the connection is the point
				line, _, _ := strings.Cut(strings.TrimPrefix(string(answer), "HTTP/1.1 "), "\r\n")
				if status(line) != tt.status && !(tt.status == "" && status(line) == "408") {
					t.Errorf("%q, want %q", line, tt.status)
				}
				if held := time.Since(began); held > 2*limit {
					t.Errorf("the connection was held for %v", held)
				}
			})
		})
	}
}

// A body that comes byte by byte has no more time than one that stalls.
func TestAttackDrip(t *testing.T) { // H06
	synctest.Test(t, func(t *testing.T) {
		s, _ := newServer(t, func(o *server.Options) { o.BodyTime = 10 * time.Second })
		conn, err := serveInMemory(t, s).Dial()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		ended := make(chan string, 1)
		go func() {
			answer, _ := io.ReadAll(conn)
			ended <- string(answer)
		}()
		io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
		for sent := 0; len(ended) == 0; sent++ {
			if sent == 60 {
				t.Fatal("the server still reads")
			}
			time.Sleep(time.Second)
			io.WriteString(conn, " ")
			synctest.Wait()
		}
		if answer := <-ended; !strings.HasPrefix(answer, "HTTP/1.1 408 ") {
			t.Errorf("got %q", answer)
		}
	})
}

// halfSent is a client that begins a large message and does not end it.
type halfSent struct {
	conn   net.Conn
	sent   atomic.Int64                  // of the body, what the server has taken
	answer atomic.Pointer[http.Response] // nil while the server waits for the rest
}

func sendHalf(t *testing.T, l *listentest.Listener, announced, sent int) *halfSent {
	t.Helper()
	return sendHalfTo(t, l, server.Path, announced, sent)
}

func sendHalfTo(t *testing.T, l *listentest.Listener, path string, announced, sent int) *halfSent {
	t.Helper()
	conn, err := l.Dial()
	if err != nil {
		t.Fatal(err)
	}
	h := &halfSent{conn: conn}
	go func() {
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", path, announced)
		piece := bytes.Repeat([]byte(" "), 4<<10)
		for int(h.sent.Load()) < sent {
			n, err := conn.Write(piece[:min(len(piece), sent-int(h.sent.Load()))])
			h.sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	}()
	go func() {
		if res, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
			h.answer.Store(res)
		}
	}()
	return h
}

// Half-sent large messages hold no more than all may have together, keep out no small one and none of a fair size, and
// leave nothing behind. Some send all that they may, others so little each that only their number tells.
func TestAttackHalfSentBodies(t *testing.T) { // H06
	const whole, senders, own = 1 << 20, 150, 32 << 10
	for _, sent := range []int{whole - 1, 64 << 10} {
		synctest.Test(t, func(t *testing.T) {
			s, _ := newServer(t, func(o *server.Options) { o.MaxMessage, o.MaxBodies = whole, 4*whole })
			l := serveInMemory(t, s)
			w := webOf(t, l)
			var all []*halfSent
			for range senders {
				all = append(all, sendHalf(t, l, whole, sent))
			}
			synctest.Wait()
			held, refused := 0, 0
			for _, h := range all {
				switch res := h.answer.Load(); {
				case res == nil:
					held += int(h.sent.Load())
				case res.StatusCode != 503 || res.Header.Get("Retry-After") == "":
					t.Fatalf("%s %v", res.Status, res.Header)
				default:
					refused++
				}
			}
			if most := 4*whole + senders*(own+8<<10); held > most || refused == 0 || refused > senders-4 {
				t.Errorf("%d bytes are held, %d at most, and %d senders were refused", held, most, refused)
			}
			echoes(w, 10, 10<<10, 48<<10)
			for _, h := range all {
				h.conn.Close()
			}
			synctest.Wait()
			var large sync.WaitGroup
			for range 4 {
				large.Go(func() { echoes(w, whole-1000) })
			}
			large.Wait()
		})
	}
}

// echoes sends messages with texts of these sizes.
func echoes(w *web, sizes ...int) {
	w.t.Helper()
	for _, n := range sizes {
		message := eras[1].message("1", "tools/call", callParams("echo", `{"text":"`+strings.Repeat("x", n)+`"}`), "")
		if code, text := w.post(message, modern("tools/call", "echo")...); code != 200 {
			w.t.Errorf("a message of %d bytes: %d %.200s", n, code, text)
		}
	}
}

// Messages count until they are answered, and a subscription, which lasts, may not be large.
func TestAttackBodiesOfRunningCalls(t *testing.T) { // H06
	synctest.Test(t, func(t *testing.T) {
		const whole = 1 << 20
		s, b := newServer(t, func(o *server.Options) { o.MaxMessage, o.MaxBodies = whole, 4*whole })
		l := serveInMemory(t, s)
		w := webOf(t, l)
		wait := eras[1].message("1", "tools/call", callParams("wait", `{"pad":"`+strings.Repeat("x", whole-1000)+`"}`), "")
		var calls sync.WaitGroup
		for range 4 {
			calls.Go(func() {
				if code, text := w.post(wait, modern("tools/call", "wait")...); code != 200 {
					t.Errorf("%d %.200s", code, text)
				}
			})
			receive(t, "start", b.started)
		}
		fifth := sendHalf(t, l, whole, whole-1)
		synctest.Wait()
		if res := fifth.answer.Load(); res == nil || res.StatusCode != 503 || res.Header.Get("Retry-After") == "" {
			t.Errorf("a fifth: %v", res)
		}
		fifth.conn.Close()
		if code, text := w.post(eras[1].message("2", "tools/list", "", ""), modern("tools/list", "")...); code != 200 {
			t.Errorf("a small one: %d %.200s", code, text)
		}
		close(b.release)
		calls.Wait()
		if code, text := w.post(wait, modern("tools/call", "wait")...); code != 200 {
			t.Errorf("after they ended: %d %.200s", code, text)
		}
		listen := eras[1].message("3", "subscriptions/listen", `"notifications":{"pad":"`+strings.Repeat("x", 300<<10)+`"}`, "")
		if code, text := w.post(listen, modern("subscriptions/listen", "")...); code != 413 {
			t.Errorf("a large subscription: %d %.200s", code, text)
		}
	})
}

// The control API reads its bodies out of the same budget, and says so in its own words. A client that went on sending
// over a real connection could fail to write before it read the answer.
func TestAttackBodiesOfTheAPI(t *testing.T) { // H06
	synctest.Test(t, func(t *testing.T) {
		s, _ := newServer(t, func(o *server.Options) { o.MaxBodies = 1 })
		l := serveOver(t, s, server.Transport{Kind: server.HTTP, Also: api.New(api.Options{Changes: true})})
		large := sendHalfTo(t, l, "/override", 100<<10, 40<<10)
		synctest.Wait()
		res := large.answer.Load()
		if res == nil {
			t.Fatal("no answer to a large body")
		}
		if text, _ := io.ReadAll(res.Body); !strings.Contains(string(text), api.Crowded) || res.Header.Get("Retry-After") == "" {
			t.Errorf("a large body: %s %s", res.Status, text)
		}
		large.conn.Close()
		w := webOf(t, l)
		w.url = "http://127.0.0.1/override"
		res = w.do(t.Context(), http.MethodPost, `{"tool":"`+strings.Repeat("x", 100)+`","no":1}`)
		if text, _ := io.ReadAll(res.Body); !strings.Contains(string(text), api.BadBody) || res.Header.Get("Retry-After") != "" {
			t.Errorf("a small body: %s %s", res.Status, text)
		}
	})
}

// A call that takes longer than a body may is not cut off by the body's limit.
func TestLongCallOutlivesTheBodyLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := newServer(t, func(o *server.Options) { o.BodyTime = time.Second })
		w := openWebInMemory(t, s)
		answer := make(chan string, 1)
		go func() {
			_, body := w.post(eras[1].message("1", "tools/call", callParams("wait", `{}`), ""), modern("tools/call", "wait")...)
			answer <- body
		}()
		receive(t, "start", b.started)
		time.Sleep(time.Hour)
		select {
		case err := <-b.ended:
			t.Fatalf("the call was ended: %v", err)
		default:
		}
		close(b.release)
		if body := receive(t, "answer", answer); !strings.Contains(body, "released") {
			t.Error(body)
		}
	})
}

func TestAttackSocketFile(t *testing.T) { // H07
	if runtime.GOOS == "windows" {
		t.Skip("modes and users are Unix")
	}
	s, _ := newServer(t)
	path := socketPath(t)
	addr := serve(t, s, server.Transport{Kind: server.Unix, Listen: path}).String()
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), want)
		}
	}
	w := &web{t, httpClient(t, "unix", addr), "http://any.name" + server.Path, http.Header{}}
	if code, text := w.post(eras[1].message("1", "tools/list", "", ""), modern("tools/list", "")...); code != 200 {
		t.Errorf("%d %s", code, text)
	}
	if code, _ := w.post(eras[1].message("1", "tools/list", "", ""), append(modern("tools/list", ""), "Origin", "http://any.name")...); code != 403 {
		t.Errorf("a web page on a unix socket: %d", code)
	}
	if err := s.Serve(t.Context(), server.Transport{Kind: server.Unix, Listen: path}); err == nil || !strings.Contains(err.Error(), "served by another process") {
		t.Errorf("a second server on the socket: %v", err)
	}
}

func TestUnknownTransport(t *testing.T) {
	s, _ := newServer(t)
	err := s.Serve(t.Context(), server.Transport{Kind: "carrier pigeon"})
	if err == nil || err.Error() != `transport "carrier pigeon" is not known; choose stdio, http or unix` {
		t.Error(err)
	}
}

// syncBuffer may be written while it is read.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
