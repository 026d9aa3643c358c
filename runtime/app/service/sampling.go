package service

import (
	"context"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/sampling"
)

// chainOf is Line for one call: where nobody answers, the caller's own model
// does, if it is offered and the configuration allows it. What it says is never
// the same twice, so a deterministic call goes without.
func (m *Models) chainOf(c Call) func(name string) *model.Chain {
	return func(name string) *model.Chain {
		line := m.Chain(name)
		if line == nil && m != nil && m.sampled[name] && c.Sampler != nil && !c.Deterministic {
			return &model.Chain{Limiters: []*model.Limiter{c.Sampler}}
		}
		return line
	}
}

// samplers are the gates before the models of clients, one a session: a client
// that refused is left alone by the calls that follow too.
type samplers struct {
	mu    sync.Mutex
	gates map[string]*model.Limiter
	order []string // of the sessions, the oldest first
}

// maxSamplers bounds the gates kept. One that is dropped loses no more than
// what was learned of its client.
const maxSamplers = 256

func (s *samplers) of(session string) *model.Limiter {
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
	g.Rest = time.Minute // who did not answer a question does not want the next one
	s.gates[session], s.order = g, append(s.order, session)
	return g
}

// asking puts the adapter's questions into the server's words.
func asking(sample func(context.Context, server.SampleRequest) (server.SampleReply, error)) sampling.Ask {
	return func(ctx context.Context, q sampling.Question) (sampling.Answer, error) {
		req := server.SampleRequest{System: q.System, MaxTokens: q.MaxTokens}
		for _, t := range q.Turns {
			req.Messages = append(req.Messages, server.SampleMessage{Role: string(t.Role), Text: t.Text})
		}
		r, err := sample(ctx, req)
		return sampling.Answer(r), err
	}
}
