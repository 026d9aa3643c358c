package server

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Errors when there is no room for a session.
var (
	errSessionsFull = errors.New("all sessions are in use")
	errTooManyOwn   = errors.New("this client has too many sessions")
)

// activeTime is how long after its last request a session is not taken away from its client.
const activeTime = time.Minute

// sessions are the HTTP sessions of the handshake era: limited in number, forgotten when unused. There is no sweeper;
// expired ones are removed when a new one arrives, so an idle server does no work.
type sessions struct {
	opt Options
	hub *hub
	end func(id string) // called with mu held, after the session is gone

	mu       sync.Mutex
	byID     map[string]*httpSession
	resuming map[string]chan struct{} // closed once it is known whether another server has the session
}

type httpSession struct {
	*session
	over chan struct{} // closed when the session is removed

	// Guarded by sessions.mu.
	holds   int       // requests and streams that use it now
	used    time.Time // end of the last use
	touched bool      // it was used after the handshake
	client  string    // its owner, as far as known; see clientOf

	streamMu sync.Mutex
	stream   *context.CancelFunc // of the stream that follows changes
}

func newSessions(opt Options, hub *hub, end func(id string)) *sessions {
	return &sessions{opt: opt, hub: hub, end: end, byID: map[string]*httpSession{}, resuming: map[string]chan struct{}{}}
}

// add makes a session for a client and the profile it requests, if any. It may drop an unused session; see makeRoom.
func (t *sessions) add(client string, asked *Asked) (*httpSession, error) {
	sess := newSession(newID(), t.opt.MaxCalls)
	sess.asked = asked
	return t.addExisting(sess, client)
}

// addExisting does the same as add for an existing session.
func (t *sessions) addExisting(sess *session, client string) (*httpSession, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.opt.Now()
	if client != "" && t.countOf(client) >= max(1, t.opt.MaxSessions/2) && !t.makeRoom(now, client) {
		return nil, errTooManyOwn
	}
	if len(t.byID) >= t.opt.MaxSessions && !t.makeRoom(now, "") {
		return nil, errSessionsFull
	}
	s := &httpSession{session: sess, over: make(chan struct{}), used: now, client: client}
	s.news = t.hub.join(&subscriber{id: s.id, sess: s.session})
	t.byID[s.id] = s
	return s, nil
}

// countOf returns the number of sessions of a client.
func (t *sessions) countOf(client string) (n int) {
	for _, s := range t.byID {
		if s.client == client {
			n++
		}
	}
	return n
}

// makeRoom drops the expired sessions, or else one session: the oldest one never used after the handshake, else the least
// recently used. It never drops a session in use or used a moment ago: a client that keeps starting sessions must not
// end those of others. It returns whether there is room now. A client that is not "" limits it to that client's
// sessions.
func (t *sessions) makeRoom(now time.Time, client string) bool {
	var victim *httpSession
	cleared := false
	for _, s := range t.byID {
		switch {
		case s.holds > 0 || client != "" && s.client != client:
		case t.isExpired(s, now):
			t.drop(s)
			cleared = true
		case s.touched && now.Sub(s.used) < activeTime:
		case victim == nil || !s.touched && victim.touched || s.touched == victim.touched && s.used.Before(victim.used):
			victim = s
		}
	}
	if !cleared && victim != nil {
		t.drop(victim)
		cleared = true
	}
	return cleared
}

func (t *sessions) isExpired(s *httpSession, now time.Time) bool {
	return s.holds == 0 && now.Sub(s.used) > t.opt.SessionIdle
}

// hold returns a session and keeps it from being forgotten until release; nil if there is none.
func (t *sessions) hold(id string) (_ *httpSession, release func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.byID[id]
	if s == nil {
		return nil, nil
	}
	if t.isExpired(s, t.opt.Now()) {
		t.drop(s)
		return nil, nil
	}
	s.holds++
	s.touched = true
	return s, sync.OnceFunc(func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		s.holds--
		s.used = t.opt.Now()
	})
}

// remove ends a session at its client's request.
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

// replaceStream ends the session's previous stream, if any, and registers cancel to end the new one; done unregisters it.
func (s *httpSession) replaceStream(cancel context.CancelFunc) (done func()) {
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
