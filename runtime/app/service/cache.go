package service

import (
	"reflect"

	"github.com/compactor-mcp/compactor/runtime/base/cache"
)

// cacheFor returns the cache for a call and begins a turn of it, or nil if the call uses no cache.
func (s *Snapshot) cacheFor(c Call) *cache.Cache {
	if c.NoCache {
		return nil
	}
	s.Cache.Begin()
	return s.Cache
}

// inheritCache takes over the cache of the previous snapshot if the settings and roots are
// unchanged. Its keys name contents, so its entries would be right under any
// configuration, but what may no longer be read should not stay in memory.
func (s *Snapshot) inheritCache(before *Snapshot) {
	old, now := before.Plan.Config, s.Plan.Config
	if s.Cache != nil && old.Cache == now.Cache && reflect.DeepEqual(before.options, s.options) &&
		reflect.DeepEqual(before.rootPaths(), s.rootPaths()) {
		s.changeCompiled(func(c *compiled) { c.Cache = before.Cache })
	}
}

// rootPaths returns the directories of the roots.
func (s *Snapshot) rootPaths() []string {
	var out []string
	for _, r := range s.Roots.Roots() {
		out = append(out, r.Path())
	}
	return out
}
