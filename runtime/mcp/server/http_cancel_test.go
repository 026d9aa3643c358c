package server_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

// Leaving cancels: in both eras a client whose connection ends frees what it started.
func TestDisconnectCancels(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			s, b := newServer(t)
			w := openWeb(t, s)
			headers := modern("tools/call", "wait")
			if !era.modern {
				headers = nil
				w.login()
			}
			ctx, leave := context.WithCancel(t.Context())
			gone := make(chan struct{})
			go func() {
				defer close(gone)
				req, _ := http.NewRequestWithContext(ctx, http.MethodPost, w.url, strings.NewReader(era.message("1", "tools/call", callParams("wait", `{}`), "")))
				req.Header = w.header.Clone()
				req.Header.Set("Content-Type", "application/json")
				for i := 0; i < len(headers); i += 2 {
					req.Header.Set(headers[i], headers[i+1])
				}
				if res, err := w.client.Do(req); err == nil {
					res.Body.Close()
				}
			}()
			receive(t, "start", b.started)
			leave()
			if err := receive(t, "end", b.ended); err != context.Canceled {
				t.Error(err)
			}
			<-gone
		})
	}
}

// Without sessions a cancellation names an id that any client may have used: it must not end another's call.
func TestStatelessCancelEndsNobodysCall(t *testing.T) {
	s, b := newServer(t)
	w := openWeb(t, s)
	answer := make(chan string, 1)
	go func() {
		_, body := w.post(eras[1].message("1", "tools/call", callParams("wait", `{}`), ""), modern("tools/call", "wait")...)
		answer <- body
	}()
	receive(t, "start", b.started)
	w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, modern("notifications/cancelled", "")...)
	close(b.release)
	if body := receive(t, "answer", answer); !strings.Contains(body, "released") {
		t.Error(body)
	}
}

// In the handshake era it names a request of the session, and of no other.
func TestSessionCancel(t *testing.T) {
	s, b := newServer(t)
	w := openWeb(t, s)
	id := w.login()
	answer := make(chan int, 1)
	go func() {
		status, _ := w.post(eras[0].message("1", "tools/call", callParams("wait", `{}`), ""), "Mcp-Session-Id", id)
		answer <- status
	}()
	receive(t, "start", b.started)
	other := w.login()
	w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, "Mcp-Session-Id", other)
	if status, body := w.post(eras[0].message("1", "tools/call", callParams("echo", `{"text":"x"}`), ""), "Mcp-Session-Id", id); status != 400 {
		t.Errorf("an id in use: %d %s", status, body)
	}
	w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, "Mcp-Session-Id", id)
	if err := receive(t, "end", b.ended); err != context.Canceled {
		t.Error(err)
	}
	if status := receive(t, "end of the response", answer); status != 202 {
		t.Error(status)
	}
}
