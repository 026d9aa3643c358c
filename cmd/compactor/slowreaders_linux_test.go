package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// Many sessions that ask at once for results of 300 KB, and read nothing before all are
// answered, and then a little at a time, cost bounded memory. A session that finds no room
// is told when to come back, and has its result then. COMPACTOR_LONG=1 takes 500.
func TestSlowReaders(t *testing.T) {
	skipShort(t)
	sessions, most := 60, 200
	if os.Getenv("COMPACTOR_LONG") != "" {
		sessions, most = 500, 300
	}
	if raced { // the race detector's shadow is several times what it watches
		most *= 10
	}
	dir, _ := frontDir(t, `
gateway: {surface: "proxy", result: 0}
servers: big: {command: "toolserver", args: ["huge"]}
`)
	s := serveAPIIn(t, dir, apiToken)
	(&profileClient{t: t, url: s.base, name: "first", headers: bearer(apiToken)}).begin().waitTools("big__huge")
	var answered, done sync.WaitGroup
	var mu sync.Mutex
	late, told := 0, map[string]int{}
	answered.Add(sessions)
	for range sessions {
		done.Go(func() {
			first := sync.OnceFunc(answered.Done)
			defer first()
			slow := &http.Client{Transport: &slowTransport{http.Transport{DialContext: dialSlowly}, first, &answered}}
			defer slow.CloseIdleConnections()
			c := &profileClient{t: t, url: s.base, name: "slow", over: slow, headers: bearer(apiToken)}
			var status int
			var result map[string]any
			var text string
			comesBack := func() bool {
				if status != http.StatusServiceUnavailable {
					return false
				}
				mu.Lock()
				defer mu.Unlock()
				late++
				return true
			}
			clocktest.Until(t, "a session has begun", func() bool {
				status, _, _ = c.greet()
				return !comesBack()
			})
			call := func() bool {
				status, result, text = c.ask("tools/call", map[string]any{"name": "big__huge", "arguments": map[string]any{"KB": 300}})
				return !comesBack()
			}
			if !call() { // which waited for all others
				clocktest.Until(t, "a session has its result", call)
			}
			if status != http.StatusOK || result == nil || len(text) < 300<<10 || !strings.Contains(text, "lost its lease") {
				mu.Lock()
				told[text[:min(len(text), 300)]]++
				mu.Unlock()
			}
		})
	}
	done.Wait()
	for text, n := range told {
		t.Errorf("%d of %d sessions: %s", n, sessions, text)
	}
	if peak := peakMemory(t, s.cmd.Process.Pid); peak > most {
		t.Errorf("%d MiB of memory for %d sessions, want %d at most", peak, sessions, most)
	} else {
		t.Logf("%d sessions: %d MiB, %d times told to come back", sessions, peak, late)
	}
}

// dialSlowly connects with little room for what is not read yet. Small segments keep the kernel from taking all of an
// answer out of the hands of its server: it has room for 40 of them, which are 64 KiB each otherwise.
func dialSlowly(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		var room, segment error
		err := raw.Control(func(fd uintptr) {
			room = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10)
			segment = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 1000)
		})
		return errors.Join(err, room, segment)
	}}
	return d.DialContext(ctx, network, address)
}

// slowTransport holds back the body of the first call's answer until all sessions have
// one, and then gives it in small pieces.
type slowTransport struct {
	http.Transport
	first    func()
	answered *sync.WaitGroup
}

func (s *slowTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := s.Transport.RoundTrip(req)
	if err != nil || req.Header.Get("Mcp-Session-Id") == "" {
		return res, err
	}
	if res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") == "" {
		res.StatusCode = http.StatusInternalServerError // nobody is told when to come back
	}
	s.first()
	s.answered.Wait()
	res.Body = slowly{res.Body}
	return res, nil
}

type slowly struct{ io.ReadCloser }

func (s slowly) Read(p []byte) (int, error) { return s.ReadCloser.Read(p[:min(len(p), 1<<10)]) }
