package server

import (
	"context"
	"net/http"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/mcp/sse"
)

// stream is the response to one request: a single JSON text, or server-sent events from the first note on. Senders
// write directly, under the lock, so no note is left in a queue when the answer is written.
type stream struct {
	w      http.ResponseWriter
	events bool // the client accepts events

	mu  sync.Mutex
	out *sse.Writer
}

func newStream(w http.ResponseWriter, events bool) *stream {
	return &stream{w: w, events: events, out: sse.New(w)}
}

// send writes one frame as an event. A client that does not accept events gets no notes.
func (s *stream) send(ctx context.Context, frame []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.events {
		return nil
	}
	return s.out.Send("message", string(frame))
}

// requests returns true for a stream of events; responses arrive as requests of their own.
func (s *stream) requests() bool { return s.events }

// beat writes a comment to a stream that is open.
func (s *stream) beat() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.out.Opened {
		return nil
	}
	return s.out.Beat()
}

// start opens the stream before there is anything to send: the client learns at once that it is open.
func (s *stream) start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Open()
	return s.out.Beat()
}

// writeAnswer writes the last frame. A cancelled request has none, but its response must end anyway.
func (s *stream) writeAnswer(a answer, to id, status func(answer) int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case a.silent && !s.out.Opened:
		s.w.WriteHeader(http.StatusAccepted)
	case a.silent:
	case s.out.Opened:
		_ = s.out.Send("message", string(a.frame(to)))
	default:
		s.out.LimitWrite()
		reply(s.w, status(a), a.frame(to))
	}
}
