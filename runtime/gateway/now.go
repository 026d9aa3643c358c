package gateway

import (
	"github.com/compactor-mcp/compactor/runtime/gateway/pages"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Now is the catalog as it is, for who only looks: nothing is started or asked.
func (g *Gateway) Now() *catalog.UpstreamTools { return g.catalog.Load().Tools }

// Shown is what is kept under an id, whosever session it is: for the user, who may
// see all of them.
func (g *Gateway) Shown(id string) (pages.Kept, bool) { return g.pages.Shown(id) }
