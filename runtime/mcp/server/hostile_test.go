package server_test

import (
	"net/http"
	"strings"
	"testing"
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
	close(b.release) // a call that was cancelled does not say that it was released
	if body := receive(t, "answer", done); !strings.Contains(body, "released") {
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
	asked := w.do(t.Context(), http.MethodPost, eras[0].message("1", "tools/call", callParams("ask", `{"text":"who?"}`), ""),
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
	w.post(`{"jsonrpc":"2.0","id":"ask-1","result":{"role":"assistant","model":"own","content":{"type":"text","text":"MINE"}}}`,
		"Mcp-Session-Id", id, "Mcp-Protocol-Version", "2025-11-25")
	if answer, _ := next(); !strings.Contains(answer, "own||MINE") {
		t.Errorf("another's answer was taken: %s", answer)
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
	s, b := newServer(t)
	first, second := openWeb(t, s), openWeb(t, s)
	first.login()
	id := second.login()
	next := eventReader(t, second.do(t.Context(), http.MethodGet, "", "Mcp-Session-Id", id, "Accept", "text/event-stream"))
	if _, body := first.post(eras[0].message("2", "tools/call", callParams("notes", `{"n":5}`), `"progressToken":"shared"`)); strings.Count(body, "notifications/progress") != 5 {
		t.Errorf("its own client is told %s", body)
	}
	b.grow("extra") // comes after all that the call said
	if got, _ := next(); !strings.Contains(got, "list_changed") {
		t.Errorf("another's note came: %s", got)
	}
}
