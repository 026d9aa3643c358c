package service

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// Offers returns what upstream servers offer in addition to tools.
func (b Backend) Offers() server.Offers {
	o := b.gatewayOf(b.as).Offers()
	return server.Offers{Resources: o.Resources, ResourceSubscribe: o.Subscribe, Prompts: o.Prompts, Completions: o.Completions}
}

// Forward passes a request that is not about tools to an upstream server.
func (b Backend) Forward(ctx context.Context, f server.Forward) (json.RawMessage, error) {
	raw, err := b.gatewayOf(b.as).Forward(ctx, f.Method, f.Params, gateway.Caller{Session: b.openSession(f.Session, f.Client, f.Stateless), Params: f.Params, Note: f.Note, Ask: f.Ask, Rounds: f.Stateless,
		Offers: offersOf(f.Client, f.Ask != nil || f.Stateless), LogLevel: f.LogLevel})
	return raw, upstreamError(err)
}

// OnNotice registers a callback for changed resources and prompts, and for log messages
// of upstream servers outside of calls.
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

// passNotice passes on a change that an upstream server announced.
func (s *Service) passNotice(g gateway.Notice) {
	n := server.Notice{Method: "notifications/" + g.List + "/list_changed", Profiles: s.seesServer(g.Server), Sessions: g.Sessions}
	if g.List == "" {
		n.Method = "notifications/resources/updated"
		n.Params, _ = json.Marshal(map[string]string{"uri": g.URI})
	}
	s.tellNotice(n)
}

// passLog passes on a log message of an upstream server outside of calls.
func (s *Service) passLog(from string, params json.RawMessage, session string) {
	n := server.Notice{Method: "notifications/message", Params: params, Profiles: s.seesServer(from)}
	if session != "" {
		n.Sessions = []string{session}
	}
	s.tellNotice(n)
}

// seesServer returns a function that reports whether clients of a profile see the named server.
func (s *Service) seesServer(upstream string) func(profile string) bool {
	snap := s.Snapshot()
	return func(profile string) bool {
		_, is := snap.ofProfile(profile).Plan.Config.Servers[upstream]
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
