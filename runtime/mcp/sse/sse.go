// Package sse writes server-sent events.
package sse

import (
	"errors"
	"net/http"
	"time"
)

// Media is the media type of a stream of events.
const Media = "text/event-stream"

// WriteLimit is how long one write to a client may take before the client counts as gone.
const WriteLimit = 30 * time.Second

// ErrGone says that the client is gone.
var ErrGone = errors.New("the client is gone")

// Writer writes events as the response to a request. It is not safe for concurrent use.
type Writer struct {
	Opened bool // the header is written

	w       http.ResponseWriter
	control *http.ResponseController
	gone    bool
}

// New returns a writer that has written nothing yet.
func New(w http.ResponseWriter) *Writer {
	return &Writer{w: w, control: http.NewResponseController(w)}
}

// Open writes the header of an event stream, once.
func (s *Writer) Open() {
	if s.Opened {
		return
	}
	s.Opened = true
	h := s.w.Header()
	h.Set("Content-Type", Media)
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no") // proxies must not buffer events
	s.w.WriteHeader(http.StatusOK)
}

// Send opens the stream and writes an event. data is one line. The error is ErrGone.
func (s *Writer) Send(name, data string) error {
	s.Open()
	return s.write("event: ", name, "\ndata: ", data, "\n\n")
}

// Beat writes a comment, which keeps proxies from closing a silent stream and reveals a client that is gone.
func (s *Writer) Beat() error { return s.write(": \n\n") }

// write writes and flushes. A client that does not read for too long counts as gone.
func (s *Writer) write(parts ...string) error {
	if s.gone {
		return ErrGone
	}
	s.LimitWrite()
	for _, part := range parts {
		if _, err := s.w.Write([]byte(part)); err != nil {
			s.gone = true
			return ErrGone
		}
	}
	if err := s.control.Flush(); err != nil {
		s.gone = true
		return ErrGone
	}
	return nil
}

// LimitWrite limits the time of the next write. A connection that has no deadlines has none.
func (s *Writer) LimitWrite() { _ = s.control.SetWriteDeadline(time.Now().Add(WriteLimit)) }
