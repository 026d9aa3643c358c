package server

import (
	"context"
	"errors"
	"sync"
	"time"
)

var errSessionsFull = errors.New("all sessions are in use")

// sessions are the HTTP sessions of the handshake era: bounded in number, forgotten when unused. There is no sweeper;
// what is over is cleared away when a new one comes, so that a server without visitors does nothing.
type sessions struct {
	opt Options
	hub *hub
	end func(id string) // called with mu held, after the session is gone

	mu   sync.Mutex
	byID map[string]*httpSession
}

type httpSession struct {
	*session
	over chan struct{} // the session was removed

	// Guarded by sessions.mu.
	holds int       // requests and streams that use it now
	used  time.Time // end of the last

	streamMu sync.Mutex
	stream   *context.CancelFunc // of the stream that follows changes
}

func newSessions(opt Options, hub *hub, end func(id string)) *sessions {
	return &sessions{opt: opt, hub: hub, end: end, byID: map[string]*httpSession{}}
}

// add makes a session. When there are too many, the one unused for longest gives way; one in use never does.
func (t *sessions) add() (*httpSession, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.opt.Now()
	if len(t.byID) >= t.opt.MaxSessions {
		t.clear(now)
	}
	if len(t.byID) >= t.opt.MaxSessions {
		return nil, errSessionsFull
	}
	s := &httpSession{session: newSession(newID(), t.opt.MaxCalls), over: make(chan struct{}), used: now}
	s.news = t.hub.join(&listener{id: s.id, sess: s.session})
	t.byID[s.id] = s
	return s, nil
}

// clear drops the sessions that are over their time, or else the one unused for longest.
func (t *sessions) clear(now time.Time) {
	var oldest *httpSession
	for _, s := range t.byID {
		switch {
		case s.holds > 0:
		case t.expired(s, now):
			t.drop(s)
		case oldest == nil || s.used.Before(oldest.used):
			oldest = s
		}
	}
	if len(t.byID) >= t.opt.MaxSessions && oldest != nil {
		t.drop(oldest)
	}
}

func (t *sessions) expired(s *httpSession, now time.Time) bool {
	return s.holds == 0 && now.Sub(s.used) > t.opt.SessionIdle
}

// hold finds a session and keeps it from being forgotten until release; nil when there is none.
func (t *sessions) hold(id string) (_ *httpSession, release func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.byID[id]
	if s == nil {
		return nil, nil
	}
	if t.expired(s, t.opt.Now()) {
		t.drop(s)
		return nil, nil
	}
	s.holds++
	return s, sync.OnceFunc(func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		s.holds--
		s.used = t.opt.Now()
	})
}

// remove ends a session at its client's wish.
func (t *sessions) remove(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.byID[id]; s != nil {
		t.drop(s)
		s.cancelAll(errEnded)
	}
}

func (t *sessions) drop(s *httpSession) {
	delete(t.byID, s.id)
	t.hub.leave(s.news)
	close(s.over)
	t.end(s.id)
}

// follow makes cancel the end of the session's stream and ends the one before; the returned function gives it up.
func (s *httpSession) follow(cancel context.CancelFunc) (done func()) {
	s.streamMu.Lock()
	defer s.streamMu.Unlock()
	if s.stream != nil {
		(*s.stream)()
	}
	mine := &cancel
	s.stream = mine
	return func() {
		s.streamMu.Lock()
		defer s.streamMu.Unlock()
		if s.stream == mine {
			s.stream = nil
		}
	}
}
