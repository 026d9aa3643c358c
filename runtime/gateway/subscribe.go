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

// subscriptions records which sessions have subscribed to a resource: the server gets one subscription for all of them,
// and an unsubscription when the last one ends.
type subscriptions struct {
	mu    sync.Mutex
	of    map[resourceAt]map[string]bool // sessions
	turns map[resourceAt]*subscriptionTurn
}

// subscriptionTurn serializes requests about a resource: a second subscriber must learn whether the first one's request was
// granted, and a server must be told of the end of a subscription before the next one.
type subscriptionTurn struct {
	free   chan struct{} // has room for one holder
	wanted int           // holders and waiters
}

// awaitTurn waits for exclusive use of a resource, which end gives back.
func (s *subscriptions) awaitTurn(ctx context.Context, at resourceAt) (end func(), err error) {
	s.mu.Lock()
	t := s.turns[at]
	if t == nil {
		t = &subscriptionTurn{free: make(chan struct{}, 1)}
		if s.turns == nil {
			s.turns = map[resourceAt]*subscriptionTurn{}
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

// add adds a session and reports whether it is the first.
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

// drop removes a session and reports whether it was the last.
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

// heldBy returns the resources that a session has subscribed to.
func (s *subscriptions) heldBy(session string) (out []resourceAt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at, sessions := range s.of {
		if sessions[session] {
			out = append(out, at)
		}
	}
	return out
}

// at returns the resources of a server that have subscribers.
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

// coveringSessions returns the sessions that have subscribed at a server to a resource or to a parent of it, by the URI they
// subscribed to. Only these are notified of an update, because another server may use the same URI.
func (s *subscriptions) coveringSessions(server, uri string) map[string][]string {
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

// resubscribe handles a server that was removed, or is reached in another way: in the latter case it subscribes to its
// resources again.
func (reg *registry) resubscribe(server string) {
	for _, at := range reg.subscribed.at(server) {
		if reg.entryNamed(server) == nil {
			reg.subscribed.forget(at)
			continue
		}
		reg.spawn(func(ctx context.Context) {
			end, err := reg.subscribed.awaitTurn(ctx, at)
			if err != nil {
				return
			}
			defer end()
			if _, err := (&caller{Gateway: reg.whole}).forwardTo(ctx, server, "resources/subscribe", uriOf(at)); err != nil {
				reg.opt.Logger.Warn("a resource cannot be subscribed to again", "server", server, "error", err)
				reg.subscribed.forget(at)
			}
		})
	}
}

func uriOf(at resourceAt) json.RawMessage {
	return rawjson.Join([]rawjson.Member{{Name: "uri", Value: rawjson.Quote(at.uri)}})
}

var done = json.RawMessage("{}")

func (c *caller) subscribe(ctx context.Context, at resourceAt, params json.RawMessage) (json.RawMessage, error) {
	end, err := c.subscribed.awaitTurn(ctx, at)
	if err != nil {
		return nil, err
	}
	defer end()
	if !c.subscribed.add(at, c.by.Session.ID()) {
		return done, nil
	}
	raw, err := c.forwardTo(ctx, at.server, "resources/subscribe", params)
	if err != nil {
		c.subscribed.drop(at, c.by.Session.ID())
	}
	return raw, err
}

func (c *caller) unsubscribe(ctx context.Context, at resourceAt, params json.RawMessage) (json.RawMessage, error) {
	end, err := c.subscribed.awaitTurn(ctx, at)
	if err != nil {
		return nil, err
	}
	defer end()
	if !c.subscribed.drop(at, c.by.Session.ID()) {
		return done, nil
	}
	return c.forwardTo(ctx, at.server, "resources/unsubscribe", params)
}

// SessionEnded ends a session's subscriptions and drops its kept results.
func (g *Gateway) SessionEnded(id string) {
	g.pages.Forget(id)
	for _, at := range g.subscribed.heldBy(id) {
		g.spawn(func(ctx context.Context) {
			_, _ = (&caller{g, Caller{Session: session.New(session.Who{ID: id})}}).unsubscribe(ctx, at, uriOf(at))
		})
	}
}
