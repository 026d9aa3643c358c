package server_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

// One client ends no request of another, whatever id it guesses.
func TestNoClientCancelsForAnother(t *testing.T) {
	s, b := newServer(t)
	w := openWeb(t, s)
	mine := w.login()
	done := make(chan string, 1)
	go func() {
		_, body := w.post(eras[0].message("7", "tools/call", callParams("wait", `{}`), ""), "Mcp-Session-Id", mine)
		done <- body
	}()
	receive(t, "start", b.started)
	other := openWeb(t, s)
	other.login()
	for _, id := range []string{`7`, `"7"`, `7.0`, `null`, `"` + mine + `"`} {
		other.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
	}
	select {
	case body := <-done:
		t.Errorf("the call ended: %s", body)
	case <-time.After(200 * time.Millisecond):
	}
	close(b.release)
	if body := receive(t, "answer", done); strings.Contains(body, "error") {
		t.Errorf("answer: %s", body)
	}
}

// What a server asks one client no other can answer.
func TestNoClientAnswersForAnother(t *testing.T) {
	s, _ := newServer(t)
	w := openWeb(t, s)
	start := strings.Replace(initialize, `"capabilities":{}`, `"capabilities":{"sampling":{}}`, 1)
	if start == initialize {
		t.Fatal("the handshake looks otherwise")
	}
	res := w.do(t.Context(), http.MethodPost, start)
	id := res.Header.Get("Mcp-Session-Id")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	asked := w.do(ctx, http.MethodPost, eras[0].message("1", "tools/call", callParams("ask", `{"text":"who?","ms":1500}`), ""),
		"Mcp-Session-Id", id, "Accept", "text/event-stream, application/json")
	next := eventReader(t, asked)
	question, _ := next()
	if !strings.Contains(question, "sampling/createMessage") || !strings.Contains(question, `"ask-1"`) {
		t.Fatalf("asked %s", question)
	}
	other := openWeb(t, s)
	other.login()
	for _, forged := range []string{`"ask-1"`, `1`, `"ask-01"`} {
		other.post(`{"jsonrpc":"2.0","id":` + forged + `,"result":{"role":"assistant","model":"evil","content":{"type":"text","text":"FORGED"}}}`)
	}
	for {
		data, ok := next()
		if !ok {
			break
		}
		if strings.Contains(data, "FORGED") {
			t.Errorf("another's answer was taken: %s", data)
		}
	}
}

// A session is one of its transport, and ends with DELETE for all who know it.
func TestASessionIsOfOneTransport(t *testing.T) {
	s, _ := newServer(t)
	w := openWeb(t, s)
	id := w.login()
	if code, _ := w.post(eras[1].message("1", "tools/list", "", ""), append(modern("tools/list", ""), "Mcp-Session-Id", id)...); code != 200 {
		t.Errorf("a stateless request with a session's id: %d", code)
	}
	// Subscribing by the handshake's methods takes a session.
	if code, body := w.post(eras[1].message("2", "resources/subscribe", `"uri":"x:1"`, ""), append(modern("resources/subscribe", ""), "Mcp-Session-Id", id)...); code == 200 {
		t.Errorf("subscribed without one: %s", body)
	}
	if res := w.do(t.Context(), http.MethodDelete, ""); res.StatusCode != 204 {
		t.Errorf("ended: %s", res.Status)
	}
	if w.alive(id) {
		t.Error("it goes on after its end")
	}
}

// The notes of one client's call never come to another that chose the same
// progress token.
func TestProgressTokensAreOfOneSession(t *testing.T) {
	s, _ := newServer(t)
	first, second := openWeb(t, s), openWeb(t, s)
	first.login()
	id := second.login()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	stream := second.do(ctx, http.MethodGet, "", "Mcp-Session-Id", id, "Accept", "text/event-stream")
	done := make(chan string, 1)
	go func() {
		var all strings.Builder
		next := eventReader(t, stream)
		for data, ok := next(); ok; data, ok = next() {
			all.WriteString(data)
		}
		done <- all.String()
	}()
	first.post(eras[0].message("2", "tools/call", callParams("notes", `{"n":5}`), `"progressToken":"shared"`))
	if got := receive(t, "end of the stream", done); strings.Contains(got, "progress") {
		t.Errorf("another's progress came: %s", got)
	}
}
