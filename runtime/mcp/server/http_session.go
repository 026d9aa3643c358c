package server

import (
	"context"
	"errors"
	"net/http"
	"net/netip"

	"github.com/mark3labs/mcp-go/mcp"
)

// serveHandshake serves a message of the era with sessions.
func (e *endpoint) serveHandshake(w http.ResponseWriter, r *http.Request, req *request) {
	starts := req.method == string(mcp.MethodInitialize) && req.id.isGiven()
	if !starts && !e.versionKnown(w, r) {
		return
	}
	if starts {
		e.initialize(w, r, req)
		return
	}
	if req.method == string(mcp.MethodServerDiscover) && req.id.isGiven() {
		// A stateless request without any version: report that, not a missing session.
		reply(w, http.StatusBadRequest, failed(req.checkEra()).frame(req.id))
		return
	}
	sess, release, ok := e.holdSession(w, r)
	if !ok {
		return
	}
	defer release()
	switch {
	case req.response:
		sess.asks.deliver(req.message)
	case req.id.isGiven():
		if req.method == string(mcp.MethodSetLogLevel) {
			defer e.server.shareSession(r.Context(), sess.session)
		}
		e.run(w, r, sess.session, req, okStatus)
		return
	case req.method == string(mcp.MethodNotificationCancelled):
		sess.cancel(parseIDParam(req.param("requestId")))
	}
	w.WriteHeader(http.StatusAccepted)
}

// initialize starts a session. Its id is sent in a header, only if the handshake succeeded.
func (e *endpoint) initialize(w http.ResponseWriter, r *http.Request, req *request) {
	asked, ok := e.requestedProfile(w, r, nil)
	if !ok {
		return
	}
	sess, err := e.server.sessions.add(clientOf(r), asked)
	if err != nil {
		noRoom(w, err)
		return
	}
	out := newStream(w, false)
	a := e.server.handle(r.Context(), sess.session, req, out)
	if a.err != nil {
		e.server.sessions.remove(sess.id)
	} else {
		e.server.shareSession(r.Context(), sess.session)
		w.Header().Set(mcp.HeaderSessionID, sess.id)
	}
	out.writeAnswer(a, req.id, okStatus)
}

// noRoom reports why there is no room for a session.
func noRoom(w http.ResponseWriter, err error) {
	w.Header().Set("Retry-After", "30")
	if errors.Is(err, errTooManyOwn) {
		refuseHTTP(w, http.StatusTooManyRequests, "this client has too many sessions in use: end some with DELETE, or go on in one")
		return
	}
	refuseHTTP(w, http.StatusServiceUnavailable, "all sessions are in use: try again later")
}

// clientOf identifies the sender of a request as far as possible, by an address beyond this machine. All senders on
// this machine are the same, "", and belong to one person.
func clientOf(r *http.Request) string {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || at.Addr().Unmap().IsLoopback() {
		return ""
	}
	return at.Addr().Unmap().WithZone("").String()
}

func (e *endpoint) versionKnown(w http.ResponseWriter, r *http.Request) bool {
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	if version == "" || mcp.IsValidProtocolVersion(version) {
		return true
	}
	refuseHTTP(w, http.StatusBadRequest, mcp.HeaderProtocolVersion+" names a version that is not spoken here: initialize again")
	return false
}

// holdSession finds the session that a request belongs to and holds it until release.
func (e *endpoint) holdSession(w http.ResponseWriter, r *http.Request) (_ *httpSession, release func(), ok bool) {
	key := r.Header.Get(mcp.HeaderSessionID)
	if key == "" {
		refuseHTTP(w, http.StatusBadRequest, mcp.HeaderSessionID+" is missing: send the id that initialize gave")
		return nil, nil, false
	}
	sess, release := e.server.sessions.hold(key)
	var err error
	if sess == nil {
		sess, release, err = e.server.resumeSession(r.Context(), key, clientOf(r))
	}
	switch {
	case errors.Is(err, errTooManyOwn), errors.Is(err, errSessionsFull):
		noRoom(w, err)
		return nil, nil, false
	case err != nil:
		refuseHTTP(w, http.StatusNotFound, "this session is unknown here, and whether another server has it cannot be known now: initialize again")
		return nil, nil, false
	case sess == nil:
		refuseHTTP(w, http.StatusNotFound, "this session is unknown or over: initialize again")
		return nil, nil, false
	}
	if _, ok := e.requestedProfile(w, r, sess.session); !ok {
		release()
		return nil, nil, false
	}
	if e.server.sharer != nil {
		e.server.sharer.SessionUsed(key)
	}
	return sess, release, true
}

// get opens the stream on which a session receives changes. A second stream replaces the first, which the client has
// lost.
func (e *endpoint) get(w http.ResponseWriter, r *http.Request) {
	if !accepts(r, "text/event-stream") {
		refuseHTTP(w, http.StatusNotAcceptable, "accept text/event-stream")
		return
	}
	if !e.versionKnown(w, r) {
		return
	}
	sess, release, ok := e.holdSession(w, r)
	if !ok {
		return
	}
	defer release()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer sess.replaceStream(cancel)()
	out := newStream(w, true)
	if out.start() == nil {
		e.server.followChanges(ctx, sess.news, sess.over, inUse{out, e.server, sess.id})
	}
}

// delete ends a session and its requests in flight.
func (e *endpoint) delete(w http.ResponseWriter, r *http.Request) {
	if !e.versionKnown(w, r) {
		return
	}
	sess, release, ok := e.holdSession(w, r)
	if !ok {
		return
	}
	release()
	if e.server.sharer != nil {
		e.server.sharer.EndSession(r.Context(), sess.id)
	}
	e.server.sessions.remove(sess.id)
	w.WriteHeader(http.StatusNoContent)
}
