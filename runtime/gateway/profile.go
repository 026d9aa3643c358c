package gateway

import (
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
)

// profiled is a profile's view of the servers; that of the whole gateway contains all. It is replaced as a whole, with
// registry.mu held.
type profiled struct {
	cfg     config.Gateway
	rules   *rules.Set
	servers map[string]config.Server // with this profile's names and descriptions of their tools
	names   []string                 // of servers that are on, sorted
	learns  []string                 // profiles whose calls count here: its own first, then those it learns from
	unkept  bool                     // calls are counted only in memory
}

// profiledBy builds the view for a configuration. The servers that are on are added by withEntries.
func profiledBy(c *config.Config) profiled {
	set, _ := rules.Compile(rulesOf(c.ToolRules))
	project, _ := rules.Compile(rulesOf(c.ProjectRules))
	profile, _ := rules.Compile(rulesOf(c.ProfileRules))
	return profiled{cfg: c.Gateway, rules: set.Narrowed(project).Narrowed(profile), servers: c.Servers, learns: append([]string{c.Profile}, c.LearnFrom...), unkept: c.Usage.Off}
}

// withEntries returns p with the servers that are on.
func (p profiled) withEntries(entries map[string]*serverEntry) profiled {
	for name := range p.servers {
		if entries[name] != nil {
			p.names = append(p.names, name)
		}
	}
	slices.Sort(p.names)
	return p
}

// setProfiles sets the profiles. The caller holds mu.
func (reg *registry) setProfiles(profiles map[string]*config.Config) {
	old := reg.profiles
	reg.profiles = make(map[string]*Gateway, len(profiles))
	for name, c := range profiles {
		next := old[name]
		if next == nil {
			next = &Gateway{registry: reg}
			next.catalog.Store(emptyCatalog())
		}
		next.profiled = profiledBy(c).withEntries(reg.entries)
		reg.profiles[name] = next
	}
}

// Profile returns the gateway as a profile sees it: no other server can be seen, asked or called through it. An unknown
// profile has no servers.
func (g *Gateway) Profile(name string) *Gateway {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.profiles[name]; p != nil {
		return p
	}
	p := &Gateway{registry: g.registry, profiled: profiled{cfg: config.Gateway{Surface: "none"}, rules: &rules.Set{}}}
	p.catalog.Store(emptyCatalog())
	return p
}

// Whole returns the gateway with all servers, for any profile.
func (g *Gateway) Whole() *Gateway { return g.whole }

// allViews returns the whole gateway and all profiles.
func (reg *registry) allViews() []*Gateway {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	out := []*Gateway{reg.whole}
	for _, name := range slices.Sorted(maps.Keys(reg.profiles)) {
		out = append(out, reg.profiles[name])
	}
	return out
}

// Configured reports whether there is any server.
func (g *Gateway) Configured() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.names) > 0
}

// entry returns a server of this profile that is on; nil if there is none. What a client names is looked up here, never
// with entryNamed.
func (g *Gateway) entry(name string) *serverEntry {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, is := slices.BinarySearch(g.names, name); !is {
		return nil
	}
	return g.entries[name]
}

// entryNamed returns a server that is on, of any profile; nil if there is none.
func (reg *registry) entryNamed(name string) *serverEntry {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	return reg.entries[name]
}

// all returns the servers of this profile that are on, by name.
func (g *Gateway) all() []*serverEntry {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := make([]*serverEntry, len(g.names))
	for i, n := range g.names {
		out[i] = g.entries[n]
	}
	return out
}

// configOf returns this profile's configuration of a server. How the server is reached is taken from the entry.
func (g *Gateway) configOf(e *serverEntry) config.Server {
	c := e.config()
	g.mu.Lock()
	defer g.mu.Unlock()
	if here, is := g.servers[c.Name]; is {
		c.Tools = here.Tools
	}
	return c
}
