package consent

import (
	"maps"
	"slices"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// Restrained returns a configuration in which each held item is replaced by its value
// without the project's layer. Held servers stay, without the texts that they show, so
// that they can be listed as held.
func Restrained(cfg *config.Config, held *Effects, w Env) *config.Config {
	if held == nil {
		return cfg
	}
	j := &judge{cfg: cfg, base: cfg.Base, world: w}
	out, base := *cfg, cfg.Base
	out.Servers = maps.Clone(cfg.Servers)
	for name, s := range out.Servers {
		if held.Holds("servers", name) {
			s.Held, s.Description, s.Keywords, s.Tags, s.Tools, s.Prefix = true, "", nil, nil, nil, s.Name
			out.Servers[name] = s
		}
	}
	out.Dependencies = maps.Clone(cfg.Dependencies)
	for size := -1; size != len(out.Dependencies); { // as well as what needs a held one
		size = len(out.Dependencies)
		maps.DeleteFunc(out.Dependencies, func(name string, d config.Dependency) bool {
			return held.Holds("dependencies", name) || slices.ContainsFunc(d.Needs, func(need string) bool { _, ok := out.Dependencies[need]; return !ok })
		})
	}
	out.Models = maps.Clone(cfg.Models)
	for name := range out.Models {
		if !held.Holds("models", name) {
			continue
		}
		var known bool
		if out.Models[name], known = base.Models[name]; !known {
			out.Models[name] = config.Model{Provider: "none"}
		}
	}
	out.Roots = maps.Clone(cfg.Roots)
	for kind := range out.Roots {
		if !held.Holds("roots", kind) {
			continue
		}
		if out.Roots[kind] = j.nearRoots(kind); len(out.Roots[kind]) == 0 {
			delete(out.Roots, kind)
		}
	}
	out.Collections = maps.Clone(cfg.Collections)
	maps.DeleteFunc(out.Collections, func(name string, _ config.Collection) bool { return held.Holds("collections", name) })
	j.restrainSettings(&out, held)
	j.restrainInserts(&out, held)
	out.Tools = j.knownTools(held)
	out.Tests = nil // tests of held items would fail through no fault of their own
	if !held.Has("pipeline", "hook") && !j.hasOtherWords(&out, held) {
		return &out
	}
	plain := out // out may have been compiled, and must not change
	plain.Pipelines, plain.Roles, plain.Tools, plain.Models = base.Pipelines, base.Roles, base.Tools, base.Models
	return &plain
}

// hasOtherWords reports whether tools with held texts would still show other texts than without
// the project's layer, because of schemas that their pipelines supply.
func (j *judge) hasOtherWords(out *config.Config, held *Effects) bool {
	if !slices.ContainsFunc(sorted(j.base.Tools), func(name string) bool { return held.Holds("tools", name) }) {
		return false
	}
	now, was := toldBy(out, j.world), toldBy(j.base, j.world)
	for name := range j.base.Tools {
		if held.Holds("tools", name) && toolText(now[name]) != toolText(was[name]) {
			return true
		}
	}
	return false
}

func (j *judge) restrainSettings(out *config.Config, held *Effects) {
	base := j.base
	if held.Holds("sandbox", "allow") {
		out.Sandbox.Allow = base.Sandbox.Allow
	}
	if held.Holds("sandbox", "no_ignore") {
		out.Sandbox.NoIgnore = base.Sandbox.NoIgnore
	}
	if held.Holds("sandbox", "cross_device") {
		out.Sandbox.CrossDevice = base.Sandbox.CrossDevice
	}
	if held.Holds("gateway", "surface") {
		out.Gateway.Surface = base.Gateway.Surface
	}
	if held.Has("hook") {
		out.Hooks = base.Hooks
	}
	if held.Has("writes") {
		out.Artifacts = base.Artifacts
	}
}

// restrainInserts removes the inserted texts and keeps what the patterns and rules do otherwise.
func (j *judge) restrainInserts(out *config.Config, held *Effects) {
	out.Redaction.Patterns = maps.Clone(out.Redaction.Patterns)
	for name, p := range out.Redaction.Patterns {
		if held.Holds("redaction", "patterns", name) {
			p.Replace = ""
			out.Redaction.Patterns[name] = p
		}
	}
	out.ProjectRules = slices.Clone(out.ProjectRules)
	for i := range out.ProjectRules {
		if held.Holds("toolRules", strconv.Itoa(len(out.ToolRules)+i)) {
			out.ProjectRules[i].Tags = nil
		}
	}
	// A rule that only adds tags has no effect without them.
	out.ProjectRules = slices.DeleteFunc(out.ProjectRules, func(r config.ToolRule) bool { return r.Enabled == nil && len(r.Tags) == 0 })
}

// nearRoots returns the directories of a kind that need no consent, or else those without the project's layer.
func (j *judge) nearRoots(kind string) []string {
	near := slices.DeleteFunc(slices.Clone(j.cfg.Roots[kind]), func(d string) bool {
		return !slices.Contains(j.base.Roots[kind], d) && !j.isNear(d)
	})
	if len(near) == 0 {
		return j.base.Roots[kind]
	}
	return near
}

// knownTools returns the tools. Those with held texts are left out or replaced by their
// version without the project's layer.
func (j *judge) knownTools(held *Effects) map[string]config.Tool {
	out := maps.Clone(j.cfg.Tools)
	for name := range j.cfg.Tools {
		if !held.Holds("tools", name) {
			continue
		}
		if was, known := j.base.Tools[name]; known {
			out[name] = was
		} else {
			delete(out, name)
		}
	}
	return out
}

func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
