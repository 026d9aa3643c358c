// Package cache keeps what was worked out from the content of files, for later
// questions to the same trees, within a bound in bytes.
//
// It is a map that forgets: keys name contents (see sandbox.Version), so that a
// value is right for ever and nothing is ever invalidated; what nobody asks for
// makes room. It knows nothing of files and decides nothing about them: whoever
// asks has been let in by the sandbox. A nil *Cache keeps nothing.
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
	turn  uint64 // in which it was put or asked for last
}

// overhead is what an entry costs beside its value: the key, boxed, and its
// places in the map and in the list, in bytes.
const overhead = 320

// Stats counts since the cache was made.
type Stats struct {
	Entries int   // kept now
	Bytes   int64 // they take now, as their makers estimate
	Max     int64 // bytes at most
	Hits    int64
	Misses  int64
	Evicted int64 // made room for others
	Refused int64 // not kept: no room that is not in use
}

// New makes a cache of at most max bytes; nil for none.
func New(max int64) *Cache {
	if max <= 0 {
		return nil
	}
	lru, err := simplelru.NewLRU[any, entry](math.MaxInt32, nil)
	if err != nil { // only a size below 1 is refused
		panic(err)
	}
	return &Cache{lru: lru, max: max}
}

// Begin opens a new turn, one for each question. What was used in this turn is
// not thrown out in it: a tree larger than the cache would else push out its
// own beginning with its end, in every question, and gain nothing.
func (c *Cache) Begin() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
}

// Get returns what is kept under key, which must be comparable and of a type of
// the caller's own package.
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

// Put keeps a value of about size bytes, which is not changed any more.
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

// Clear forgets everything, and what was counted.
func (c *Cache) Clear() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lru.Purge()
	c.stats = Stats{}
}

// Room reports whether a value of about size bytes would be kept: what is costly
// to make only to be kept is better not made where it would not be.
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

// makeRoom throws out what was not used for longest.
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

// Stats tells how it goes; zero for a nil cache.
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
