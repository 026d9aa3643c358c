package plan

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
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
		if !groups[g] {
			c.unknown("C134", "group of tools", g, slices.Sorted(maps.Keys(groups)), "menu", "only", strconv.Itoa(i))
		}
	}
	for i, pattern := range c.cfg.Menu.OutputSchemas {
		if _, err := path.Match(pattern, ""); err != nil {
			d := c.at("C135", "menu", "output_schemas", strconv.Itoa(i))
			d.Message = strconv.Quote(pattern) + " is no glob: a [ is not closed"
			c.report(d)
		}
	}
}

// OnMenu reports whether clients are shown the tool and can call it, where there
// are upstream servers behind or none.
func (p *Plan) OnMenu(t *Tool, servers bool) bool {
	only := p.Config.Menu.Only
	return p.Config.Gateway.Shows(t.Tool, servers) && (len(only) == 0 || t.Group == "" || slices.Contains(only, t.Group))
}

// ShowsOutput reports whether a client of that name is sent what the results of
// tools look like.
func (p *Plan) ShowsOutput(client string) bool {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "/", "_")) } // a * of path.Match stops at /
	return slices.ContainsFunc(p.Config.Menu.OutputSchemas, func(pattern string) bool {
		ok, _ := path.Match(plain(pattern), plain(client))
		return ok
	})
}
