package gateway

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Catalog is everything known of the servers at one moment. It is built as a whole and never changed.
type Catalog struct {
	Tools    *catalog.UpstreamTools
	servers  []catalog.UpstreamServer
	byName   map[string]*tool   // by listed name
	byServer map[string][]*tool // in the server's order
	claims   []claim
	refused  []Refused
	waits    bool              // a tool waits for its user's decision
	said     map[string]string // each server's description of itself
	spoken   *spoken
	digest   string // of the descriptions of servers and visible tools; equal digests look the same to clients
}

// tool is one tool with the decisions taken on it.
type tool struct {
	*catalog.UpstreamTool
	from   *serverEntry
	def    definition
	listed json.RawMessage // its definition under its listed name
	manner manner
}

func emptyCatalog() *Catalog {
	return &Catalog{Tools: &catalog.UpstreamTools{}, byName: map[string]*tool{}, byServer: map[string][]*tool{}, said: map[string]string{}, spoken: new(spoken)}
}

// rebuild rebuilds the catalogs and announces a change if any visible part changed.
func (reg *registry) rebuild() {
	changed := false
	reg.rebuilding.Lock()
	for _, p := range reg.allViews() {
		next := p.build()
		changed = p.catalog.Swap(next).digest != next.digest || changed
	}
	reg.rebuilding.Unlock()
	if changed {
		reg.announce()
	}
}

func (g *Gateway) build() *Catalog {
	c, before := emptyCatalog(), g.catalog.Load()
	judge := g.newJudgement()
	c.claims = g.serverClaims()
	names, states, learns := newNaming(c.claims), g.states(), g.learningProfiles()
	for _, at := range states {
		if at.listing == nil {
			continue
		}
		called := renamedTools(at.cfg, at.listing)
		for _, d := range at.listing.Tools {
			names.wantName(at.cfg.Name, at.cfg.Prefix, cmp.Or(called[d.Name], d.Name))
		}
	}
	var seen strings.Builder
	for _, at := range states {
		e, cfg, l, problem := at.entry, at.cfg, at.listing, at.problem
		s := catalog.UpstreamServer{Name: cfg.Name, Description: cfg.Description, State: "unknown", Known: l != nil}
		if problem != nil {
			s.Problem = errorText(problem)
		}
		if l == nil {
			c.Tools.Pending = append(c.Tools.Pending, cfg.Name)
			c.servers = append(c.servers, s)
			continue
		}
		called := renamedTools(cfg, l)
		for _, d := range judge.decideServer(cfg, l) {
			t := newTool(cfg, d.definition, names.giveName(cfg.Name, cfg.Prefix, cmp.Or(called[d.Name], d.Name)))
			t.rename(cfg.Tools[d.Name].Rename, called[d.Name])
			t.from = e
			t.About = strings.TrimSpace(cfg.Description + "\n" + l.About)
			t.Enabled, t.Why, t.Trust, t.Tags = d.enabled, d.why, d.trust, d.tags
			t.Uses, t.Calls = g.uses().countFor(learns, cfg.Name, d.Name), g.uses().all(cfg.Name, d.Name)
			t.setShown(before.byName[t.Listed])
			if t.Trust != trusted {
				t.hideServerText()
				c.waits = true
			}
			c.add(t)
			if t.Enabled {
				s.Tools++
				seen.Write(t.listed)
			} else {
				s.Hidden++
			}
		}
		c.said[cfg.Name] = l.About
		s.Hidden += len(l.Refused)
		for _, r := range l.Refused {
			c.refused = append(c.refused, Refused{cfg.Name, escapeHidden(r.Name), escapeHidden(r.Why)})
		}
		c.servers = append(c.servers, s)
		seen.WriteString("\x00" + cfg.Name + "\x00" + cfg.Description)
	}
	c.digest = seen.String()
	return c
}

// state is what is known of a server at one moment.
type state struct {
	entry   *serverEntry
	cfg     config.Server
	listing *listing
	problem error
}

func (g *Gateway) states() []state {
	var out []state
	for _, e := range g.all() {
		l, problem := e.known()
		out = append(out, state{e, g.configOf(e), l, problem})
	}
	return out
}

func (c *Catalog) add(t *tool) {
	c.byName[t.Listed] = t
	c.byServer[t.Server] = append(c.byServer[t.Server], t)
	c.Tools.List = append(c.Tools.List, t.UpstreamTool)
}

