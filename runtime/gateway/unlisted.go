package gateway

import (
	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// Unlisted returns the listed name of the tool meant by a client that calls one it does not see in its list, or an
// error that says why it cannot be run. Both are empty if the name is unrelated to the servers. No server is asked: a
// name with the prefix of a server that is not known yet is returned unchanged.
func (g *Gateway) Unlisted(name string) (listed string, err error) {
	c := g.catalog.Load()
	if t := c.lookup(name, ""); t != nil {
		if !t.Enabled {
			return "", t.blockedReason()
		}
		return t.Listed, nil
	}
	if c.findRenamed(name, "") != nil {
		return "", c.notFound(name, "", g.echoInput)
	}
	if e := g.meantServer(name, ""); e != nil {
		switch l, _ := e.known(); {
		case !g.isAllowed(e.config()):
			return "", connectionError(e.config().Name, heldWhy, heldDo+g.opt.AllowWith)
		case l == nil:
			return name, nil
		}
		return "", c.notFound(name, "", g.echoInput)
	}
	if diag.Nearest(name, c.sortedNames()) != "" {
		return "", c.notFound(name, "", g.echoInput)
	}
	return "", nil
}
