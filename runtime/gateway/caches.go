package gateway

import (
	"sync/atomic"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/toolargs"
	lru "github.com/hashicorp/golang-lru/v2"
)

// Limits of the caches, in entries.
const (
	maxServers = 1024
	maxDetails = 1024 // of tools that are called
)

// caches count what they saved. A list is fresh for a time (the library's expiring cache keeps a goroutine forever, so
// the time is part of the value); a checked schema is valid as long as the definition it was made from, whose digest is
// its key.
type caches struct {
	now     func() time.Time
	life    atomic.Int64                                 // nanoseconds that a list stays fresh
	off     atomic.Bool                                  // caching is disabled
	lists   *lru.Cache[string, time.Time]                // server → when its list was fetched
	details *lru.Cache[string, *toolargs.UpstreamSchema] // digest of a definition → its input schema

	listHits, listMisses, detailHits, detailMisses atomic.Int64
}

func newCaches(now func() time.Time) *caches {
	c := &caches{now: now}
	c.lists, _ = lru.New[string, time.Time](maxServers) // the sizes are positive
	c.details, _ = lru.New[string, *toolargs.UpstreamSchema](maxDetails)
	return c
}

// isFresh reports whether a server's list was fetched within its time to live.
func (c *caches) isFresh(server string) bool {
	at, ok := c.lists.Get(server)
	age := c.now().Sub(at) // negative if an earlier run had another clock
	if ok && age >= 0 && age < time.Duration(c.life.Load()) {
		c.listHits.Add(1)
		return true
	}
	c.listMisses.Add(1)
	return false
}

func (c *caches) countMiss()                              { c.listMisses.Add(1) }
func (c *caches) markFetched(server string, at time.Time) { c.lists.Add(server, at) }
func (c *caches) drop(server string)                      { c.lists.Remove(server) }

// compiledSchema returns the compiled form of an input schema.
func (c *caches) compiledSchema(hash string, input []byte) *toolargs.UpstreamSchema {
	if c.off.Load() {
		c.detailMisses.Add(1)
		return toolargs.CompileForeign(input)
	}
	if s, ok := c.details.Get(hash); ok {
		c.detailHits.Add(1)
		return s
	}
	c.detailMisses.Add(1)
	s := toolargs.CompileForeign(input)
	c.details.Add(hash, s)
	return s
}

// Rates are the hits and misses of the caches since the gateway began.
//
// A search, a list, or an unknown name looks up the list of each server: a hit is a list that was fetched within its
// time to live and has not been announced as changed, a miss is any other. On a miss the earlier list is still returned
// and fetched again in the background; only a server that was never asked is waited for. A tool call looks up its
// compiled schema; a hit holds until the definition changes.
type Rates struct {
	ListHits     int64 `json:"list_hits"`
	ListMisses   int64 `json:"list_misses"`
	DetailHits   int64 `json:"detail_hits"`
	DetailMisses int64 `json:"detail_misses"`
}

// Rates returns the hits and misses of the caches.
func (reg *registry) Rates() Rates {
	c := reg.caches
	return Rates{c.listHits.Load(), c.listMisses.Load(), c.detailHits.Load(), c.detailMisses.Load()}
}
