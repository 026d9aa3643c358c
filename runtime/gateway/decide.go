package gateway

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
	"github.com/compactor-mcp/compactor/runtime/gateway/trust"
	"github.com/compactor-mcp/compactor/runtime/store"
)

// trusted is the state of a tool that may be used.
const trusted = string(trust.Trusted)

// judgement is a configuration's rules and the records of what was trusted.
type judgement struct {
	g      *Gateway
	rules  *rules.Set
	policy string
}

func (g *Gateway) judge() judgement {
	g.mu.Lock()
	defer g.mu.Unlock()
	return judgement{g, g.rules, g.cfg.Trust}
}

// decided is a definition with what was decided on it.
type decided struct {
	definition
	enabled bool
	why     string
	trust   string
	tags    []string
}

// server decides on all tools of one server.
func (j judgement) server(cfg config.Server, l *listing) []decided {
	policy := trust.Policy(cmp.Or(cfg.Trust, j.policy))
	if policy == trust.First && j.g.forgotten() {
		policy = trust.Ask
	}
	states := j.g.trustOf(cfg, policy, l)
	out := make([]decided, len(l.Tools))
	for i, d := range l.Tools {
		r := j.rules.Decide(cfg.Name, d.Name)
		s := states[d.Name]
		out[i] = decided{definition: d, enabled: r.Enabled, why: r.Why, trust: string(s.State), tags: withTags(cfg.Tags, r.Tags)}
		if s.State != trust.Trusted {
			out[i].enabled, out[i].why = false, string(s.State)+": "+s.Reason
			if j.g.storeErr != nil && s.State == trust.Pending {
				out[i].why += "; approvals cannot be read: " + j.g.storeErr.Error()
			}
		}
	}
	return out
}

// forgotten reports whether there are approvals that cannot be read. What was
// changed would then look like a first sight, and be trusted.
func (g *Gateway) forgotten() bool {
	g.kept()
	return store.Withholds(g.storeErr)
}

func withTags(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// trustOf holds a server's tools against the records, and records what is new.
func (g *Gateway) trustOf(cfg config.Server, policy trust.Policy, l *listing) map[string]trust.Decision {
	listed := make([]trust.Listed, len(l.Tools))
	for i, d := range l.Tools {
		listed[i] = trust.Listed{Tool: d.Name, Hash: d.Hash, Definition: d.Raw}
	}
	g.pins.mu.Lock()
	defer g.pins.mu.Unlock()
	records, err := g.records(g.recordedAs(cfg))
	if err != nil && policy != trust.Off {
		return unread(trust.Judge(trust.Ask, nil, cfg.Pins, listed), err)
	}
	decisions := trust.Judge(policy, values(records), cfg.Pins, listed)
	if slices.ContainsFunc(decisions, func(d trust.Decision) bool { return d.Record != nil }) {
		decisions = g.record(cfg, policy, listed, decisions)
	}
	out := make(map[string]trust.Decision, len(decisions))
	for _, d := range decisions {
		out[d.Tool] = d
		if d.Record != nil {
			records[d.Tool] = *d.Record
		}
		if d.Record != nil && d.Verdict == trust.Changed {
			g.opt.Logger.Warn("a tool has changed", "server", cfg.Name, "tool", d.Tool, "state", d.State, "reason", d.Reason,
				"pinned", d.Pinned, "offered", d.Offered)
		}
	}
	return out
}

// unread are decisions on tools whose records cannot be read. A changed tool
// would look like one that is seen first, so only what the configuration pins
// is trusted, until they can be read.
func unread(decisions []trust.Decision, err error) map[string]trust.Decision {
	out := make(map[string]trust.Decision, len(decisions))
	for _, d := range decisions {
		if d.State == trust.Pending {
			d.Reason = "what was approved cannot be read: " + err.Error()
		}
		out[d.Tool] = d
	}
	return out
}

// record writes down what was decided. Another process may have decided since
// (a person has approved, say), so it is decided again on what stands there.
func (g *Gateway) record(cfg config.Server, policy trust.Policy, listed []trust.Listed, decisions []trust.Decision) []trust.Decision {
	s := g.kept()
	if s == nil {
		return decisions
	}
	ctx, cancel := g.moment()
	defer cancel()
	as := g.recordedAs(cfg)
	err := s.ChangePins(ctx, as, func(have []store.Pin) ([]store.Pin, error) {
		records := map[string]trust.Pin{}
		for _, p := range have {
			records[p.Tool] = pinOf(p)
		}
		decisions = trust.Judge(policy, values(records), cfg.Pins, listed)
		var write []store.Pin
		for _, d := range decisions {
			if d.Record != nil {
				write = append(write, storedPin(as, *d.Record, g.opt.Now()))
			}
		}
		g.pins.of[as] = records
		return write, nil
	})
	if err != nil {
		g.opt.Logger.Warn("what was seen of a server's tools is not kept", "server", cfg.Name, "error", err)
	}
	for _, d := range decisions {
		if d.Record != nil {
			g.pins.of[as][d.Tool] = *d.Record
		}
	}
	return decisions
}

// moment bounds one access to the store, also while the gateway closes.
func (g *Gateway) moment() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(g.life), 2*time.Second)
}

