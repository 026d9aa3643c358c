package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/trust"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// approvals are the records of what was seen and decided of servers' tools, read from the store on first use. They know
// nothing of connections or the catalog.
type approvals struct {
	store   *storage
	project string // directory whose configuration may bring servers
	logger  *slog.Logger
	now     func() time.Time

	mu   sync.Mutex
	of   map[string]map[string]trust.Pin // server, as returned by serverKey → tool → record
	mark string                          // the store's mark when the records were last dropped
}

// serverKey returns the key for a server's approvals. Servers of the same name in two projects, such as db, get different
// keys.
func (a *approvals) serverKey(cfg config.Server) string {
	if !cfg.Project || a.project == "" {
		return cfg.Name
	}
	sum := sha256.Sum256([]byte(a.project))
	return cfg.Name + "@" + hex.EncodeToString(sum[:8])
}

// record returns the record of one tool.
func (a *approvals) record(server, tool string) (trust.Pin, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	records, _ := a.read(server) // the error is reported where tools are checked against the records
	p, ok := records[tool]
	return p, ok
}

// read returns the records of one server. The caller holds the lock.
func (a *approvals) read(server string) (map[string]trust.Pin, error) {
	if have := a.of[server]; have != nil {
		return have, nil
	}
	records := map[string]trust.Pin{}
	if s := a.store.get(); s != nil {
		ctx, cancel := a.store.accessContext()
		defer cancel()
		list, err := s.Pins(ctx, server)
		if err != nil {
			a.logger.Error("approvals cannot be read", "server", server, "error", err)
			return records, err
		}
		for _, p := range list {
			records[p.Tool] = pinOf(p)
		}
	}
	if a.of == nil {
		a.of = map[string]map[string]trust.Pin{}
	}
	a.of[server] = records
	return records, nil
}

// judgeTools checks a server's tools against the records, and records new ones.
func (a *approvals) judgeTools(cfg config.Server, policy trust.Policy, l *listing) map[string]trust.Decision {
	listed := make([]trust.Listed, len(l.Tools))
	for i, d := range l.Tools {
		listed[i] = trust.Listed{Tool: d.Name, Hash: d.Hash, Earlier: d.earlier, Definition: d.Raw}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	records, err := a.read(a.serverKey(cfg))
	if err != nil && policy != trust.Off {
		return unreadDecisions(trust.Judge(trust.Ask, nil, cfg.Pins, listed), err)
	}
	decisions := trust.Judge(policy, pinList(records), cfg.Pins, listed)
	if slices.ContainsFunc(decisions, func(d trust.Decision) bool { return d.Record != nil }) {
		decisions = a.writeDecisions(cfg, policy, listed, decisions)
	}
	out := make(map[string]trust.Decision, len(decisions))
	for _, d := range decisions {
		out[d.Tool] = d
		if d.Record != nil {
			records[d.Tool] = *d.Record
		}
		if d.Record != nil && d.Verdict == trust.Changed {
			a.logger.Warn("a tool has changed", "server", cfg.Name, "tool", d.Tool, "state", d.State, "reason", d.Reason,
				"pinned", d.Pinned, "offered", d.Offered)
		}
	}
	return out
}

// writeDecisions stores the decisions. Another process may have changed the records since (because a user approved a
// tool, say), so it decides again on the stored ones. The caller holds the lock.
func (a *approvals) writeDecisions(cfg config.Server, policy trust.Policy, listed []trust.Listed, decisions []trust.Decision) []trust.Decision {
	s := a.store.get()
	if s == nil {
		return decisions
	}
	ctx, cancel := a.store.accessContext()
	defer cancel()
	as := a.serverKey(cfg)
	err := s.ChangePins(ctx, as, func(have []store.Pin) ([]store.Pin, error) {
		records := map[string]trust.Pin{}
		for _, p := range have {
			records[p.Tool] = pinOf(p)
		}
		decisions = trust.Judge(policy, pinList(records), cfg.Pins, listed)
		var write []store.Pin
		for _, d := range decisions {
			if d.Record != nil {
				write = append(write, storedPin(as, *d.Record, a.now()))
			}
		}
		a.of[as] = records
		return write, nil
	})
	if err != nil {
		a.logger.Warn("what was seen of a server's tools is not kept", "server", cfg.Name, "error", err)
	}
	for _, d := range decisions {
		if d.Record != nil {
			a.of[as][d.Tool] = *d.Record
		}
	}
	return decisions
}

// approve trusts tools as they are now. The keys of byServer are those returned by serverKey.
func (a *approvals) approve(ctx context.Context, byServer map[string][]Waiting) error {
	s := a.store.get()
	for _, server := range slices.Sorted(maps.Keys(byServer)) {
		err := s.ChangePins(ctx, server, func(have []store.Pin) ([]store.Pin, error) { return a.trustedPins(server, have, byServer[server]) })
		if err != nil {
			return err
		}
	}
	a.forget("")
	return nil
}

// trustedPins returns the records of the tools as trusted. It fails if another process has seen the server offer something
// else since.
func (a *approvals) trustedPins(server string, have []store.Pin, list []Waiting) ([]store.Pin, error) {
	var out []store.Pin
	for _, w := range list {
		pin := trust.Pin{Tool: w.Tool, Hash: w.Hash, State: trust.Pending, Definition: w.Definition}
		if i := slices.IndexFunc(have, func(p store.Pin) bool { return p.Tool == w.Tool }); i >= 0 && have[i].State != string(trust.Trusted) {
			pin = pinOf(have[i])
		}
		pin, err := trust.Approve(pin, w.Hash)
		if err != nil {
			return nil, &contract.Error{Name: "ConflictError", Code: CodeConfiguration, Message: err.Error()}
		}
		out = append(out, storedPin(server, pin, a.now()))
	}
	return out, nil
}

// forget drops the cached records of one server, or of all if server is "".
func (a *approvals) forget(server string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if server == "" {
		clear(a.of)
		return
	}
	delete(a.of, server)
}

// changedElsewhere reports whether another process has decided since the last call of changedElsewhere, and drops the
// cached records if so.
func (a *approvals) changedElsewhere(ctx context.Context) bool {
	s := a.store.get()
	if s == nil {
		return false
	}
	mark, err := s.PinsMark(ctx)
	if err != nil { // reported where the records are read
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if mark == a.mark {
		return false
	}
	a.mark = mark
	clear(a.of)
	return true
}

// unreadDecisions returns decisions on tools whose records cannot be read. A changed tool would look like a new one, so
// until they can be read, only what the configuration pins is trusted.
func unreadDecisions(decisions []trust.Decision, err error) map[string]trust.Decision {
	out := make(map[string]trust.Decision, len(decisions))
	for _, d := range decisions {
		if d.State == trust.Pending {
			d.Reason = "what was approved cannot be read: " + err.Error()
		}
		out[d.Tool] = d
	}
	return out
}

func pinList(m map[string]trust.Pin) []trust.Pin {
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
