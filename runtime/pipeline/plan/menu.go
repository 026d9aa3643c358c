package plan

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// menu checks what clients are shown against what there is.
func (c *compiler) menu() {
	groups := map[string]bool{}
	for _, t := range c.cfg.Tools {
		if t.Group != "" {
			groups[t.Group] = true
		}
	}
	for i, g := range c.cfg.Menu.Only {
		if _, tool := c.cfg.Tools[g]; !groups[g] && !tool {
			c.unknown("C134", "group of tools", g, slices.Sorted(maps.Keys(groups)), "menu", "only", strconv.Itoa(i))
		}
	}
	c.clients("output_schemas", c.cfg.Menu.OutputSchemas)
	c.clients("advanced", c.cfg.Menu.Advanced)
}

// clients checks names of clients, which may be globs.
func (c *compiler) clients(setting string, patterns []string) {
	for i, pattern := range patterns {
		if _, err := path.Match(pattern, ""); err != nil {
			d := c.at("C135", "menu", setting, strconv.Itoa(i))
			d.Message = strconv.Quote(pattern) + " is not a valid glob: a [ is not closed"
			c.report(d)
		}
	}
}

// OnMenu reports whether clients are shown the tool and can call it, where there
// are upstream servers behind or none.
func (p *Plan) OnMenu(t *Tool, servers bool) bool {
	only := p.Config.Menu.Only
	if t.Surface == "collections" && len(p.Config.Collections) == 0 { // none of this profile
		return false
	}
	return p.Config.Gateway.Shows(t.Tool, servers) && (len(only) == 0 || t.Group == "" || slices.Contains(only, t.Group) || slices.Contains(only, t.Name))
}

// ShowsOutput reports whether a client of that name is sent what the results of
// tools look like.
func (p *Plan) ShowsOutput(client string) bool { return named(client, p.Config.Menu.OutputSchemas) }

// ShowsAdvanced reports whether a client of that name is listed the advanced inputs of
// tools.
func (p *Plan) ShowsAdvanced(client string) bool { return named(client, p.Config.Menu.Advanced) }

// named reports whether a client is one of those that are named.
func named(client string, patterns []string) bool {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "/", "_")) } // a * of path.Match stops at /
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, _ := path.Match(plain(pattern), plain(client))
		return ok
	})
}

// PlainInput is the part of a tool's input that every client is listed. What has to be
// given is always part of it.
func (t *Tool) PlainInput() *schema.Schema {
	plain := *t.Input
	plain.Fields = nil
	for _, f := range t.Input.Fields {
		if !slices.Contains(t.Advanced, f.Name) || f.Required && f.Schema.Default == nil {
			plain.Fields = append(plain.Fields, f)
		}
	}
	return &plain
}