func newTool(cfg config.Server, d definition, listed string) *tool {
	w := d.tool
	own := cfg.Tools[d.Name]
	u := &catalog.UpstreamTool{Server: cfg.Name, Name: d.Name, Listed: listed, Title: w.Title, Description: w.Description, About: cfg.Description,
		Params: d.params, Input: w.Input, Output: w.Output, Hints: w.Hints.describeHints(), Hash: d.Hash,
		Keywords: slices.Concat(cfg.Keywords, own.Keywords)}
	u.Examples = func() []json.RawMessage { return examplesOf(own.Examples, u.Input) }
	if u.Title == "" {
		u.Title = w.Hints.Title
	}
	if own.Description != "" {
		u.Description = own.Description
	}
	for _, f := range d.Flags {
		u.Flags = append(u.Flags, f.Where+": "+f.Kind+", "+f.Detail)
	}
	return &tool{UpstreamTool: u, def: d, manner: manner{own.Description, cfg.Simplify}}
}

// manner says how the shown definition differs from the server's.
type manner struct {
	description string // replaces the tool's own; "" keeps it
	simplify    bool   // drop from schemas what small models do not need
}

// setShown sets the definition that clients see. It reuses the one of the previous catalog if possible: most tools are
// unchanged, and the catalog is rebuilt for each server that is learned.
func (t *tool) setShown(was *tool) {
	if was != nil && was.Trust == trusted && was.manner == t.manner && bytes.Equal(was.def.Clean, t.def.Clean) {
		t.listed, t.Input, t.Params, t.Output = was.listed, was.Input, was.Params, was.Output
		return
	}
	t.listed = renameDefinition(t.def.Clean, t.Listed, t.manner.description)
	if !t.manner.simplify {
		return
	}
	t.Input = simplifySchema(t.Input)
	t.Params = params(t.Input)
	t.listed = replaceMember(t.listed, "inputSchema", t.Input)
	if len(t.Output) == 0 {
		return
	}
	output := simplifySchema(t.Output)
	if !bytes.Equal(output, compactJSON(t.Output)) { // clients validate by it, and it may refuse valid results
		t.listed = removeMember(t.listed, "outputSchema")
	}
	t.Output = output
}

// hideServerText removes the server's text from what models see of an untrusted tool: the instructions it could give them are
// the reason for the distrust. The user who decides sees the definition itself.
func (t *tool) hideServerText() {
	t.Title, t.Hints, t.Params, t.Output = "", "", nil, nil
	t.Input = json.RawMessage(`{"type":"object"}`)
	if t.manner.description == "" {
		t.Description = catalog.Withheld
	}
}

// Tools returns the catalog as it is known; see catalog.Upstreams.
func (g *Gateway) Tools(ctx context.Context, servers ...string) *catalog.UpstreamTools {
	g.settle(ctx, servers...)
	return g.currentCatalog().Tools
}

// Known returns the current catalog at once and refreshes it in the background.
func (g *Gateway) Known(ctx context.Context) *catalog.UpstreamTools {
	g.catchUp(ctx)
	for _, e := range g.all() {
		_, _ = g.listWithin(ctx, e, 0)
	}
	return g.catalog.Load().Tools
}

// Now returns the current catalog for display: nothing is started or asked.
func (g *Gateway) Now() *catalog.UpstreamTools { return g.catalog.Load().Tools }

// Servers lists the servers by name, with their current state.
func (g *Gateway) Servers() []catalog.UpstreamServer {
	out := slices.Clone(g.catalog.Load().servers)
	for i := range out {
		h, ok := g.Health(out[i].Name)
		if !ok {
			continue
		}
		out[i].State = h.State
		if h.Problem != "" {
			out[i].Problem = h.Problem
		}
	}
	return out
}

// Listed returns the definitions of the visible tools, under their listed names, in a stable order.
func (g *Gateway) Listed() []Listed {
	var out []Listed
	c := g.catalog.Load()
	for _, t := range c.Tools.List {
		if t.Enabled {
			out = append(out, Listed{Name: t.Listed, Definition: c.byName[t.Listed].listed, Server: t.Server, Tool: t.Name, Description: t.Description,
				Tags: t.Tags, Uses: t.Uses()})
		}
	}
	return out
}

// Listed is one tool as clients see it.
type Listed struct {
	Name        string
	Definition  json.RawMessage
	Server      string
	Tool        string // as the server calls it
	Description string
	Tags        []string
	Uses        int
}

// sortedNames returns the listed names of the visible tools.
func (c *Catalog) sortedNames() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(c.byName)) {
		if c.byName[name].Enabled {
			out = append(out, name)
		}
	}
	return out
}
