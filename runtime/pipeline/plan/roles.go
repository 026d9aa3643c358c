package plan

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// resolveRoles resolves every role's names and permissions. Deny is the default: a role may only
// call what it lists.
func (c *compiler) resolveRoles() {
	models := slices.Sorted(maps.Keys(c.cfg.Models))
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Roles)) {
		r := &Role{Role: c.cfg.Roles[name]}
		c.plan.Roles[name] = r
		c.resolveGround(r)
		c.resolveEvidence(r)
		c.resolveShorten(r)
		c.resolveGrants(r)
		if _, ok := c.cfg.Models[r.Model]; !ok && r.Model != "" {
			c.reportUnknown("C104", "model", r.Model, models, "roles", name, "model")
		}
		c.resolveAnswer(r, r.Role.Task, []string{"roles", name, "task"})
		for i, p := range r.Redaction {
			if _, ok := c.cfg.Redaction.Patterns[p]; !ok {
				c.reportUnknown("C107", "redaction pattern", p, slices.Sorted(maps.Keys(c.cfg.Redaction.Patterns)), "roles", name, "redaction", strconv.Itoa(i))
			}
		}
	}
}

func (c *compiler) resolveGround(r *Role) {
	if r.Role.Ground == "" {
		return
	}
	b, ok := c.cat.Get(r.Role.Ground)
	if !ok {
		c.reportUnknown("C102", "builtin", r.Role.Ground, c.groundingNames(), "roles", r.Name, "ground")
		return
	}
	if !b.Grounds() {
		d := c.at("C108", "roles", r.Name, "ground")
		d.Message = "builtin " + b.Name + " cannot answer for a role: it does not return a summary with references"
		d.Allowed = c.groundingNames()
		c.report(d)
		return
	}
	r.Ground = b
	c.checkPermitted(r, b, "ground")
}

// resolveEvidence resolves the builtin that returns text for a prompt.
func (c *compiler) resolveEvidence(r *Role) {
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
		c.reportUnknown("C102", "builtin", r.Role.Evidence, able, "roles", r.Name, "evidence")
		return
	case !b.GivesText():
		d := c.at("C127", "roles", r.Name, "evidence")
		d.Message = "builtin " + b.Name + " does not return the text behind references"
		d.Allowed = able
		c.report(d)
		return
	}
	r.Evidence = b
	c.checkPermitted(r, b, "evidence")
}

// resolveShorten resolves the builtin that shortens the results of tools.
func (c *compiler) resolveShorten(r *Role) {
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
		c.reportUnknown("C102", "builtin", r.Role.Shorten, able, "roles", r.Name, "shorten")
	case !b.Shortens():
		d := c.at("C149", "roles", r.Name, "shorten")
		d.Message = "builtin " + b.Name + " does not make a text short"
		d.Allowed = able
		c.report(d)
	default:
		r.Shorten = b
	}
}

func (c *compiler) groundingNames() []string {
	var out []string
	for _, n := range c.cat.Names() {
		if b, _ := c.cat.Get(n); b.Grounds() {
			out = append(out, n)
		}
	}
	return out
}

// resolveGrants resolves tool permissions. A name without a match is an error and never silently
// dropped: a permission that looks granted but is not, or the other way round, is the
// worst kind of configuration bug.
func (c *compiler) resolveGrants(r *Role) {
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
				c.checkPermitted(r, b, "tools", strconv.Itoa(i))
			}
		}
	}
	slices.SortFunc(r.Tools, func(a, b Grant) int { return strings.Compare(a.Builtin.Name, b.Builtin.Name) })
}

func (c *compiler) noTool(r *Role, pattern, index string) {
	if !catalog.IsGlob(pattern) {
		c.reportUnknown("C103", "tool", pattern, c.cat.Names(), "roles", r.Name, "tools", index)
		return
	}
	d := c.at("C113", "roles", r.Name, "tools", index)
	d.Severity = diag.Warning
	d.Message = "pattern \"" + pattern + "\" matches no builtin"
	d.Allowed = c.cat.Names()
	c.report(d)
}

// checkPermitted checks a builtin's needs against the role's policy.
func (c *compiler) checkPermitted(r *Role, b catalog.Builtin, field ...string) {
	path := append([]string{"roles", r.Name}, field...)
	if b.Caps&catalog.Roots != 0 && len(r.Role.Roots) == 0 {
		d := c.at("C110", path...)
		d.Message = "builtin " + b.Name + " reads files, but the role may read no root"
		d.Help = "give roles." + r.Name + " roots: [\"code\"], or take the builtin from it"
		c.report(d)
	}
}
