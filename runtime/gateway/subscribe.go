package gateway

import (
	"context"
	"encoding/json"
	"sync"

	"compactor/runtime/server/rawjson"
)

// subscriptions counts who has subscribed to a resource: a server is asked once
// for all sessions, and told when the last has gone.
type subscriptions struct {
	mu sync.Mutex
	of map[resourceAt]map[string]bool // sessions
}

type resourceAt struct{ server, uri string }

// add enters a session and reports whether it is the first.
func (s *subscriptions) add(at resourceAt, session string) (first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[resourceAt]map[string]bool{}
	}
	if s.of[at] == nil {
		s.of[at] = map[string]bool{}
		first = true
	}
	s.of[at][session] = true
	return first
}

// drop takes a session out and reports whether it was the last.
func (s *subscriptions) drop(at resourceAt, session string) (last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.of[at][session] {
		return false
	}
	delete(s.of[at], session)
	if len(s.of[at]) > 0 {
		return false
	}
	delete(s.of, at)
	return true
}

// held are the resources that a session has subscribed to.
func (s *subscriptions) held(session string) (out []resourceAt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at, sessions := range s.of {
		if sessions[session] {
			out = append(out, at)
		}
	}
	return out
}

// forget drops all subscriptions at a server that is no more.
func (s *subscriptions) forget(server string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := range s.of {
		if at.server == server {
			delete(s.of, at)
		}
	}
}

var done = json.RawMessage("{}")

func (g *Gateway) subscribe(ctx context.Context, at resourceAt, params json.RawMessage, c Caller) (json.RawMessage, error) {
	if !g.subscribed.add(at, c.Session) {
		return done, nil
	}
	raw, err := g.pass(ctx, at.server, "resources/subscribe", params, c)
	if err != nil {
		g.subscribed.drop(at, c.Session)
	}
	return raw, err
}

func (g *Gateway) unsubscribe(ctx context.Context, at resourceAt, params json.RawMessage, c Caller) (json.RawMessage, error) {
	if !g.subscribed.drop(at, c.Session) {
		return done, nil
	}
	return g.pass(ctx, at.server, "resources/unsubscribe", params, c)
}

// SessionEnded ends what a session has subscribed to.
func (g *Gateway) SessionEnded(session string) {
	for _, at := range g.subscribed.held(session) {
		params, _ := rawjson.Marshal(map[string]string{"uri": at.uri})
		g.spawn(func(ctx context.Context) { _, _ = g.unsubscribe(ctx, at, params, Caller{Session: session}) })
	}
}
