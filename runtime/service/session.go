package service

import (
	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/plan"
	"github.com/compactor-mcp/compactor/runtime/redact"
	"github.com/compactor-mcp/compactor/runtime/server"
	"github.com/compactor-mcp/compactor/runtime/session"
)

// Session gives the session of that id, a new one where it is not known.
func (s *Service) Session(id string) *session.Session {
	return s.sessions.Open(session.Who{ID: id})
}

// SessionEnded forgets a session, and ends what it subscribed to.
func (s *Service) SessionEnded(id string) {
	s.sessions.End(id)
	s.gateway.SessionEnded(id)
}

// session is that of a request. What its client says of itself is masked, for it is
// shown.
func (b Backend) session(id string, c server.Client, stateless bool) *session.Session {
	line := b.Snapshot().Egress.Line
	w := session.Who{ID: id, Client: session.Client{Name: line(c.Name), Version: line(c.Version)}, Era: session.Handshake}
	if stateless {
		w.Era = session.Stateless
	}
	return b.sessions.Open(w)
}

// Presented keeps which tools a client was listed.
func (b Backend) Presented(s server.Session, names []string) {
	b.session(s.ID, s.Client, s.Stateless).Show(names)
}

// Chooses reports whether sessions may be listed different tools.
func (b Backend) Chooses() bool {
	snap := b.Snapshot()
	return snap.Plan.Config.Gateway.Proxies() && snap.world().Chooses()
}

// called tells of a session whose list of tools a call may have changed.
func (b Backend) called(id string) {
	if id != "" && b.Chooses() {
		b.tell(id)
	}
}

// converse adds a call of a tool of ours to the session's conversation. That of an
// upstream tool which it passed on is there already, from the gateway.
func (s *Snapshot) converse(c Call, t *plan.Tool, reply *Reply, err error) {
	sess := c.Caller.Session
	if sess == nil || err == nil && reply.Upstream || t.Reach&catalog.Execute != 0 && ofUpstream(err) {
		return
	}
	said := session.Call{Tool: t.Name, Outcome: session.OK}
	if err != nil {
		_, e := contract.AsError(err)
		said.Outcome = e.Code
	} else {
		said.Tokens = session.Tokens(reply.JSON)
	}
	if len(c.Args) <= session.MaxRead {
		said.Arguments, _ = s.Redactor.JSON(c.Args, redact.Frame{})
	}
	sess.Add(said)
}

// ofUpstream reports whether an error is that of an upstream tool.
func ofUpstream(err error) bool {
	if err == nil {
		return false
	}
	_, e := contract.AsError(err)
	return e.Data != nil && e.Data.Tool != ""
}

// questionOf is what a call asks: the input that its tool says is the question.
func questionOf(t *plan.Tool, input map[string]any) string {
	q, _ := input[t.Question].(string)
	return q
}
