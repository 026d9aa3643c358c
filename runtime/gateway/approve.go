package gateway

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/gateway/trust"
)

// Waiting is a tool that its user has to decide on.
type Waiting struct {
	Server  string   `json:"server"`
	Tool    string   `json:"tool"`
	Listed  string   `json:"listed"`
	State   string   `json:"state"`
	Why     string   `json:"why"`
	Hash    string   `json:"hash"`    // of the definition that would be approved
	Changes []string `json:"changes"` // from what was approved before
	Flags   []string `json:"flags,omitempty"`
	Does    string   `json:"does,omitempty"` // its description, if nothing was approved before to compare it with
	// Definition is the full definition as the server sent it.
	Definition json.RawMessage `json:"definition,omitempty"`
}

// Waiting lists the tools that wait for a decision, by server and name.
func (g *Gateway) Waiting(ctx context.Context) []Waiting {
	g.settle(ctx)
	c := g.currentCatalog()
	var out []Waiting
	for _, u := range c.Tools.List {
		if u.Trust == trusted {
			continue
		}
		t := c.byName[u.Listed]
		w := Waiting{Server: u.Server, Tool: u.Name, Listed: u.Listed, State: u.Trust, Why: u.Why, Hash: u.Hash, Flags: u.Flags, Changes: []string{},
			Definition: t.def.Raw}
		if pin, ok := g.approvals.record(g.recordedName(u.Server), u.Name); ok && len(pin.Definition) > 0 && pin.State == trust.Quarantined {
			w.Changes = trust.Diff(pin.Definition, t.def.Raw)
		} else {
			w.Does = t.def.tool.Description
		}
		out = append(out, w)
	}
	return out
}

// Undecided counts the known tools of each server that wait for a decision. It starts nothing.
func (g *Gateway) Undecided() map[string]int {
	out := map[string]int{}
	for _, u := range g.catalog.Load().Tools.List {
		if u.Trust != trusted {
			out[u.Server]++
		}
	}
	return out
}

// Approve trusts the tools as they are now. A tool whose hash the configuration pins cannot be approved.
func (g *Gateway) Approve(ctx context.Context, list []Waiting) error {
	if g.storage.get() == nil {
		return &contract.Error{Name: "StoreError", Code: "STORE_ERROR", Message: "approvals cannot be kept: " + g.storage.whyUnkept()}
	}
	byServer := map[string][]Waiting{}
	for _, w := range list {
		if e := g.entry(w.Server); e != nil && e.config().Pins[w.Tool] != "" {
			return &contract.Error{Name: "ConfigurationError", Code: CodeConfiguration, Message: "tool " + w.Listed + " is pinned by servers." + w.Server +
				".pins; change the hash there to " + w.Hash}
		}
		as := g.recordedName(w.Server)
		byServer[as] = append(byServer[as], w)
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := g.approvals.approve(ctx, byServer); err != nil {
		return err
	}
	g.rebuild()
	return nil
}

// Why records all decisions on one tool.
type Why struct {
	Server  string   `json:"server"`
	Tool    string   `json:"tool"`
	Listed  string   `json:"listed"`
	Enabled bool     `json:"enabled"`
	Why     string   `json:"why"`
	Trust   string   `json:"trust"`
	Hash    string   `json:"hash"`
	Tags    []string `json:"tags"`
	Rules   []string `json:"rules"` // the outcome of each rule, in order
	Flags   []string `json:"flags,omitempty"`
	Changes []string `json:"changes,omitempty"`
	Uses    int      `json:"uses"`
	Surface string   `json:"surface"` // how it is offered
}

// Why explains the decisions on one tool, even if it is not visible.
func (g *Gateway) Why(ctx context.Context, name string) (*Why, error) {
	t, err := g.find(ctx, name, "")
	if err != nil {
		return nil, err
	}
	j := g.newJudgement()
	d := j.rules.Decide(t.Server, t.Name)
	w := &Why{Server: t.Server, Tool: t.Name, Listed: t.Listed, Enabled: t.Enabled, Why: t.Why, Trust: t.Trust, Hash: t.Hash, Tags: t.Tags,
		Flags: t.Flags, Uses: t.Calls(), Surface: g.surface(), Rules: []string{}}
	for _, s := range d.Trace {
		w.Rules = append(w.Rules, s.String())
	}
	if pin, ok := g.approvals.record(g.recordedName(t.Server), t.Name); ok && pin.State == trust.Quarantined {
		w.Changes = trust.Diff(pin.Definition, t.def.Raw)
	}
	return w, nil
}

func (g *Gateway) surface() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.cfg.Surface
}

// Select returns the entries of the list that the user names: a server's name selects all its tools, any other name one
// tool in any spelling. NAME@HASH, with the first digits of a hash, selects the tool only as it was when that hash was
// shown. servers are the names of all servers: the name of one of them, or a name that begins with it, selects no tool
// of another server unless it comes with a hash.
func Select(list []Waiting, names, servers []string) (out []Waiting, unknown []string) {
	var claims []claim
	for _, s := range servers {
		claims = append(claims, claim{begin: foldName(s), server: s})
	}
	for _, n := range names {
		name, hash, _ := strings.Cut(n, "@")
		found := selectNamed(list, name, strings.ToLower(hash), claims)
		for _, w := range found {
			if !slices.ContainsFunc(out, func(x Waiting) bool { return x.Listed == w.Listed }) {
				out = append(out, w)
			}
		}
		if len(found) == 0 {
			unknown = append(unknown, n)
		}
	}
	return out, unknown
}

// selectNamed returns all tools of the server of that name, else the only tool that matches in the first reading that fits: a
// server chooses the names of its tools and must not be able to slip them in under another server's name.
func selectNamed(list []Waiting, name, hash string, claims []claim) []Waiting {
	ways := []func(w Waiting) bool{
		func(w Waiting) bool { return name == w.Server },
		func(w Waiting) bool { return name == w.Listed },
		func(w Waiting) bool { return name == w.Server+"."+w.Tool },
		func(w Waiting) bool { return strings.EqualFold(name, w.Server+"."+w.Tool) },
		func(w Waiting) bool { return name == w.Tool },
	}
	var longest, all []string
	if hash == "" {
		longest, all = claimOwners(claims, name, "")
	}
	if slices.ContainsFunc(claims, func(c claim) bool { return c.server == name }) && hash == "" {
		ways = ways[:1]
	}
	for i, fits := range ways {
		var found []Waiting
		for _, w := range list {
			if fits(w) && strings.HasPrefix(w.Hash, hash) && (i < 2 || len(all) == 0 || slices.Contains(all, w.Server)) {
				found = append(found, w)
			}
		}
		switch {
		case len(found) == 1 && i > 1 && len(longest) > 0 && !slices.Contains(longest, found[0].Server):
			return nil
		case len(found) == 1, i == 0 && len(found) > 0:
			return found
		}
	}
	return nil
}
