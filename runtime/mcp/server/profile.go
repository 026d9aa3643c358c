package server

import (
	"bytes"
	"context"
	"net/http"
	"sync/atomic"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
	"github.com/mark3labs/mcp-go/mcp"
)

// ProfileHeader is the HTTP header by which a client requests a profile: with initialize for its whole session, in the
// stateless era with each request.
const ProfileHeader = "Compactor-Profile"

// face is what the clients of one profile are served.
type face struct {
	profile string
	backend Backend
	sharer  SessionSharer // of the backend; may be nil
	surface atomic.Pointer[surface]
}

// newFace makes the face of a profile. refreshing must be held.
func (s *Server) newFace(profile string) (*face, error) {
	f := &face{profile: profile, backend: s.backend}
	if b := s.backend.As(profile); b != nil {
		f.backend = b
	}
	f.sharer = f.backend.Sharer()
	first, err := newSurface(s.life, f.backend, s.opt)
	if err != nil {
		return nil, err
	}
	f.surface.Store(first)
	return f, nil
}

// faceOf returns the face of a profile, made on first use.
func (s *Server) faceOf(profile string) (*face, error) {
	if f := s.knownFace(profile); f != nil {
		return f, nil
	}
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	if f := s.knownFace(profile); f != nil {
		return f, nil
	}
	f, err := s.newFace(profile)
	if err != nil {
		return nil, err
	}
	s.facing.Lock()
	defer s.facing.Unlock()
	s.faces[profile] = f
	return f, nil
}

func (s *Server) knownFace(profile string) *face {
	s.facing.RLock()
	defer s.facing.RUnlock()
	return s.faces[profile]
}

// surfaces returns the surfaces of all profiles in use.
func (s *Server) surfaces() (out []*surface) {
	s.facing.RLock()
	defer s.facing.RUnlock()
	for _, f := range s.faces {
		out = append(out, f.surface.Load())
	}
	return out
}

// resolveFace decides once what a request is served with: a reload may have changed its client's profile. The error is
// for the client.
func (s *Server) resolveFace(sess *session, r *request) *rpcError {
	if r.met {
		return r.stranger
	}
	r.met = true
	client := r.sender(sess).Name
	if !r.modern && r.method == string(mcp.MethodInitialize) {
		client, _ = nameAndVersion(r.param("clientInfo"))
	}
	profile, err := s.backend.Profile(sess.asked, client)
	if err != nil {
		r.stranger = invalidParams(ProfileHeader + ": " + sanitize.OneLine(err.Error(), maxLine))
		return r.stranger
	}
	if r.face, err = s.faceOf(profile); err != nil {
		s.log.Error("the tools of a profile cannot be served", "profile", profile, "error", err)
		r.stranger = &rpcError{Code: mcp.INTERNAL_ERROR, Message: "internal error"}
		return r.stranger
	}
	sess.news.setProfile(sess.asked, client, profile)
	return nil
}

// refresh replaces the backend's surfaces, or keeps an old one if the new one fails. Clients are notified only if a
// list differs. Surfaces of profiles without a listening session are dropped, and made again on next use.
func (s *Server) refresh() {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	moved := s.hub.moveListeners(s.backend.Profile)
	s.facing.RLock()
	faces := make([]*face, 0, len(s.faces))
	for _, f := range s.faces {
		faces = append(faces, f)
	}
	s.facing.RUnlock()
	for _, f := range faces {
		if f.profile != s.first && !s.hub.hasProfile(f.profile) {
			s.facing.Lock()
			delete(s.faces, f.profile)
			s.facing.Unlock()
			continue
		}
		next, err := newSurface(s.life, f.backend, s.opt)
		if err != nil {
			s.log.Error("the changed tools cannot be served, the old ones stay", "profile", f.profile, "error", err)
			continue
		}
		old := f.surface.Swap(next)
		if !bytes.Equal(old.lists[wholeLook].legacy, next.lists[wholeLook].legacy) || !bytes.Equal(old.lists[0].legacy, next.lists[0].legacy) {
			s.toolsChanged(f.profile)
		}
	}
	for _, l := range moved {
		l.changedAll()
	}
}

