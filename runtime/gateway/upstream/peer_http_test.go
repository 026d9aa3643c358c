package upstream

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// streamable serves a peer over streamable HTTP; the handshake era with a session and a GET stream.
type streamable struct {
	*peer
	mu       sync.Mutex
	sessions map[string]bool
	requests []*http.Request
}

func (s *streamable) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.sessions)
}

func (s *streamable) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions)
}

func (s *streamable) request(method string) []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*http.Request
	for _, r := range s.requests {
		if r.Header.Get("Mcp-Method") == method {
			out = append(out, r)
		}
	}
	return out
}

func newStreamable(t testing.TB, p *peer) (*streamable, string) {
	s := &streamable{peer: p, sessions: map[string]bool{}}
	server := httptest.NewServer(s)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return s, fmt.Sprintf("%s/mcp/%d", server.URL, runs.Add(1)) // eras are remembered by URL, and ports come again
}

func (s *streamable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	method := rawjson.GetText(body, "method")
	session := r.Header.Get("Mcp-Session-Id")
	modern := r.Header.Get("Mcp-Protocol-Version") == "2026-07-28"
	s.mu.Lock()
	known := s.sessions[session]
	if r.Method == http.MethodDelete {
		delete(s.sessions, session)
	}
	s.mu.Unlock()
	switch {
	case r.Method == http.MethodDelete:
		return
	case modern && s.era == Handshake:
		http.Error(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Unsupported protocol version"}}`, 400)
		return
	case modern && r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case !modern && method != "initialize" && !known:
		w.WriteHeader(http.StatusNotFound)
		return
	case method == "initialize" && s.era != Stateless:
		s.mu.Lock()
		session = fmt.Sprintf("session-%d", len(s.requests))
		s.sessions[session] = true
		s.mu.Unlock()
		w.Header().Set("Mcp-Session-Id", session)
	}
	if rawjson.Get(body, "id") == nil && r.Method == http.MethodPost || method == "" && len(body) > 0 {
		s.take(r.Context(), body, nil)
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	out := eventWriter(w)
	if r.Method == http.MethodGet {
		s.listen(session, out)
		out(nil)
		<-r.Context().Done()
		s.listen(session, nil)
		return
	}
	s.take(r.Context(), body, out)
}

func eventWriter(w http.ResponseWriter) func([]byte) {
	var mu sync.Mutex
	return func(b []byte) {
		mu.Lock()
		defer mu.Unlock()
		if b == nil {
			_, _ = io.WriteString(w, ": open\n\n")
		} else {
			_, _ = fmt.Fprintf(w, "event: message\ndata: %s\n\n", b)
		}
		w.(http.Flusher).Flush()
	}
}

// eventful serves a peer over HTTP with server-sent events.
type eventful struct {
	*peer
	mu      sync.Mutex
	streams map[string]func([]byte)
}

func newEventful(t testing.TB, p *peer) string {
	s := &eventful{peer: p, streams: map[string]func([]byte){}}
	server := httptest.NewServer(s)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close(); p.work.Wait() })
	return server.URL + "/sse"
}

func (s *eventful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && r.URL.Path == "/sse" {
		s.stream(w, r)
		return
	}
	s.mu.Lock()
	out := s.streams[r.URL.Query().Get("id")]
	s.mu.Unlock()
	if out == nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, _ := io.ReadAll(r.Body)
	s.work.Go(func() { s.take(context.Background(), body, out) })
	w.WriteHeader(http.StatusAccepted)
}

func (s *eventful) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	var over bool
	var mu sync.Mutex
	write := eventWriter(w)
	out := func(b []byte) {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			write(b)
		}
	}
	s.mu.Lock()
	id := fmt.Sprint(len(s.streams) + 1)
	s.streams[id] = out
	s.mu.Unlock()
	s.listen(id, out)
	mu.Lock()
	_, _ = fmt.Fprintf(w, "event: endpoint\ndata: /message?id=%s\n\n", id)
	w.(http.Flusher).Flush()
	mu.Unlock()
	<-r.Context().Done()
	s.listen(id, nil)
	mu.Lock()
	over = true
	mu.Unlock()
}
