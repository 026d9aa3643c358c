package gateway

import (
	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// Unlisted is the listed name of the tool that a client means which calls it though
// it does not see it listed, or why it cannot be run; neither where the name has
// nothing to do with the servers. No server is asked: one that is not known yet is
// taken at its prefix.
func (g *Gateway) Unlisted(name string) (listed string, err error) {
	c := g.catalog.Load()
	if t := c.lookup(name, ""); t != nil {
		if !t.Enabled {
			return "", t.keptBack()
		}
		return t.Listed, nil
	}
	if c.former(name, "") != nil {
		return "", c.notFound(name, "", g.echo)
	}
	if e := g.meant(name, ""); e != nil {
		switch l, _ := e.known(); {
		case !g.allowed(e.config()):
			return "", connectionError(e.config().Name, heldWhy, heldDo+g.opt.AllowWith)
		case l == nil:
			return name, nil
		}
		return "", c.notFound(name, "", g.echo)
	}
	if diag.Nearest(name, c.sortedNames()) != "" {
		return "", c.notFound(name, "", g.echo)
	}
	return "", nil
}
