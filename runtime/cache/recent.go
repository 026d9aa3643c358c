package cache

import (
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Recent keeps the last few values of each of a number of sessions. The session
// unused for longest makes room for a new one, and what was not used for a while
// is forgotten. It is safe for concurrent use.
type Recent[T any] struct {
	mu   sync.Mutex
	lru  *simplelru.LRU[string, recent[T]]
	each int
	ttl  time.Duration
	now  func() time.Time
}

type recent[T any] struct {
	values []T // newest first; never changed once kept
	used   time.Time
}

// NewRecent makes a memory of at most sessions sessions with each values of
// each. A session that was neither added to nor asked for during ttl is empty.
// All three are above 0.
func NewRecent[T any](sessions, each int, ttl time.Duration, now func() time.Time) *Recent[T] {
	lru, err := simplelru.NewLRU[string, recent[T]](sessions, nil)
	if err != nil { // only a size below 1 is refused
		panic(err)
	}
	return &Recent[T]{lru: lru, each: each, ttl: ttl, now: now}
}

// Add keeps a value as the newest of a session. The session "" keeps nothing.
func (r *Recent[T]) Add(session string, v T) {
	if session == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	values := slices.Insert(slices.Clone(r.fresh(session)), 0, v)
	r.lru.Add(session, recent[T]{values[:min(len(values), r.each)], r.now()})
}

// List returns the values of a session, newest first. They are not changed.
func (r *Recent[T]) List(session string) []T {
	if session == "" {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	values := r.fresh(session)
	if len(values) > 0 {
		r.lru.Add(session, recent[T]{values, r.now()})
	}
	return values
}

// Forget drops a session.
func (r *Recent[T]) Forget(session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lru.Remove(session)
}

// Len is the number of sessions that are kept.
func (r *Recent[T]) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lru.Len()
}

// fresh drops the sessions that are over their time, which are the oldest, and
// returns what is left of one.
func (r *Recent[T]) fresh(session string) []T {
	for {
		key, s, ok := r.lru.GetOldest()
		if !ok || r.now().Sub(s.used) <= r.ttl {
			break
		}
		r.lru.Remove(key)
	}
	s, _ := r.lru.Peek(session)
	return s.values
}
