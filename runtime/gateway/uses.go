package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// uses are the calls of tools in other runs and in this one, for each profile: what
// one calls often ranks no tool of another.
type uses struct {
	mu     sync.Mutex
	kept   useCounts // in the store, as last read: those of this process too, once they are written
	own    useCounts // of this process, those that kept does not hold
	unkept useCounts // of this process, those that are never in the store
	last   time.Time // the latest call that was read

	turn    sync.Mutex // one read at a time
	reading bool
	during  []numbered // calls of this process while the store is read
}

func newUses() *uses { return &uses{kept: useCounts{}, own: useCounts{}, unkept: useCounts{}} }

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
			n += u.kept[key][p] + u.own[key][p] + u.unkept[key][p]
		}
		return n
	}
}

// all counts the calls of a tool by all clients.
func (u *uses) all(server, name string) func() int {
	return func() (n int) {
		u.mu.Lock()
		defer u.mu.Unlock()
		for _, counts := range []useCounts{u.kept, u.own, u.unkept} {
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
	if s == nil {
		u.unkept.set(key, profile, u.unkept[key][profile]+1)
		return
	}
	u.own.set(key, profile, u.own[key][profile]+1)
	// Under the lock, so that a call is in own before a read can begin that finds it in the store.
	if number := s.Count(profile, server, name, ok); u.reading {
		u.during = append(u.during, numbered{number, key, profile})
	}
}

// usesOverlap is longer than clocks of machines differ: a count is read again that was
// changed so long before the latest call that is known.
const usesOverlap = 24 * time.Hour

// read takes over the counts of the store that have changed.
func (u *uses) read(ctx context.Context, s *store.Store, now time.Time) error {
	u.turn.Lock()
	defer u.turn.Unlock()
	u.mu.Lock()
	since := u.last
	u.mu.Unlock()
	if !since.IsZero() {
		if now.Before(since) {
			since = now
		}
		since = since.Add(-usesOverlap)
	}
	return u.take(ctx, s, since)
}

// recount takes the counts of the store in place of all that are known.
func (u *uses) recount(ctx context.Context, s *store.Store) error {
	u.turn.Lock()
	defer u.turn.Unlock()
	if s != nil {
		if err := u.take(ctx, s, time.Time{}); err != nil {
			return err
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.unkept = useCounts{}
	return nil
}

// take takes over the counts that have changed since a moment, all of them where that is zero. turn is held.
func (u *uses) take(ctx context.Context, s *store.Store, since time.Time) error {
	u.mu.Lock()
	u.reading = true
	u.mu.Unlock()
	list, written, err := s.UsesSince(ctx, since)
	u.mu.Lock()
	defer u.mu.Unlock()
	if err == nil {
		if since.IsZero() {
			u.kept, u.last = useCounts{}, time.Time{}
		}
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

// RecountUses takes the counts that the store has now in place of those that are known. What waits is written first.
func RecountUses(ctx context.Context, g *Gateway) error {
	return g.uses().recount(ctx, g.storage.get())
}

// uses reads the counts of earlier runs once; Follow reads on.
func (g *Gateway) uses() *uses {
	g.countOnce.Do(func() {
		g.counts = newUses()
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
