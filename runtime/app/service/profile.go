package service

import (
	"maps"
	"slices"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/glob"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// applyProfiles restricts a plan to the servers of the profiles that clients can be served
// with, and returns a plan for each of these. If the requested profile does not exist,
// that is an error; it never falls back to all tools.
func (o Options) applyProfiles(cfg *config.Config, p *plan.Plan) (map[string]*plan.Plan, diag.List) {
	if _, is := cfg.Profiles[o.Profile]; o.Profile != "" && !is {
		names := slices.Sorted(maps.Keys(cfg.Profiles))
		d := diag.Diagnostic{Code: "C150", Severity: diag.Error, Path: "profiles", Range: cfg.Source.At("profiles"), Message: "profile " + strconv.Quote(o.Profile) + " is not defined",
			Help: "--profile names one of profiles", Allowed: names, Suggestion: diag.Nearest(o.Profile, names)}
		if len(names) == 0 {
			d.Help = "the configuration has none; write one, such as profiles: reading: servers: [\"git*\"]"
		}
		return nil, diag.List{d}
	}
	if p == nil {
		return nil, nil
	}
	open := o.openProfiles(p.Config)
	if o.Profile != "" && len(open) == 1 { // the only profile
		p.Config = withinProfile(p.Config, o.Profile)
		return nil, nil
	}
	out := map[string]*plan.Plan{}
	for _, name := range open {
		if name != "" {
			out[name] = withConfig(p, withinProfile(p.Config, name))
		}
	}
	if o.Profile != "" {
		p.Config = mergeServers(p.Config, out)
	}
	return out, nil
}

// openProfiles returns the profiles that clients can be served with; "" means no profile.
func (o Options) openProfiles(cfg *config.Config) []string {
	out := []string{o.Profile}
	if !o.Several {
		return out
	}
	for name, p := range cfg.Profiles {
		if o.byHeader(name, p) || len(p.Tokens) > 0 {
			out = append(out, name)
		}
	}
	for _, c := range cfg.Clients {
		out = append(out, c.Profile)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// byHeader reports whether a client can request a profile by header. If compactor was started with a profile, clients
// cannot leave it that way, unless the configuration permits it.
func (o Options) byHeader(name string, p config.Profile) bool {
	if p.Header != nil {
		return *p.Header
	}
	return o.Profile == "" || o.Profile == name
}

// withConfig returns a copy of a plan with another configuration.
func withConfig(p *plan.Plan, c *config.Config) *plan.Plan {
	out := *p
	out.Config = c
	return &out
}

// withinProfile returns the configuration reduced to a profile: without the servers and
// collections that it lacks, and with its names for tools.
func withinProfile(c *config.Config, name string) *config.Config {
	out, p := *c, c.Profiles[name]
	out.Profile, out.LearnFrom, out.ProfileRules = name, p.LearnFrom, p.ToolRules
	out.Servers = maps.Clone(c.Servers)
	maps.DeleteFunc(out.Servers, func(server string, _ config.Server) bool { return !hasServer(p, server) })
	out.Collections = maps.Clone(c.Collections)
	maps.DeleteFunc(out.Collections, func(name string, _ config.Collection) bool { return !hasCollection(p, name) })
	for server, tools := range p.Tools {
		if s, is := out.Servers[server]; is {
			out.Servers[server] = renameTools(s, tools)
		}
	}
	if p.Surface != "" {
		out.Gateway.Surface = p.Surface
	}
	if p.Selection != nil {
		out.Gateway.Selection = p.Selection
	}
	return &out
}

// hasServer reports whether a profile includes a server of this name.
func hasServer(p config.Profile, name string) bool {
	return p.Servers == nil || slices.ContainsFunc(p.Servers, func(pattern string) bool { return rules.FitsServer(pattern, name) })
}

// hasCollection reports whether a profile includes a collection of this name.
func hasCollection(p config.Profile, name string) bool {
	return p.Collections == nil || slices.ContainsFunc(p.Collections, func(pattern string) bool { return glob.Runes.Match(pattern, name) })
}

// renameTools returns a server with a profile's names and descriptions of its tools.
func renameTools(s config.Server, tools map[string]config.ProfileTool) config.Server {
	s.Tools = maps.Clone(s.Tools)
	for name, here := range tools {
		t := s.Tools[name]
		if here.Rename != "" {
			t.Rename = here.Rename
		}
		if here.Description != "" {
			t.Description = here.Description
		}
		s.Tools[name] = t
	}
	return s
}

// mergeServers returns a configuration with the servers of all given profiles.
func mergeServers(c *config.Config, profiles map[string]*plan.Plan) *config.Config {
	out := *c
	out.Servers = map[string]config.Server{}
	for _, p := range profiles {
		for name := range p.Config.Servers {
			out.Servers[name] = c.Servers[name]
		}
	}
	return &out
}

// Profile returns the profile of clients that are not assigned another one; "" means
// all servers.
func (s *Service) Profile() string { return s.Snapshot().opt.Profile }

// ofProfile returns the snapshot for a profile; "" means the default profile. For an unknown profile, the snapshot has no
// servers or collections: the profile may just have been removed from the configuration.
func (s *Snapshot) ofProfile(profile string) *Snapshot {
	if profile == "" {
		profile = s.opt.Profile
	}
	p := s.profiles[profile]
	switch {
	case p == nil && profile == s.opt.Profile:
		return s
	case p == nil:
		none := *s.Plan.Config
		none.Servers, none.Collections, none.Gateway.Surface, none.Gateway.Selection = nil, nil, "none", nil
		p = withConfig(s.Plan, &none)
	}
	out := *s
	out.changeCompiled(func(c *compiled) { c.Plan = p })
	return &out
}

// servesProfile reports whether clients can be served with a profile.
func (s *Snapshot) servesProfile(profile string) bool {
	return s.profiles[profile] != nil || profile == s.opt.Profile
}

// gatewayOf returns the gateway for a profile.
func (s *Service) gatewayOf(profile string) *gateway.Gateway {
	snap := s.Snapshot()
	if profile == "" {
		profile = snap.opt.Profile
	}
	if snap.profiles[profile] == nil && profile == snap.opt.Profile {
		return s.gateway
	}
	return s.gateway.Profile(profile)
}

// configureGateway passes the servers of a snapshot to the gateway.
func (s *Service) configureGateway(snap *Snapshot) {
	profiles := map[string]*config.Config{}
	for name, p := range snap.profiles {
		profiles[name] = p.Config
	}
	s.gateway.ConfigureProfiles(snap.Plan.Config, profiles)
}

// choosesSomewhere reports whether there is a profile whose sessions may be listed
// different tools.
func (s *Snapshot) choosesSomewhere() bool {
	for name := range s.profiles {
		if s.ofProfile(name).hookEnv().Chooses() {
			return true
		}
	}
	return s.hookEnv().Chooses()
}
