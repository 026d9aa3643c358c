package service

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/server"
)

// Offers says what upstream servers offer beside tools.
func (b Backend) Offers() server.Offers {
	o := b.gatewayOf(b.as).Offers()
	return server.Offers{Resources: o.Resources, ResourceSubscribe: o.Subscribe, Prompts: o.Prompts, Completions: o.Completions}
}

// Forward has an upstream server answer a request that is not about tools.
func (b Backend) Forward(ctx context.Context, f server.Forward) (json.RawMessage, error) {
	raw, err := b.gatewayOf(b.as).Forward(ctx, f.Method, f.Params, gateway.Caller{Session: b.session(f.Session, f.Client, f.Stateless), Params: f.Params, Note: f.Note, Ask: f.Ask, Rounds: f.Stateless,
		Offers: offersOf(f.Client, f.Ask != nil || f.Stateless), LogLevel: f.LogLevel})
	return raw, passed(err)
}

// OnNotice registers a function that is told of changed resources and prompts, and of what
// upstream servers log outside of calls.
func (b Backend) OnNotice(tell func(server.Notice)) (stop func()) {
	s := b.Service
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.next
	s.next++
	s.noticers[id] = tell
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.noticers, id)
	}
}

// notice passes on what an upstream server announced.
func (s *Service) notice(from, what string) {
	n := server.Notice{Method: "notifications/" + what + "/list_changed", Profiles: s.seeing(from)}
	if uri, ok := strings.CutPrefix(what, "resource:"); ok {
		n.Method = "notifications/resources/updated"
		n.Params, _ = json.Marshal(map[string]string{"uri": uri})
	}
	s.tellNotice(n)
}

// logged passes on what an upstream server says outside of calls.
func (s *Service) logged(from string, params json.RawMessage) {
	s.tellNotice(server.Notice{Method: "notifications/message", Params: params, Profiles: s.seeing(from)})
}

// seeing reports whether clients of a profile see a server of this name.
func (s *Service) seeing(upstream string) func(profile string) bool {
	snap := s.Snapshot()
	return func(profile string) bool {
		_, is := snap.of(profile).Plan.Config.Servers[upstream]
		return is
	}
}

func (s *Service) tellNotice(n server.Notice) {
	s.mu.Lock()
	tell := slices.Collect(maps.Values(s.noticers))
	s.mu.Unlock()
	for _, fn := range tell {
		fn(n)
	}
}
