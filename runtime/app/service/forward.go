package service

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
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
func (s *Service) notice(g gateway.Notice) {
	n := server.Notice{Method: "notifications/" + g.List + "/list_changed", Profiles: s.seeing(g.Server), Sessions: g.Sessions}
	if g.List == "" {
		n.Method = "notifications/resources/updated"
		n.Params, _ = json.Marshal(map[string]string{"uri": g.URI})
	}
	s.tellNotice(n)
}

// logged passes on what an upstream server says outside of calls.
func (s *Service) logged(from string, params json.RawMessage, session string) {
	n := server.Notice{Method: "notifications/message", Params: params, Profiles: s.seeing(from)}
	if session != "" {
		n.Sessions = []string{session}
	}
	s.tellNotice(n)
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
