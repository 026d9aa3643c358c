package service

import (
	"reflect"

	"github.com/compactor-mcp/compactor/runtime/base/cache"
)

// cacheFor is the cache that a call uses; it begins a turn of it.
func (s *Snapshot) cacheFor(c Call) *cache.Cache {
	if c.NoCache {
		return nil
	}
	s.Cache.Begin()
	return s.Cache
}

// inherit takes over what the snapshot before kept, where the same may be kept:
// its keys name contents, so that it would answer rightly under any
// configuration, but what may no longer be read should not stay in memory.
func (s *Snapshot) inherit(before *Snapshot) {
	old, now := before.Plan.Config, s.Plan.Config
	if s.Cache != nil && old.Cache == now.Cache && reflect.DeepEqual(before.options, s.options) &&
		reflect.DeepEqual(before.places(), s.places()) {
		s.change(func(c *compiled) { c.Cache = before.Cache })
	}
}

// places are the directories of the roots.
func (s *Snapshot) places() []string {
	var out []string
	for _, r := range s.Roots.Roots() {
		out = append(out, r.Path())
	}
	return out
}
