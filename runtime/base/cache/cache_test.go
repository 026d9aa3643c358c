package cache_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/cache"
)

type key int

func TestNilKeepsNothing(t *testing.T) {
	c := cache.New(0)
	c.Begin()
	c.Put(key(1), "a", 1)
	if v, ok := c.Get(key(1)); ok || v != nil || c.Stats() != (cache.Stats{}) {
		t.Errorf("kept %v, %+v", v, c.Stats())
	}
}

func TestBoundedByBytes(t *testing.T) {
	const value = 10_000
	c := cache.New(10 * (value + 1_000))
	for i := range 100 {
		c.Begin()
		c.Put(key(i), i, value)
		if s := c.Stats(); s.Bytes > s.Max {
			t.Fatalf("%d bytes of %d", s.Bytes, s.Max)
		}
	}
	if s := c.Stats(); s.Entries < 9 || s.Evicted+int64(s.Entries) != 100 || s.Refused != 0 {
		t.Errorf("%+v", s)
	}
	if v, ok := c.Get(key(99)); !ok || v != 99 {
		t.Errorf("the last one is %v", v)
	}
	if _, ok := c.Get(key(0)); ok {
		t.Error("the first one is still there")
	}
	c.Put(key(7), "big", 1<<30)
	if _, ok := c.Get(key(7)); ok {
		t.Error("kept what is larger than the cache")
	}
}

// TestOldestUseGoesFirst asks for the first of two between two turns: the second
// one makes room.
func TestOldestUseGoesFirst(t *testing.T) {
	c := cache.New(25_000)
	c.Begin()
	c.Put(key(1), 1, 10_000)
	c.Put(key(2), 2, 10_000)
	c.Begin()
	c.Get(key(1))
	c.Put(key(3), 3, 10_000)
	_, first := c.Get(key(1))
	_, second := c.Get(key(2))
	if !first || second {
		t.Errorf("first kept: %t, second: %t", first, second)
	}
}

// TestMoreThanFits scans more than there is room for, again and again: what fits
// must be served, instead of everything being thrown out just before its turn.
func TestMoreThanFits(t *testing.T) {
	c := cache.New(50_000)
	hits := 0
	for range 5 {
		c.Begin()
		for i := range 100 {
			if _, ok := c.Get(key(i)); ok {
				hits++
			} else {
				c.Put(key(i), i, 1_000-320)
			}
		}
	}
	if hits < 4*45 {
		t.Errorf("%d of %d served where half of it fits", hits, 4*100)
	}
}

// TestRoom asks before making: what would be refused, and nothing else, has none.
func TestRoom(t *testing.T) {
	c := cache.New(50_000)
	c.Begin()
	for i := range 10 {
		room := c.Room(9_000)
		c.Put(key(i), i, 9_000)
		if _, kept := c.Get(key(i)); kept != room {
			t.Errorf("%d: room %t, kept %t", i, room, kept)
		}
	}
	if c.Begin(); !c.Room(9_000) || c.Room(60_000) {
		t.Error("a new question has room for what fits, and no more")
	}
	if (*cache.Cache)(nil).Room(1) {
		t.Error("no cache has room")
	}
}

func TestReplaceCountsOnce(t *testing.T) {
	c := cache.New(1 << 20)
	for i := range 100 {
		c.Put(key(1), i, 100)
	}
	if s := c.Stats(); s.Entries != 1 || s.Bytes > 1_000 {
		t.Errorf("%+v", s)
	}
}

func TestConcurrentUse(t *testing.T) {
	c := cache.New(100_000)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 5_000 {
				k := fmt.Sprint(i % 700)
				c.Begin()
				if v, ok := c.Get(k); ok && v != k {
					t.Errorf("worker %d: %v under %s", w, v, k)
				}
				c.Put(k, k, 200)
			}
		})
	}
	wg.Wait()
	if s := c.Stats(); s.Bytes > s.Max || s.Hits == 0 {
		t.Errorf("%+v", s)
	}
}
