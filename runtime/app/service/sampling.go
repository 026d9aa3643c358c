package service

import (
	"context"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/sampling"
)

// chainOf returns the lookup of model chains for one call. If a model has no endpoint, the caller's own model takes
// its place, if offered and allowed by the configuration. Its answers are not reproducible, so deterministic calls do
// not use it.
func (m *Models) chainOf(c Call) func(name string) *model.Chain {
	return func(name string) *model.Chain {
		line := m.Chain(name)
		if line == nil && m != nil && m.sampled[name] && c.Sampler != nil && !c.Deterministic {
			return &model.Chain{Limiters: []*model.Limiter{c.Sampler}}
		}
		return line
	}
}

// samplers limits requests to the models of clients, one limiter per session: after a
// refusal, later calls leave the client alone too.
type samplers struct {
	mu    sync.Mutex
	gates map[string]*model.Limiter
	order []string // session ids, oldest first
}

// maxSamplers bounds the limiters kept. Dropping one loses only what was learnt about
// its client.
const maxSamplers = 256

func (s *samplers) samplerFor(session string) *model.Limiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.gates[session]; g != nil {
		return g
	}
	if s.gates == nil {
		s.gates = map[string]*model.Limiter{}
	}
	if len(s.order) == maxSamplers {
		delete(s.gates, s.order[0])
		s.order = s.order[1:]
	}
	g := model.NewLimiter("of the client", sampling.Endpoint{Name: "of the client"}, 1, 0)
	g.Rest = time.Minute // a client that did not answer one question does not want the next at once
	s.gates[session], s.order = g, append(s.order, session)
	return g
}

// askThrough converts between the questions of package sampling and the server's requests.
func askThrough(sample func(context.Context, server.SampleRequest) (server.SampleReply, error)) sampling.Ask {
	return func(ctx context.Context, q sampling.Question) (sampling.Answer, error) {
		req := server.SampleRequest{System: q.System, MaxTokens: q.MaxTokens}
		for _, t := range q.Turns {
			req.Messages = append(req.Messages, server.SampleMessage{Role: string(t.Role), Text: t.Text})
		}
		r, err := sample(ctx, req)
		return sampling.Answer(r), err
	}
}