// askedProfile returns the profile that an HTTP request asks for by header; ok is false if it asks for more than one.
func askedProfile(r *http.Request) (asked *Asked, ok bool) {
	switch values := r.Header.Values(ProfileHeader); len(values) {
	case 0:
		return nil, true
	case 1:
		return &Asked{Profile: values[0]}, true
	}
	return nil, false
}

// requestedProfile returns the profile that a request asks for, or writes an error. A session keeps the profile it
// began with: clients of another profile must not see what was said in it.
func (e *endpoint) requestedProfile(w http.ResponseWriter, r *http.Request, of *session) (asked *Asked, ok bool) {
	asked, ok = askedProfile(r)
	holder, held := guard.HolderOf(r.Context())
	switch {
	case !ok:
		refuseHTTP(w, http.StatusBadRequest, ProfileHeader+" is there more than once: ask for one profile")
		return nil, false
	case held && asked != nil && asked.Profile != holder:
		refuseHTTP(w, http.StatusForbidden, ProfileHeader+" is another profile than that of the access token: leave it out")
		return nil, false
	case held:
		asked = &Asked{Profile: holder, Token: true}
	}
	switch {
	case of == nil, of.asked != nil && asked != nil && *of.asked == *asked:
		return asked, true
	case held || of.asked != nil && of.asked.Token:
		refuseHTTP(w, http.StatusForbidden, "this session began with another access token: initialize again")
		return nil, false
	case asked == nil:
		return asked, true
	}
	refuseHTTP(w, http.StatusBadRequest, ProfileHeader+" is another than the session began with: initialize again to have another profile")
	return nil, false
}

// moveListeners recomputes the profiles of subscribers, and returns the subscribers whose profile changed.
func (h *hub) moveListeners(profile func(asked *Asked, client string) (string, error)) (moved []*subscriber) {
	h.mu.Lock()
	all := make([]*subscriber, 0, len(h.listeners))
	for l := range h.listeners {
		all = append(all, l)
	}
	h.mu.Unlock()
	for _, l := range all {
		l.mu.Lock()
		asked, client, had, served := l.asked, l.client, l.profile, l.served
		l.mu.Unlock()
		if !served {
			continue
		}
		now, err := profile(asked, client)
		if gone := err != nil; gone || now != had {
			l.mu.Lock()
			l.profile, l.gone = now, gone
			l.mu.Unlock()
			moved = append(moved, l)
		}
	}
	return moved
}

// hasProfile reports whether a subscriber is served with a profile.
func (h *hub) hasProfile(profile string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range h.listeners {
		if l.servesProfile(func(p string) bool { return p == profile }) {
			return true
		}
	}
	return false
}

// setProfile records the profile that a subscriber is served with, and what decided it. A request may come before
// refresh after a reload: then the subscriber is notified of its new profile here, as refresh will see no difference.
func (l *subscriber) setProfile(asked *Asked, client, profile string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	moved := l.served && l.profile != profile
	l.asked, l.client, l.profile, l.served, l.gone = asked, client, profile, true, false
	l.mu.Unlock()
	if moved {
		l.changedAll()
	}
}

// servesProfile reports whether of returns true for the subscriber's profile.
func (l *subscriber) servesProfile(of func(profile string) bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.served && !l.gone && of(l.profile)
}

// changedAll tells a subscriber that everything it is served may have changed.
func (l *subscriber) changedAll() {
	for _, method := range []string{mcp.MethodNotificationToolsListChanged, mcp.MethodNotificationResourcesListChanged, mcp.MethodNotificationPromptsListChanged} {
		if n := (notification{key: method, method: method}); l.concerns(n) {
			l.put(n)
		}
	}
}

// awaitTools lets the backend complete the tools of a profile, and takes over any changes.
func (s *Server) awaitTools(ctx context.Context, f *face, tool string) error {
	changed, err := f.backend.Await(ctx, tool)
	if changed {
		s.refresh()
	}
	return err
}
