package gateway

import (
	"github.com/compactor-mcp/compactor/runtime/gateway/pages"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Now returns the current catalog for display: nothing is started or asked.
func (g *Gateway) Now() *catalog.UpstreamTools { return g.catalog.Load().Tools }

// Shown returns the result kept under an id in any session: for the user, who may see all of them.
func (reg *registry) Shown(id string) (pages.Kept, bool) { return reg.pages.Shown(id) }
