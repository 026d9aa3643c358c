package server

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// connection is what another server needs to continue a session: the data of the handshake, and the log level. Calls in
// flight, questions to the client and subscriptions stay with the server that has them.
type connection struct {
	Client  mcp.Implementation
	Caps    mcp.ClientCapabilities
	Said    Client
	Level   mcp.LoggingLevel
	Logs    bool
	Version string
	Asked   *Asked // profile that the client requested
	Profile string // profile that it is served with
}

// encodeState returns the connection data to share, for a client that is served with a profile.
func (s *session) encodeState(profile string) (json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return rawjson.Marshal(connection{s.client, s.caps, s.said, s.level, s.logs, s.version, s.asked, profile})
}

// errElsewhere says that a session was served with another profile than it would be here.
var errElsewhere = errors.New("this session has another profile here")

// decodeSession returns a session that another server began.
func (srv *Server) decodeSession(id string, state json.RawMessage) (*session, error) {
	var c connection
	if err := json.Unmarshal(state, &c); err != nil {
		return nil, err
	}
	if now, err := srv.backend.Profile(c.Asked, c.Said.Name); err != nil || now != c.Profile {
		return nil, errElsewhere
	}
	s := newSession(id, srv.opt.MaxCalls)
	s.asked = c.Asked
	s.client, s.caps, s.said, s.level, s.logs, s.version = c.Client, c.Caps, c.Said, c.Level, c.Logs, c.Version
	s.offers, s.ready = asksOffered(c.Said.Declared), true
	s.shared.Store(true)
	return s, nil
}

// shareSession makes the current state of a session available to other servers.
func (s *Server) shareSession(ctx context.Context, sess *session) {
	if s.sharer == nil {
		return
	}
	client := sess.declaredClient()
	profile, err := s.backend.Profile(sess.asked, client.Name)
	if err != nil { // nothing is served to it, here or elsewhere
		return
	}
	f, err := s.faceOf(profile)
	if err != nil {
		return // as above
	}
	state, err := sess.encodeState(profile)
	if err != nil {
		s.log.Error("a session cannot be shared", "error", err)
		return
	}
	sess.shared.Store(true)
	f.sharer.ShareSession(ctx, Session{ID: sess.id, Client: client}, state)
}

// sessionID is the form of ids that servers issue: other ids are not looked up.
var sessionID = lazyregexp.New(`^[A-Z2-7]{26}$`)

// resumeSession continues a session that another server began, and holds it as hold does; nil if there is none. Concurrent
// requests look it up once. The error says that it is unknown whether there is one.
func (s *Server) resumeSession(ctx context.Context, id, client string) (_ *httpSession, release func(), err error) {
	if s.sharer == nil || !sessionID.MatchString(id) {
		return nil, nil, nil
	}
	done, first := s.sessions.awaitResume(id)
	if !first {
		select {
		case <-done:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
		sess, release := s.sessions.hold(id)
		return sess, release, nil
	}
	defer s.sessions.resumeDone(id)
	if sess, release := s.sessions.hold(id); sess != nil { // the previous request was faster
		return sess, release, nil
	}
	state, err := s.sharer.ResumeSession(ctx, id)
	if err != nil || state == nil {
		return nil, nil, err
	}
	sess, err := s.decodeSession(id, state)
	if err == nil {
		if names := s.sharer.ShownTo(id); names != nil {
			sess.shown, sess.as = names, Session{ID: id, Client: sess.said}
		}
		_, err = s.sessions.addExisting(sess, client)
	}
	if err != nil {
		s.backend.SessionEnded(id) // on this server
		if errors.Is(err, errElsewhere) {
			return nil, nil, nil
		}
		return nil, nil, err
	}
	out, release := s.sessions.hold(id)
	return out, release, nil
}

// awaitResume returns a channel that is closed once it is known whether another server has a session. first must find out.
func (t *sessions) awaitResume(id string) (done chan struct{}, first bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if done := t.resuming[id]; done != nil {
		return done, false
	}
	t.resuming[id] = make(chan struct{})
	return t.resuming[id], true
}

func (t *sessions) resumeDone(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.resuming[id])
	delete(t.resuming, id)
}

// inUse is the stream of a session, which counts as in use as long as the stream lives.
type inUse struct {
	*stream
	server *Server
	id     string
}

func (u inUse) beat() error {
	if u.server.sharer != nil {
		u.server.sharer.SessionUsed(u.id)
	}
	return u.stream.beat()
}
