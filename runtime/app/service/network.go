package service

import (
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/world/web"
)

// openNetwork compiles the rules for reading pages, and returns the mistakes in them.
// Nothing is contacted.
func openNetwork(cfg *config.Config) (*web.Rules, diag.List) {
	rules, wrong := web.Compile(cfg.Network)
	c := checker{cfg: cfg}
	for _, p := range wrong {
		c.report("C148", p.Message, p.Help, append([]string{"network"}, p.Path...)...)
	}
	return rules, c.diags
}

// web returns a reader of pages for one request, or nil if the configuration opens no host. A reader never outlives
// its request, so its pages are not shared with other callers.
func (s *Snapshot) web() catalog.Web {
	if r := s.pages.Reader(); r != nil {
		return r
	}
	return nil
}
