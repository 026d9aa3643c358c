package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// maxTold limits the pending change notifications; resources beyond it are reported when they change again.
const maxTold = 1000

// queueChange queues a change notification. It returns at once.
func (s *Server) queueChange(what string) {
	if s.opt.Changed == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.told) >= maxTold {
		return
	}
	s.told[what] = true
	if !s.telling {
		s.telling = true
		go s.reportChanges()
	}
}

func (s *Server) reportChanges() {
	for {
		s.mu.Lock()
		list := slices.Sorted(maps.Keys(s.told))
		clear(s.told)
		if len(list) == 0 || s.closed {
			s.telling = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		for _, what := range list {
			s.opt.Changed(what)
		}
	}
}

// lists are the parts of a server that may change, with their members in a stateless subscription.
var lists = []struct{ name, member string }{
	{"tools", "toolsListChanged"}, {"resources", "resourcesListChanged"}, {"prompts", "promptsListChanged"},
}

// watchChanges prepares a new connection for change notifications. After a reconnect all lists may have changed unnoticed.
func (s *Server) watchChanges(c *conn, again bool) {
	speaks := len(s.spec.Allow) > 0 || c.about.offersCapability("resources", "subscribe") ||
		s.opt.Log != nil && c.about.offersCapability("logging", "")
	for _, l := range lists {
		if again && c.about.offersCapability(l.name, "") {
			s.queueChange(l.name)
		}
		speaks = speaks || c.about.offersCapability(l.name, "listChanged")
	}
	if c.isStateless() {
		c.subscribe()
		return
	}
	if speaks {
		c.wire.listen()
	}
	s.mu.Lock()
	uris := slices.Sorted(maps.Keys(s.uris))
	s.mu.Unlock()
	for _, uri := range uris {
		c.spawn(func() { _, _ = c.request(c.ctx, subscriptionTo(string(mcp.MethodResourcesSubscribe), uri)) })
	}
}

func subscriptionTo(method, uri string) Request {
	return Request{Method: method, Params: rawjson.Join([]rawjson.Member{{Name: "uri", Value: rawjson.Quote(uri)}})}
}

// subscribe opens the subscription of the stateless era, replacing the previous one.
func (c *conn) subscribe() {
	var filter []rawjson.Member
	for _, l := range lists {
		if c.about.offersCapability(l.name, "listChanged") {
			filter = append(filter, rawjson.Member{Name: l.member, Value: json.RawMessage("true")})
		}
	}
	c.server.mu.Lock()
	uris := slices.Sorted(maps.Keys(c.server.uris))
	c.server.mu.Unlock()
	if len(uris) > 0 {
		list, _ := rawjson.Marshal(uris)
		filter = append(filter, rawjson.Member{Name: "resourceSubscriptions", Value: list})
	}
	c.mu.Lock()
	before := c.unsubscribe
	var ctx context.Context
	ctx, c.unsubscribe = context.WithCancel(c.ctx)
	c.mu.Unlock()
	if before != nil {
		before()
	}
	if len(filter) == 0 {
		return
	}
	params := rawjson.Join([]rawjson.Member{{Name: "notifications", Value: rawjson.Join(filter)}})
	c.spawn(func() {
		c.holdSubscription(ctx, Request{Method: string(mcp.MethodSubscriptionsListen), Params: params})
	})
}

// holdSubscription keeps a subscription open. One that the server ends is requested again, at growing intervals; a server that does
// not hold one open is left alone.
func (c *conn) holdSubscription(ctx context.Context, r Request) {
	short := 0 // consecutive subscriptions that ended at once
	for wait := firstWait; short < openAfter; wait = min(2*wait, maxWait) {
		began := time.Now()
		_, err := c.request(ctx, r)
		var rpc *RPCError
		if errors.As(err, &rpc) || sleep(ctx, wait) != nil {
			return
		}
		if short++; time.Since(began) > maxWait {
			short, wait = 0, firstWait
		}
		c.changes.Add(1) // changes in between were missed
		for _, l := range lists {
			if c.about.offersCapability(l.name, "listChanged") {
				c.server.queueChange(l.name)
			}
		}
	}
}

// Limits of the resources of one server that are subscribed to, over all callers. In the stateless era each new one is
// sent to the server together with all the others.
const (
	maxURIs     = 4096
	maxURIBytes = 512 << 10
)

// atSubscriptionLimit reports whether the limit of subscriptions is reached.
func (s *Server) atSubscriptionLimit(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.uris[uri] {
		return false
	}
	size := len(uri)
	for u := range s.uris {
		size += len(u)
	}
	return len(s.uris) >= maxURIs || size > maxURIBytes
}

// handleSubscription tracks the subscribed resources, so that they are subscribed to again after a reconnect, and converts
// them to the form of the stateless era. done is false for other requests.
func (s *Server) handleSubscription(ctx context.Context, r Request) (result json.RawMessage, err error, done bool) {
	subscribe := r.Method == string(mcp.MethodResourcesSubscribe)
	if !subscribe && r.Method != string(mcp.MethodResourcesUnsubscribe) {
		return nil, nil, false
	}
	uri := rawjson.GetText(r.Params, "uri")
	if uri == "" || len(uri) > maxURI {
		return nil, &Error{Code: CodeExecution, Server: s.spec.Name, Message: "params need the uri of a resource"}, true
	}
	if subscribe && s.atSubscriptionLimit(uri) {
		return nil, &Error{Code: CodeExecution, Server: s.spec.Name, Message: "too many of its resources are subscribed to: unsubscribe from some"}, true
	}
	for try := 1; ; try++ {
		c, err := s.acquire(ctx, need{})
		if err != nil {
			return nil, err, true
		}
		result, err = s.subscribeOver(ctx, c, r, uri)
		s.release(c)
		if err == nil || try == maxTries || ctx.Err() != nil || !errors.Is(err, errNotSent) {
			return result, err, true
		}
	}
}

// subscribeOver subscribes to a resource over a connection, or unsubscribes, and then over all others: each may be a
// separate program that knows only its own changes.
func (s *Server) subscribeOver(ctx context.Context, c *conn, r Request, uri string) (json.RawMessage, error) {
	result := json.RawMessage(`{}`)
	if !c.isStateless() {
		var err error
		r.over = c
		if result, err = s.doCounted(ctx, r); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	if r.Method == string(mcp.MethodResourcesSubscribe) {
		s.uris[uri] = true
	} else {
		delete(s.uris, uri)
	}
	conns := slices.Clone(s.conns)
	s.mu.Unlock()
	for _, o := range conns {
		switch {
		case o.isStateless():
			o.subscribe()
		case o != c:
			o.spawn(func() { _, _ = o.request(o.ctx, subscriptionTo(r.Method, uri)) })
		}
	}
	return result, nil
}
