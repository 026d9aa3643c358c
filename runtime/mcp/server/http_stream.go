package server

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// stream is the response to one request: a single JSON text, or server-sent events from the first note on. Senders
// write directly, under the lock, so no note is left in a queue when the answer is written.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	events  bool // the client accepts events

	mu     sync.Mutex
	opened bool
	gone   bool
}

func newStream(w http.ResponseWriter, events bool) *stream {
	return &stream{w: w, control: http.NewResponseController(w), events: events}
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
	s.openEvents()
	return s.writeEvent("event: message\ndata: ", string(frame), "\n\n")
}

// openEvents writes the header of an event stream, once.
func (s *stream) openEvents() {
	if s.opened {
		return
	}
	s.opened = true
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no") // proxies must not buffer events
	s.w.WriteHeader(http.StatusOK)
}

// writeEvent writes and flushes. A client that does not read for too long counts as gone.
func (s *stream) writeEvent(parts ...string) error {
	if s.gone {
		return errGone
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(writeLimit))
	for _, part := range parts {
		if _, err := s.w.Write([]byte(part)); err != nil {
			s.gone = true
			return errGone
		}
	}
	if err := s.control.Flush(); err != nil {
		s.gone = true
		return errGone
	}
	return nil
}

// requests returns true for a stream of events; responses arrive as requests of their own.
func (s *stream) requests() bool { return s.events }

// beat writes a comment, which keeps proxies from closing a silent stream and reveals a client that is gone.
func (s *stream) beat() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.opened {
		return nil
	}
	return s.writeEvent(": \n\n")
}

// start opens the stream before there is anything to send: the client learns at once that it is open.
func (s *stream) start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.openEvents()
	return s.writeEvent(": \n\n")
}

// writeAnswer writes the last frame. A cancelled request has none, but its response must end anyway.
func (s *stream) writeAnswer(a answer, to id, status func(answer) int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case a.silent && !s.opened:
		s.w.WriteHeader(http.StatusAccepted)
	case a.silent:
	case s.opened:
		_ = s.writeEvent("event: message\ndata: ", string(a.frame(to)), "\n\n")
	default:
		_ = s.control.SetWriteDeadline(time.Now().Add(writeLimit))
		reply(s.w, status(a), a.frame(to))
	}
}
