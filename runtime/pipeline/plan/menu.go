package plan

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// checkMenu checks that the menu names tools and groups that exist.
func (c *compiler) checkMenu() {
	groups := map[string]bool{}
	for _, t := range c.cfg.Tools {
		if t.Group != "" {
			groups[t.Group] = true
		}
	}
	for i, g := range c.cfg.Menu.Only {
		if _, tool := c.cfg.Tools[g]; !groups[g] && !tool {
			c.reportUnknown("C134", "group of tools", g, slices.Sorted(maps.Keys(groups)), "menu", "only", strconv.Itoa(i))
		}
	}
	c.checkClients("output_schemas", c.cfg.Menu.OutputSchemas)
	c.checkClients("advanced", c.cfg.Menu.Advanced)
}

// checkClients checks client names, which may be globs.
func (c *compiler) checkClients(setting string, patterns []string) {
	for i, pattern := range patterns {
		if _, err := path.Match(pattern, ""); err != nil {
			d := c.at("C135", "menu", setting, strconv.Itoa(i))
			d.Message = strconv.Quote(pattern) + " is not a valid glob: a [ is not closed"
			c.report(d)
		}
	}
}

// OnMenu reports whether clients see the tool and can call it, given whether there are upstream servers.
func (p *Plan) OnMenu(t *Tool, servers bool) bool {
	only := p.Config.Menu.Only
	if t.Surface == "collections" && len(p.Config.Collections) == 0 { // this profile has no collection
		return false
	}
	return p.Config.Gateway.Shows(t.Tool, servers) && (len(only) == 0 || t.Group == "" || slices.Contains(only, t.Group) || slices.Contains(only, t.Name))
}

// ShowsOutput reports whether the named client receives the output schemas of tools.
func (p *Plan) ShowsOutput(client string) bool {
	return matchesClient(client, p.Config.Menu.OutputSchemas)
}

// ShowsAdvanced reports whether the named client sees the advanced inputs of tools.
func (p *Plan) ShowsAdvanced(client string) bool {
	return matchesClient(client, p.Config.Menu.Advanced)
}

// matchesClient reports whether a client matches any of the patterns.
func matchesClient(client string, patterns []string) bool {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "/", "_")) } // a * of path.Match stops at /
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, _ := path.Match(plain(pattern), plain(client))
		return ok
	})
}

// PlainInput returns the part of a tool's input that every client sees. It always
// includes required fields without a default.
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
