package plan

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// roles resolves every role's names and permissions. Deny is the default: a role may only
// call what it lists.
func (c *compiler) roles() {
	models := slices.Sorted(maps.Keys(c.cfg.Models))
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Roles)) {
		r := &Role{Role: c.cfg.Roles[name]}
		c.plan.Roles[name] = r
		c.ground(r)
		c.evidence(r)
		c.shorten(r)
		c.grants(r)
		if _, ok := c.cfg.Models[r.Model]; !ok && r.Model != "" {
			c.unknown("C104", "model", r.Model, models, "roles", name, "model")
		}
		c.answer(r, r.Role.Task, []string{"roles", name, "task"})
		for i, p := range r.Redaction {
			if _, ok := c.cfg.Redaction.Patterns[p]; !ok {
				c.unknown("C107", "redaction pattern", p, slices.Sorted(maps.Keys(c.cfg.Redaction.Patterns)), "roles", name, "redaction", strconv.Itoa(i))
			}
		}
	}
}

func (c *compiler) ground(r *Role) {
	if r.Role.Ground == "" {
		return
	}
	b, ok := c.cat.Get(r.Role.Ground)
	if !ok {
		c.unknown("C102", "builtin", r.Role.Ground, c.grounders(), "roles", r.Name, "ground")
		return
	}
	if !b.Grounds() {
		d := c.at("C108", "roles", r.Name, "ground")
		d.Message = "builtin " + b.Name + " cannot answer for a role: it does not return a summary with references"
		d.Allowed = c.grounders()
		c.report(d)
		return
	}
	r.Ground = b
	c.permitted(r, b, "ground")
}

// evidence resolves the builtin that returns text for a prompt.
func (c *compiler) evidence(r *Role) {
	if r.Role.Evidence == "" {
		return
	}
	var able []string
	for _, n := range c.cat.Names() {
		if b, _ := c.cat.Get(n); b.GivesText() {
			able = append(able, n)
		}
	}
	b, ok := c.cat.Get(r.Role.Evidence)
	switch {
	case !ok:
		c.unknown("C102", "builtin", r.Role.Evidence, able, "roles", r.Name, "evidence")
		return
	case !b.GivesText():
		d := c.at("C127", "roles", r.Name, "evidence")
		d.Message = "builtin " + b.Name + " does not return the text behind references"
		d.Allowed = able
		c.report(d)
		return
	}
	r.Evidence = b
	c.permitted(r, b, "evidence")
}

// shorten resolves the builtin that shortens the results of tools.
func (c *compiler) shorten(r *Role) {
	if r.Role.Shorten == "" || len(r.Role.Tools) == 0 {
		return
	}
	var able []string
	for _, n := range c.cat.Names() {
		if b, _ := c.cat.Get(n); b.Shortens() {
			able = append(able, n)
		}
	}
	b, ok := c.cat.Get(r.Role.Shorten)
	switch {
	case !ok:
		c.unknown("C102", "builtin", r.Role.Shorten, able, "roles", r.Name, "shorten")
	case !b.Shortens():
		d := c.at("C149", "roles", r.Name, "shorten")
		d.Message = "builtin " + b.Name + " does not make a text short"
		d.Allowed = able
		c.report(d)
	default:
		r.Shorten = b
	}
}

func (c *compiler) grounders() []string {
	var out []string
	for _, n := range c.cat.Names() {
		if b, _ := c.cat.Get(n); b.Grounds() {
			out = append(out, n)
		}
	}
	return out
}

// grants resolves tool permissions. A name without a match is an error and never silently
// dropped: a permission that looks granted but is not, or the other way round, is the
// worst kind of configuration bug.
func (c *compiler) grants(r *Role) {
	seen := map[string]bool{}
	for i, pattern := range r.Role.Tools {
		matched := c.cat.Match(pattern)
		if len(matched) == 0 {
			c.noTool(r, pattern, strconv.Itoa(i))
		}
		for _, b := range matched {
			if catalog.IsGlob(pattern) && b.Caps&(catalog.Network|catalog.Annotate) != 0 {
				continue // the network and the user's pins are only granted by name, never by a pattern
			}
			if catalog.IsGlob(pattern) && b.Caps&catalog.Documents != 0 && len(c.cfg.Collections) == 0 {
				continue // there is nothing to search
			}
			if !seen[b.Name] {
				seen[b.Name] = true
				r.Tools = append(r.Tools, Grant{Builtin: b, By: pattern})
				c.permitted(r, b, "tools", strconv.Itoa(i))
			}
		}
	}
	slices.SortFunc(r.Tools, func(a, b Grant) int { return strings.Compare(a.Builtin.Name, b.Builtin.Name) })
}

func (c *compiler) noTool(r *Role, pattern, index string) {
	if !catalog.IsGlob(pattern) {
		c.unknown("C103", "tool", pattern, c.cat.Names(), "roles", r.Name, "tools", index)
		return
	}
	d := c.at("C113", "roles", r.Name, "tools", index)
	d.Severity = diag.Warning
	d.Message = "pattern \"" + pattern + "\" matches no builtin"
	d.Allowed = c.cat.Names()
	c.report(d)
}

// permitted checks a builtin's needs against the role's policy.
func (c *compiler) permitted(r *Role, b catalog.Builtin, field ...string) {
	path := append([]string{"roles", r.Name}, field...)
	if b.Caps&catalog.Roots != 0 && len(r.Role.Roots) == 0 {
		d := c.at("C110", path...)
		d.Message = "builtin " + b.Name + " reads files, but the role may read no root"
		d.Help = "give roles." + r.Name + " roots: [\"code\"], or take the builtin from it"
		c.report(d)
	}
}
