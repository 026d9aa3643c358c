package gateway

import (
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
)

// profiled is what a profile has of the servers. Of the whole it is all. It is replaced
// whole, with shared.mu held.
type profiled struct {
	cfg     config.Gateway
	rules   *rules.Set
	servers map[string]config.Server // as this profile calls and describes their tools
	names   []string                 // of servers that are on, sorted
	learns  []string                 // profiles whose calls count here: its own first, then those that it learns from
	unkept  bool                     // calls are counted in memory alone
}

// profiledBy is what a configuration says. Which of the servers are on, of says.
func profiledBy(c *config.Config) profiled {
	set, _ := rules.Compile(rulesOf(c.ToolRules))
	project, _ := rules.Compile(rulesOf(c.ProjectRules))
	profile, _ := rules.Compile(rulesOf(c.ProfileRules))
	return profiled{cfg: c.Gateway, rules: set.Narrowed(project).Narrowed(profile), servers: c.Servers, learns: append([]string{c.Profile}, c.LearnFrom...), unkept: c.Usage.Off}
}

// of is p with the servers that are on.
func (p profiled) of(entries map[string]*entry) profiled {
	for name := range p.servers {
		if entries[name] != nil {
			p.names = append(p.names, name)
		}
	}
	slices.Sort(p.names)
	return p
}

// divide takes over what profiles have. mu is held, and g is the whole.
func (g *Gateway) divide(profiles map[string]*config.Config) {
	old := g.profiles
	g.profiles = make(map[string]*Gateway, len(profiles))
	for name, c := range profiles {
		next := old[name]
		if next == nil {
			next = &Gateway{shared: g.shared}
			next.catalog.Store(emptyCatalog())
		}
		next.profiled = profiledBy(c).of(g.entries)
		g.profiles[name] = next
	}
}

// Profile is the gateway as a profile has it: no other server is seen, asked or called
// through it. One that is not there has none.
func (g *Gateway) Profile(name string) *Gateway {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.profiles[name]; p != nil {
		return p
	}
	p := &Gateway{shared: g.shared, profiled: profiled{cfg: config.Gateway{Surface: "none"}, rules: &rules.Set{}}}
	p.catalog.Store(emptyCatalog())
	return p
}

// Whole is the gateway with all servers, whatever profile it is asked of.
func (g *Gateway) Whole() *Gateway { return g.whole }

// every is the whole and all profiles.
func (g *Gateway) every() []*Gateway {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := []*Gateway{g.whole}
	for _, name := range slices.Sorted(maps.Keys(g.profiles)) {
		out = append(out, g.profiles[name])
	}
	return out
}

// Configured reports whether there is any server.
func (g *Gateway) Configured() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.names) > 0
}

func (g *Gateway) entry(name string) *entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, is := slices.BinarySearch(g.names, name); !is {
		return nil
	}
	return g.entries[name]
}

// all is every server, by name.
func (g *Gateway) all() []*entry {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := make([]*entry, len(g.names))
	for i, n := range g.names {
		out[i] = g.entries[n]
	}
	return out
}

// config is what the configuration says of a server here. How it is reached says the
// entry's own.
func (g *Gateway) config(e *entry) config.Server {
	c := e.config()
	g.mu.Lock()
	defer g.mu.Unlock()
	if here, is := g.servers[c.Name]; is {
		c.Tools = here.Tools
	}
	return c
}
