package service

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/glob"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
)

// profiles checks the profiles of the configuration.
func (c *checker) profiles() {
	names := slices.Sorted(maps.Keys(c.cfg.Servers))
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Profiles)) {
		p, at := c.cfg.Profiles[name], []string{"profiles", name}
		for i, pattern := range p.Servers {
			if !slices.ContainsFunc(names, func(n string) bool { return rules.FitsServer(pattern, n) }) {
				d := c.report("C130", "server \""+pattern+"\" is not defined", "", append(at, "servers", strconv.Itoa(i))...)
				d.Allowed, d.Suggestion = names, diag.Nearest(pattern, names)
			}
		}
		collections := slices.Sorted(maps.Keys(c.cfg.Collections))
		for i, pattern := range p.Collections {
			if !slices.ContainsFunc(collections, func(n string) bool { return glob.Runes.Match(pattern, n) }) {
				d := c.report("C152", "there is no collection \""+pattern+"\"", "", append(at, "collections", strconv.Itoa(i))...)
				d.Allowed, d.Suggestion = collections, diag.Nearest(pattern, collections)
			}
		}
		left := withinProfile(c.cfg, name)
		here := slices.Sorted(maps.Keys(left.Servers))
		c.rulesAt(p.ToolRules, here, append(at, "toolRules")...)
		if p.Selection != nil {
			c.selectionAt(p.Selection, left.Gateway, append(at, "selection")...)
		}
		for _, server := range slices.Sorted(maps.Keys(p.Tools)) {
			c.profileTools(name, server, left, here)
		}
		c.learnFrom(name, p)
	}
}

// profileTools checks the names that a profile gives to a server's tools.
func (c *checker) profileTools(profile, server string, left *config.Config, here []string) {
	at := []string{"profiles", profile, "tools", server}
	s, is := left.Servers[server]
	if !is {
		d := c.report("C130", "server \""+server+"\" is not one of this profile", "", at...)
		d.Allowed, d.Suggestion = here, diag.Nearest(server, here)
		return
	}
	first := map[string]string{} // old name by new name
	for _, tool := range slices.Sorted(maps.Keys(s.Tools)) {
		to := s.Tools[tool].Rename
		if to == "" {
			continue
		}
		other, taken := first[to]
		if own := c.cfg.Profiles[profile].Tools[server]; taken && (own[tool].Rename != "" || own[other].Rename != "") {
			if own[tool].Rename == "" {
				tool, other = other, tool
			}
			c.report("C151", "\""+to+"\" is what "+other+" is renamed to", "rename one of them to something else", append(at, tool, "rename")...)
		}
		first[to] = tool
	}
}

// learnFrom checks which other profiles a profile learns from.
func (c *checker) learnFrom(name string, p config.Profile) {
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(c.cfg.Profiles)), func(n string) bool { return n == name })
	for i, from := range p.LearnFrom {
		at := []string{"profiles", name, "learn_from", strconv.Itoa(i)}
		switch _, is := c.cfg.Profiles[from]; {
		case from == name:
			c.report("C161", "a profile learns from its own sessions anyhow", "leave it out", at...)
		case from != "" && !is:
			if d := c.unknownProfile(from, others, at); len(others) == 0 {
				d.Help = "there is no other profile to learn from: leave it out"
			}
		case slices.Contains(p.LearnFrom[:i], from):
			c.report("C161", strconv.Quote(from)+" stands there twice", "leave one out", at...)
		}
	}
	if p.LearnFrom != nil && c.cfg.Usage.Off { // no error: turning usage off must always be possible
		c.warn("C161", "nothing reads it: nothing is kept of the use of tools", "leave it out, or set usage: enabled: true", "profiles", name, "learn_from")
	}
}

// clients checks the profiles that are assigned to clients.
func (c *checker) clients() {
	names := slices.Sorted(maps.Keys(c.cfg.Profiles))
	lower := map[string]string{}
	for _, pattern := range slices.Sorted(maps.Keys(c.cfg.Clients)) {
		at := []string{"clients", pattern}
		if err := glob.Check(pattern); err != nil {
			c.report("C129", strconv.Quote(pattern)+": "+err.Error(), "", at...)
		}
		if same := lower[strings.ToLower(pattern)]; same != "" {
			c.report("C162", "it is the same name as "+strconv.Quote(same)+": capitals do not count", "leave one out", at...)
		}
		lower[strings.ToLower(pattern)] = pattern
		said := c.cfg.Clients[pattern].Profile
		if _, is := c.cfg.Profiles[said]; !is && said != "" {
			c.unknownProfile(said, names, append(at, "profile"))
		}
	}
}

func (c *checker) unknownProfile(said string, names, at []string) *diag.Diagnostic {
	d := c.report("C160", "profile "+strconv.Quote(said)+" is not defined", "", at...)
	d.Allowed, d.Suggestion = names, diag.Nearest(said, names)
	if len(names) == 0 {
		d.Help = "the configuration has none; write one, such as profiles: reading: servers: [\"git*\"]"
	}
	return d
}
