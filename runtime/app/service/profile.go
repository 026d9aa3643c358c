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

// profiled has a plan run on what the profiles leave that clients can be served with,
// and gives what each of them leaves. A profile that was asked for and is not there is an
// error, never all tools.
func (o Options) profiled(cfg *config.Config, p *plan.Plan) (map[string]*plan.Plan, diag.List) {
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
	open := o.open(p.Config)
	if o.Profile != "" && len(open) == 1 { // there is nothing beside it
		p.Config = within(p.Config, o.Profile)
		return nil, nil
	}
	out := map[string]*plan.Plan{}
	for _, name := range open {
		if name != "" {
			out[name] = withConfig(p, within(p.Config, name))
		}
	}
	if o.Profile != "" {
		p.Config = together(p.Config, out)
	}
	return out, nil
}

// open are the profiles that clients can be served with, "" for none at all.
func (o Options) open(cfg *config.Config) []string {
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

// byHeader reports whether a client can ask for a profile. Where compactor was told which
// one clients have, that is a wall: only the configuration opens another.
func (o Options) byHeader(name string, p config.Profile) bool {
	if p.Header != nil {
		return *p.Header
	}
	return o.Profile == "" || o.Profile == name
}

// withConfig is a plan on another configuration.
func withConfig(p *plan.Plan, c *config.Config) *plan.Plan {
	out := *p
	out.Config = c
	return &out
}

// within is a configuration as a profile leaves it: without the servers that it does not
// have, and with its names for their tools.
func within(c *config.Config, name string) *config.Config {
	out, p := *c, c.Profiles[name]
	out.Profile, out.LearnFrom, out.ProfileRules = name, p.LearnFrom, p.ToolRules
	out.Servers = maps.Clone(c.Servers)
	maps.DeleteFunc(out.Servers, func(server string, _ config.Server) bool { return !hasServer(p, server) })
	out.Collections = maps.Clone(c.Collections)
	maps.DeleteFunc(out.Collections, func(name string, _ config.Collection) bool { return !hasCollection(p, name) })
	for server, tools := range p.Tools {
		if s, is := out.Servers[server]; is {
			out.Servers[server] = calling(s, tools)
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

// hasServer reports whether a profile has a server of this name.
func hasServer(p config.Profile, name string) bool {
	return p.Servers == nil || slices.ContainsFunc(p.Servers, func(pattern string) bool { return rules.FitsServer(pattern, name) })
}

// hasCollection reports whether a profile has a collection of this name.
func hasCollection(p config.Profile, name string) bool {
	return p.Collections == nil || slices.ContainsFunc(p.Collections, func(pattern string) bool { return glob.Runes.Match(pattern, name) })
}

// calling is a server with other names and descriptions of its tools.
func calling(s config.Server, tools map[string]config.ProfileTool) config.Server {
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

// together is a configuration with the servers of some profiles.
func together(c *config.Config, profiles map[string]*plan.Plan) *config.Config {
	out := *c
	out.Servers = map[string]config.Server{}
	for _, p := range profiles {
		for name := range p.Config.Servers {
			out.Servers[name] = c.Servers[name]
		}
	}
	return &out
}

// Profile is the name of what clients are let see of the servers that nothing else is
// said of; "" for all.
func (s *Service) Profile() string { return s.Snapshot().opt.Profile }

// of is a snapshot as a profile has it; "" is that of clients that nothing is said of. A
// profile that is not there has nothing of the servers: its configuration may just have
// been taken away.
func (s *Snapshot) of(profile string) *Snapshot {
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
	out.change(func(c *compiled) { c.Plan = p })
	return &out
}

// serves reports whether clients can be served with a profile.
func (s *Snapshot) serves(profile string) bool {
	return s.profiles[profile] != nil || profile == s.opt.Profile
}

// gatewayOf is the gateway as a profile has it.
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

// configure has the gateway take over a snapshot's servers.
func (s *Service) configure(snap *Snapshot) {
	profiles := map[string]*config.Config{}
	for name, p := range snap.profiles {
		profiles[name] = p.Config
	}
	s.gateway.ConfigureProfiles(snap.Plan.Config, profiles)
}

// choosesSomewhere reports whether the sessions of some profile may be listed different
// tools.
func (s *Snapshot) choosesSomewhere() bool {
	for name := range s.profiles {
		if s.of(name).world().Chooses() {
			return true
		}
	}
	return s.world().Chooses()
}
