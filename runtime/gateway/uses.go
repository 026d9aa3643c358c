package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/store"
)

// uses are the calls of tools in other runs and in this one, for each profile: what
// one calls often ranks no tool of another.
type uses struct {
	mu   sync.Mutex
	kept useCounts // in the store, as last read: those of this process too, once they are written
	own  useCounts // of this process, those that kept does not hold
	last time.Time // the latest call that was read

	reading bool
	during  []numbered // calls of this process while the store is read
}

// numbered is a call by its number in the store.
type numbered struct {
	number  int64
	key     [2]string
	profile string
}

// useCounts are by server and tool, then by profile.
type useCounts map[[2]string]map[string]int

func (c useCounts) set(key [2]string, profile string, calls int) {
	if c[key] == nil {
		c[key] = map[string]int{}
	}
	c[key][profile] = calls
}

// of counts the calls of a tool by clients of some profiles.
func (u *uses) of(profiles []string, server, name string) func() int {
	return func() (n int) {
		u.mu.Lock()
		defer u.mu.Unlock()
		key := [2]string{server, name}
		for _, p := range profiles {
			n += u.kept[key][p] + u.own[key][p]
		}
		return n
	}
}

// all counts the calls of a tool by all clients.
func (u *uses) all(server, name string) func() int {
	return func() (n int) {
		u.mu.Lock()
		defer u.mu.Unlock()
		for _, counts := range []useCounts{u.kept, u.own} {
			for _, calls := range counts[[2]string{server, name}] {
				n += calls
			}
		}
		return n
	}
}

// count counts a call of this process, in the store too where there is one.
func (u *uses) count(s *store.Store, profile, server, name string, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	key := [2]string{server, name}
	u.own.set(key, profile, u.own[key][profile]+1)
	if s == nil {
		return
	}
	// Under the lock, so that a call is in own before a read can begin that finds it in the store.
	if number := s.Count(profile, server, name, ok); u.reading {
		u.during = append(u.during, numbered{number, key, profile})
	}
}

// usesOverlap is longer than clocks of machines differ: a count is read again that was
// changed so long before the latest call that is known.
const usesOverlap = 24 * time.Hour

// read takes over the counts of the store that have changed. One call of it at a time.
func (u *uses) read(ctx context.Context, s *store.Store, now time.Time) error {
	u.mu.Lock()
	u.reading = true
	since := u.last
	u.mu.Unlock()
	if !since.IsZero() {
		if now.Before(since) {
			since = now
		}
		since = since.Add(-usesOverlap)
	}
	list, written, err := s.UsesSince(ctx, since)
	u.mu.Lock()
	defer u.mu.Unlock()
	if err == nil {
		for _, x := range list {
			u.kept.set([2]string{x.Server, x.Tool}, x.Profile, x.Count)
			if x.Last.After(u.last) {
				u.last = x.Last
			}
		}
		u.own = useCounts{}
		for _, x := range u.during {
			if x.number > written {
				u.own.set(x.key, x.profile, u.own[x.key][x.profile]+1)
			}
		}
	}
	u.reading, u.during = false, nil
	return err
}

// forget drops all counts: those in the store were deleted, or are read again.
func (u *uses) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.kept, u.own, u.last, u.during = useCounts{}, useCounts{}, time.Time{}, nil
}

// RecountUses takes the counts that the store has now in place of those that are known. What waits is written first.
func RecountUses(ctx context.Context, g *Gateway) error {
	u, s := g.uses(), g.storage.get()
	if s == nil {
		return nil
	}
	if _, err := s.Uses(ctx); err != nil {
		return err
	}
	u.forget()
	return u.read(ctx, s, g.opt.Now())
}

// uses reads the counts of earlier runs once; Follow reads on.
func (g *Gateway) uses() *uses {
	g.countOnce.Do(func() {
		g.counts = &uses{kept: useCounts{}, own: useCounts{}}
		s := g.storage.get()
		if s == nil {
			return
		}
		ctx, cancel := context.WithTimeout(g.life, time.Second)
		defer cancel()
		if err := g.counts.read(ctx, s, g.opt.Now()); err != nil {
			g.opt.Logger.Warn("the counts of calls cannot be read yet", "error", err)
		}
	})
	return g.counts
}

// learning are the profiles whose calls count here, its own first.
func (g *Gateway) learning() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.learns
}
