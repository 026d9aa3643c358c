package gateway

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// subscriptions counts who has subscribed to a resource: a server is asked once
// for all sessions, and told when the last has gone.
type subscriptions struct {
	mu    sync.Mutex
	of    map[resourceAt]map[string]bool // sessions
	turns map[resourceAt]*turn
}

// turn lets one after the other ask about a resource: who comes while the first
// is asking must know whether that was granted, and a server must hear of the
// end of a subscription before it hears of the next.
type turn struct {
	free   chan struct{} // of one
	wanted int           // who has it or waits for it
}

// turn waits for a resource's turn, which end gives back.
func (s *subscriptions) turn(ctx context.Context, at resourceAt) (end func(), err error) {
	s.mu.Lock()
	t := s.turns[at]
	if t == nil {
		t = &turn{free: make(chan struct{}, 1)}
		if s.turns == nil {
			s.turns = map[resourceAt]*turn{}
		}
		s.turns[at] = t
	}
	t.wanted++
	s.mu.Unlock()
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if t.wanted--; t.wanted == 0 {
			delete(s.turns, at)
		}
	}
	select {
	case t.free <- struct{}{}:
		return func() { <-t.free; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
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

// at are the resources of a server that somebody has subscribed to.
func (s *subscriptions) at(server string) (out []resourceAt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at := range s.of {
		if at.server == server {
			out = append(out, at)
		}
	}
	return out
}

// covering returns which sessions have subscribed at a server to a resource or to one that it is part of, by what they
// subscribed to. Only these are told of an update: another server may use the same address.
func (s *subscriptions) covering(server, uri string) map[string][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string][]string{}
	enter := func(part string) {
		if sessions := s.of[resourceAt{server, part}]; sessions != nil {
			out[part] = slices.Collect(maps.Keys(sessions))
		}
	}
	enter(uri)
	for i := range len(uri) {
		if strings.Contains("/?#", uri[i:i+1]) {
			enter(uri[:i])
			enter(uri[:i+1])
		}
	}
	return out
}

// forget drops all subscriptions to a resource.
func (s *subscriptions) forget(at resourceAt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.of, at)
}

// resubscribe takes up that a server is no more, or is reached in another way: then
// its resources are subscribed to again there.
func (g *Gateway) resubscribe(server string) {
	for _, at := range g.subscribed.at(server) {
		if g.entry(server) == nil {
			g.subscribed.forget(at)
			continue
		}
		g.spawn(func(ctx context.Context) {
			end, err := g.subscribed.turn(ctx, at)
			if err != nil {
				return
			}
			defer end()
			if _, err := g.pass(ctx, server, "resources/subscribe", uriOf(at), Caller{}); err != nil {
				g.opt.Logger.Warn("a resource cannot be subscribed to again", "server", server, "error", err)
				g.subscribed.forget(at)
			}
		})
	}
}

func uriOf(at resourceAt) json.RawMessage {
	return rawjson.Join([]rawjson.Member{{Name: "uri", Value: rawjson.Quote(at.uri)}})
}

var done = json.RawMessage("{}")

func (g *Gateway) subscribe(ctx context.Context, at resourceAt, params json.RawMessage, c Caller) (json.RawMessage, error) {
	end, err := g.subscribed.turn(ctx, at)
	if err != nil {
		return nil, err
	}
	defer end()
	if !g.subscribed.add(at, c.Session.ID()) {
		return done, nil
	}
	raw, err := g.pass(ctx, at.server, "resources/subscribe", params, c)
	if err != nil {
		g.subscribed.drop(at, c.Session.ID())
	}
	return raw, err
}

func (g *Gateway) unsubscribe(ctx context.Context, at resourceAt, params json.RawMessage, c Caller) (json.RawMessage, error) {
	end, err := g.subscribed.turn(ctx, at)
	if err != nil {
		return nil, err
	}
	defer end()
	if !g.subscribed.drop(at, c.Session.ID()) {
		return done, nil
	}
	return g.pass(ctx, at.server, "resources/unsubscribe", params, c)
}

// SessionEnded ends what a session has subscribed to.
func (g *Gateway) SessionEnded(id string) {
	g.pages.Forget(id)
	for _, at := range g.subscribed.held(id) {
		g.spawn(func(ctx context.Context) {
			_, _ = g.unsubscribe(ctx, at, uriOf(at), Caller{Session: session.New(session.Who{ID: id})})
		})
	}
}
