package gateway

import (
	"cmp"
	"context"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
	"github.com/compactor-mcp/compactor/runtime/gateway/trust"
)

// trusted is the state of a tool that may be used.
const trusted = string(trust.Trusted)

// judgement combines a configuration's rules with the records of trusted tools.
type judgement struct {
	g      *Gateway
	rules  *rules.Set
	policy string
}

func (g *Gateway) newJudgement() judgement {
	g.mu.Lock()
	defer g.mu.Unlock()
	return judgement{g, g.rules, g.cfg.Trust}
}

// decided is a definition with the decision on it.
type decided struct {
	definition
	enabled bool
	why     string
	trust   string
	tags    []string
}

// decideServer decides on all tools of one server.
func (j judgement) decideServer(cfg config.Server, l *listing) []decided {
	policy := trust.Policy(cmp.Or(cfg.Trust, j.policy))
	if policy == trust.First && j.g.storage.approvalsUnreadable() {
		policy = trust.Ask
	}
	states := j.g.approvals.judgeTools(cfg, policy, l)
	out := make([]decided, len(l.Tools))
	for i, d := range l.Tools {
		r := j.rules.Decide(cfg.Name, d.Name)
		s := states[d.Name]
		out[i] = decided{definition: d, enabled: r.Enabled, why: r.Why, trust: string(s.State), tags: withTags(cfg.Tags, r.Tags)}
		if s.Bare {
			out[i].Clean = trust.Bare(d.Clean)
		}
		if s.State != trust.Trusted {
			out[i].enabled, out[i].why = false, string(s.State)+": "+s.Reason
			if err := j.g.storage.err; err != nil && s.State == trust.Pending {
				out[i].why += "; approvals cannot be read: " + err.Error()
			}
		}
	}
	return out
}

func withTags(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// recordedName returns the name under which a server's approvals are stored.
func (g *Gateway) recordedName(server string) string {
	if e := g.entry(server); e != nil {
		return g.approvals.serverKey(e.config())
	}
	return server
}

// recheckApproval checks whether another process has approved a tool meanwhile. It returns the tool if it may be used now,
// else nil.
func (c *caller) recheckApproval(ctx context.Context, t *tool) *tool {
	if c.storage.get() == nil || ctx.Err() != nil {
		return nil
	}
	c.approvals.forget(c.recordedName(t.Server))
	c.rebuild()
	now := c.catalog.Load().byName[t.Listed]
	if now == nil || !now.Enabled || now.Hash != t.Hash || now.from != t.from || now.Name != t.Name {
		return nil
	}
	return now
}
