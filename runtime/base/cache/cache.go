// Package cache keeps results derived from the content of files, for later questions
// about the same trees, within a limit in bytes.
//
// It is a map that forgets: keys identify contents (see sandbox.Version), so a value
// stays valid forever and nothing is ever invalidated; values that are not used make
// room. The package knows nothing about files and makes no access decisions: the
// sandbox has already admitted the caller. A nil *Cache keeps nothing.
package cache

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cache is safe for concurrent use.
type Cache struct {
	mu    sync.Mutex
	lru   *simplelru.LRU[any, entry]
	max   int64
	turn  uint64
	stats Stats
}

type entry struct {
	value any
	size  int64
	turn  uint64 // the turn of the last Put or Get
}

// overhead is the cost of an entry besides its value, in bytes: the boxed key and its
// slots in the map and the list.
const overhead = 320

// Stats counts since the cache was created.
type Stats struct {
	Entries int   // kept now
	Bytes   int64 // their size, as estimated by the callers of Put
	Max     int64 // bytes at most
	Hits    int64
	Misses  int64
	Evicted int64 // removed to make room
	Refused int64 // not kept: the rest of the cache was in use
}

// New returns a cache of at most max bytes; nil if max is not positive.
func New(max int64) *Cache {
	if max <= 0 {
		return nil
	}
	lru, err := simplelru.NewLRU[any, entry](math.MaxInt32, nil)
	if err != nil { // fails only for a size below 1
		panic(err)
	}
	return &Cache{lru: lru, max: max}
}

// Begin starts a new turn, one for each question. Entries used in this turn are not
// evicted during it: otherwise a tree larger than the cache would evict its own
// beginning with its end, in every question, and gain nothing.
func (c *Cache) Begin() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
}

// Get returns the value stored under key, which must be comparable and of a type of the
// caller's own package.
func (c *Cache) Get(key any) (any, bool) {
	if c == nil {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.lru.Get(key)
	if !ok {
		c.stats.Misses++
		return nil, false
	}
	c.stats.Hits++
	if e.turn != c.turn {
		e.turn = c.turn
		c.lru.Add(key, e)
	}
	return e.value, true
}

// Put stores a value of about size bytes, which must not be changed any more.
func (c *Cache) Put(key, value any, size int64) {
	if c == nil {
		return
	}
	size += overhead
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.lru.Peek(key); ok {
		c.stats.Bytes -= old.size
		c.lru.Remove(key)
	}
	if !c.makeRoom(size) {
		c.stats.Refused++
		return
	}
	c.lru.Add(key, entry{value, size, c.turn})
	c.stats.Bytes += size
}

// Clear removes all entries and resets the statistics.
func (c *Cache) Clear() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Purge()
	c.stats = Stats{}
}

// Room reports whether a value of about size bytes would be kept, so that a caller need
// not build an expensive value that would not be.
func (c *Cache) Room(size int64) bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if size += overhead; size > c.max || c.stats.Bytes+size <= c.max {
		return size <= c.max
	}
	_, old, ok := c.lru.GetOldest()
	return ok && old.turn != c.turn
}

// makeRoom evicts the least recently used entries, and reports whether size bytes fit.
func (c *Cache) makeRoom(size int64) bool {
	if size > c.max {
		return false
	}
	for c.stats.Bytes+size > c.max {
		_, old, ok := c.lru.GetOldest()
		if !ok || old.turn == c.turn {
			return false
		}
		c.lru.RemoveOldest()
		c.stats.Bytes -= old.size
		c.stats.Evicted++
	}
	return true
}

// Stats returns the statistics; zero for a nil cache.
func (c *Cache) Stats() Stats {
	if c == nil {
		return Stats{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Entries, s.Max = c.lru.Len(), c.max
	return s
}
