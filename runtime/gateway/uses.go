package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// uses counts the calls of tools in other runs and in this one, by profile: frequent calls in one profile do not rank
// tools in another.
type uses struct {
	mu     sync.Mutex
	kept   useCounts // in the store, as last read; includes this process's calls once they are written
	own    useCounts // of this process, not yet contained in kept
	unkept useCounts // of this process, never written to the store
	last   time.Time // the latest call read

	turn    sync.Mutex // serializes reads
	reading bool
	during  []numbered // calls of this process during a read of the store
}

func newUses() *uses { return &uses{kept: useCounts{}, own: useCounts{}, unkept: useCounts{}} }

// numbered is a call with its number in the store.
type numbered struct {
	number  int64
	key     [2]string
	profile string
}

// useCounts are counts by server and tool, then by profile.
type useCounts map[[2]string]map[string]int

func (c useCounts) set(key [2]string, profile string, calls int) {
	if c[key] == nil {
		c[key] = map[string]int{}
	}
	c[key][profile] = calls
}

// countFor returns a function that counts the calls of a tool by clients of the given profiles.
func (u *uses) countFor(profiles []string, server, name string) func() int {
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

// all returns a function that counts the calls of a tool by all clients.
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

// count counts a call of this process, also in the store if there is one.
func (u *uses) count(s *store.Store, profile, server, name string, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	key := [2]string{server, name}
	if s == nil {
		u.unkept.set(key, profile, u.unkept[key][profile]+1)
		return
	}
	u.own.set(key, profile, u.own[key][profile]+1)
	// Under the lock, so that the call is in own before a read can begin that finds it in the store.
	if number := s.Count(profile, server, name, ok); u.reading {
		u.during = append(u.during, numbered{number, key, profile})
	}
}

// usesOverlap exceeds the differences between machines' clocks: counts changed up to this long before the latest known
// call are read again.
const usesOverlap = 24 * time.Hour

// readChanged reads the counts of the store that have changed.
func (u *uses) readChanged(ctx context.Context, s *store.Store, now time.Time) error {
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
	return u.takeSince(ctx, s, since)
}

// recount replaces all known counts with the store's.
func (u *uses) recount(ctx context.Context, s *store.Store) error {
	u.turn.Lock()
	defer u.turn.Unlock()
	if s != nil {
		if err := u.takeSince(ctx, s, time.Time{}); err != nil {
			return err
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.unkept = useCounts{}
	return nil
}

// takeSince reads the counts changed since the given time, or all if it is zero. The caller holds turn.
func (u *uses) takeSince(ctx context.Context, s *store.Store, since time.Time) error {
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

// RecountUses replaces the known counts with the store's. Pending counts are written first.
func RecountUses(ctx context.Context, g *Gateway) error {
	return g.uses().recount(ctx, g.storage.get())
}

// uses reads the counts of earlier runs once; later ones are read by WatchApprovals.
func (reg *registry) uses() *uses {
	reg.countOnce.Do(func() {
		reg.counts = newUses()
		s := reg.storage.get()
		if s == nil {
			return
		}
		ctx, cancel := context.WithTimeout(reg.life, time.Second)
		defer cancel()
		if err := reg.counts.readChanged(ctx, s, reg.opt.Now()); err != nil {
			reg.opt.Logger.Warn("the counts of calls cannot be read yet", "error", err)
		}
	})
	return reg.counts
}

// learningProfiles returns the profiles whose calls count here, its own first.
func (g *Gateway) learningProfiles() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.learns
}
