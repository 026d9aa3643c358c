package service

import (
	"context"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// Session returns the session with that id, and creates it if it is unknown.
func (s *Service) Session(id string) *session.Session {
	return s.sessions.Open(session.Who{ID: id, Profile: s.Profile()})
}

// SessionEnded removes a session and ends its subscriptions.
func (s *Service) SessionEnded(id string) {
	s.sessions.End(id)
	if t := s.tracker.Load(); t != nil {
		t.End(id)
	}
	if sh := s.sharer.Load(); sh != nil {
		sh.Drop(id)
	}
	s.gateway.SessionEnded(id)
}

// openSession returns the session of a request. What the client says about itself is
// masked, because it is displayed.
func (b Backend) openSession(id string, c server.Client, stateless bool) *session.Session {
	line := b.snap().Egress.Line
	w := session.Who{ID: id, Client: session.Client{Name: line(c.Name), Version: line(c.Version)}, Era: session.Handshake, Profile: b.profile()}
	if stateless {
		w.Era = session.Stateless
	}
	return b.sessions.Open(w)
}

// Presented records which tools a client was listed.
func (b Backend) Presented(s server.Session, names []string) {
	sess := b.openSession(s.ID, s.Client, s.Stateless)
	proxies := b.snap().Plan.Config.Gateway.Proxies()
	last := sess.SetListedTools(names, proxies)
	if b.Chooses() && !slices.Equal(last, names) {
		b.listedNow(s.ID)
	}
	if s.ID == "" && proxies {
		b.standing.keepList(sess.Identity(), names)
	}
	l := b.listing(b.as, names, proxies)
	b.trackList(sess, l)
	if b.events.Wants(event.Request) {
		b.events.Emit(event.Event{Kind: event.Request, Phase: event.Step, Session: event.HashID(s.ID), Name: "tools/list", Detail: l.asEvent(last, sess.Behind())})
	}
}

// notifyCalled notifies a session whose list of tools a call may have changed.
func (b Backend) notifyCalled(id string) {
	if id != "" && b.Chooses() {
		b.notifyWatchers(id)
	}
}

// recordCall adds a call of one of our tools to the session's conversation.
func (s *Snapshot) recordCall(c Call, reply *Reply, err error) {
	if c.Caller.Session == nil {
		return
	}
	said := session.Call{Tool: c.Tool, Outcome: session.OK}
	if err != nil {
		_, e := contract.AsError(err)
		said.Outcome = e.Code
	} else {
		said.Tokens = session.Tokens(reply.JSON)
	}
	if len(c.Args) <= session.MaxRead {
		said.Arguments, _, _ = s.Redactor.JSON(context.Background(), c.Args, redact.Frame{})
	}
	c.Caller.Session.Add(said)
}

// passesOn reports whether the output of a pipeline is the unchanged result of an upstream tool.
func passesOn(p *plan.Pipeline) bool {
	s := p.Stage(p.Whole())
	return s != nil && s.Kind == plan.BuiltinStage && s.Builtin.Caps&catalog.Execute == catalog.Execute
}

// callsOne reports whether a pipeline passes on the result of one upstream tool and can call no other.
func callsOne(p *plan.Pipeline) bool {
	return passesOn(p) && !slices.ContainsFunc(p.Stages, func(s *plan.Stage) bool {
		whole := s.Name == p.Whole()
		return s.Each != nil || s.Repeat != nil || !whole && (s.Kind != plan.BuiltinStage || s.Builtin.Caps&catalog.Execute == catalog.Execute)
	})
}

// questionOf returns the input that the tool declares as the question.
func questionOf(t *plan.Tool, input map[string]any) string {
	q, _ := input[t.Question].(string)
	return q
}

// emitQuestion emits the question of a request to the timeline, unless sessions must not be named by their questions.
func (s *Snapshot) emitQuestion(ctx context.Context, question string) {
	if question != "" && !s.Plan.Config.Timeline.Unnamed {
		event.Emit(ctx, event.Event{Kind: event.Request, Phase: event.Step, Name: "tools/call", Detail: event.Asked{Question: question}})
	}
}