// recordedAs is the name under which approvals of a server are kept. Servers of
// two projects that have one name, such as db, are two.
func (g *Gateway) recordedAs(cfg config.Server) string {
	if !cfg.Project || g.opt.Project == "" {
		return cfg.Name
	}
	sum := sha256.Sum256([]byte(g.opt.Project))
	return cfg.Name + "@" + hex.EncodeToString(sum[:8])
}

// recordedName is recordedAs of the server of that name.
func (g *Gateway) recordedName(server string) string {
	if e := g.entry(server); e != nil {
		return g.recordedAs(e.config())
	}
	return server
}

// records are the pins of one server, as recordedAs names it, read from the store
// when first needed. The caller holds pins.mu.
func (g *Gateway) records(server string) (map[string]trust.Pin, error) {
	if have := g.pins.of[server]; have != nil {
		return have, nil
	}
	records := map[string]trust.Pin{}
	if s := g.kept(); s != nil {
		ctx, cancel := g.moment()
		defer cancel()
		list, err := s.Pins(ctx, server)
		if err != nil {
			g.opt.Logger.Error("approvals cannot be read", "server", server, "error", err)
			return records, err
		}
		for _, p := range list {
			records[p.Tool] = pinOf(p)
		}
	}
	if g.pins.of == nil {
		g.pins.of = map[string]map[string]trust.Pin{}
	}
	g.pins.of[server] = records
	return records, nil
}

func values(m map[string]trust.Pin) []trust.Pin {
	out := make([]trust.Pin, 0, len(m))
	for _, p := range m {
		out = append(out, p)
	}
	return out
}

func pinOf(p store.Pin) trust.Pin {
	return trust.Pin{Tool: p.Tool, Hash: p.Hash, State: trust.State(p.State), Definition: p.Definition, Offered: p.Offered, OfferedHash: p.OfferedHash}
}

func storedPin(server string, p trust.Pin, now time.Time) store.Pin {
	return store.Pin{Server: server, Tool: p.Tool, Hash: p.Hash, State: string(p.State), Seen: now, Decided: now, Definition: p.Definition,
		Offered: p.Offered, OfferedHash: p.OfferedHash}
}

// reconsider looks whether a tool was approved by another process since, and
// returns it as it may be used now, nil when it may not.
func (g *Gateway) reconsider(ctx context.Context, t *tool) *tool {
	s := g.kept()
	if s == nil || ctx.Err() != nil {
		return nil
	}
	as := g.recordedName(t.Server)
	g.pins.mu.Lock()
	delete(g.pins.of, as)
	g.pins.mu.Unlock()
	g.rebuild()
	now := g.catalog.Load().byName[t.Listed]
	if now == nil || !now.Enabled || now.Hash != t.Hash || now.from != t.from || now.Name != t.Name {
		return nil
	}
	return now
}
