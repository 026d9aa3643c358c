package service

import (
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/world/web"
)

// openNetwork are the rules by which pages are read, and what is wrong with them.
// Nothing is contacted.
func openNetwork(cfg *config.Config) (*web.Rules, diag.List) {
	rules, wrong := web.Compile(cfg.Network)
	c := checker{cfg: cfg}
	for _, p := range wrong {
		c.report("C148", p.Message, p.Help, append([]string{"network"}, p.Path...)...)
	}
	return rules, c.diags
}

// web reads pages for one request; nil where the configuration opens no host. No
// reader outlives its request: what it has read is nobody else's.
func (s *Snapshot) web() catalog.Web {
	if r := s.pages.Reader(); r != nil {
		return r
	}
	return nil
}
