package server_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"
)

// loginSampling starts a session whose client offers its model.
func (w *web) loginSampling() {
	w.t.Helper()
	res := w.do(w.t.Context(), http.MethodPost, initializeSampling)
	_, _ = io.Copy(io.Discard, res.Body)
	w.header = http.Header{"Mcp-Session-Id": {res.Header.Get("Mcp-Session-Id")}, "Mcp-Protocol-Version": {"2025-11-25"}}
}

// ask begins a call that samples and gives the question's id, what comes after it and the end of the request.
func (w *web) ask(id string) (question string, next func() (string, bool), hangUp func()) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	w.t.Cleanup(cancel)
	next = eventReader(w.t, w.do(ctx, http.MethodPost, asking(id, "x")))
	line, _ := next()
	return asked(w.t, decode(w.t, line)), next, cancel
}

// Over HTTP the question goes out on the stream of the call and the response comes by a POST of the same session; that of
// another session, even with the same id, is not heard.
func TestSamplingOverHTTP(t *testing.T) {
	s, _ := newServer(t)
	w := openWeb(t, s)
	other := &web{t, w.client, w.url, http.Header{}}
	w.loginSampling()
	other.loginSampling()
	question, next, _ := w.ask("1")
	theirs, theirNext, _ := other.ask("1")
	if question != theirs {
		t.Fatal("the sessions should number their questions alike, or the test shows nothing")
	}
	if status, body := other.post(said(theirs, "theirs")); status != http.StatusAccepted || body != "" {
		t.Errorf("a response was answered %d %q", status, body)
	}
	line, _ := theirNext()
	if got := textOf(t, decode(t, line).Result); got != "m||theirs" {
		t.Error(got)
	}
	if status, _ := (&web{t, w.client, w.url, http.Header{}}).post(said(question, "no session")); status != http.StatusBadRequest {
		t.Errorf("a response without a session got %d", status)
	}
	for _, again := range []string{"ours", "twice"} {
		if status, _ := w.post(said(question, again)); status != http.StatusAccepted {
			t.Errorf("a response got %d", status)
		}
	}
	line, _ = next()
	if got := textOf(t, decode(t, line).Result); got != "m||ours" {
		t.Error(got)
	}
}

// A client that takes no stream cannot be asked.
func TestSamplingNeedsAStream(t *testing.T) {
	s, _ := newServer(t)
	w := openWeb(t, s)
	w.loginSampling()
	if _, body := w.post(asking("1", "x"), "Accept", "application/json"); textOf(t, decode(t, body).Result) != "not offered" {
		t.Error(body)
	}
}

// The tool stops waiting when the client hangs up, ends its session or cancels the call.
func TestSamplingOverHTTPEnds(t *testing.T) {
	for name, end := range map[string]func(w *web, hangUp func()){
		"hang up":        func(_ *web, hangUp func()) { hangUp() },
		"end of session": func(w *web, _ func()) { w.do(w.t.Context(), http.MethodDelete, "") },
		"cancellation": func(w *web, _ func()) {
			w.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := newServer(t)
			w := openWeb(t, s)
			w.loginSampling()
			question, next, hangUp := w.ask("1")
			end(w, hangUp)
			if err := receive(t, "end", b.ended); err == nil {
				t.Error("answered by nobody")
			}
			if name == "cancellation" {
				line, _ := next()
				withdrawn(t, decode(t, line), question)
			}
			for _, ok := next(); ok; _, ok = next() {
			}
		})
	}
}
