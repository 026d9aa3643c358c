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
	own  useCounts // of this process, since that was begun to be read
	next useCounts // since it is read anew; nil where it is not
	last time.Time // the latest call that was read
}

// useCounts are by server and tool, then by profile.
type useCounts map[[2]string]map[string]int

func (c useCounts) of(key [2]string, profile string, calls int) {
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

// add counts a call of this process.
func (u *uses) add(profile, server, name string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	key := [2]string{server, name}
	u.own.of(key, profile, u.own[key][profile]+1)
	if u.next != nil {
		u.next.of(key, profile, u.next[key][profile]+1)
	}
}

// usesOverlap is longer than clocks of machines differ: a count is read again that was
// changed so long before the latest call that is known.
const usesOverlap = 24 * time.Hour

// read takes over the counts of the store that have changed. Calls of its own meanwhile
// may count twice until it is called again.
func (u *uses) read(ctx context.Context, s *store.Store, now time.Time) error {
	u.mu.Lock()
	u.next = useCounts{}
	since := u.last
	u.mu.Unlock()
	if !since.IsZero() {
		if now.Before(since) {
			since = now
		}
		since = since.Add(-usesOverlap)
	}
	list, err := s.UsesSince(ctx, since)
	u.mu.Lock()
	defer u.mu.Unlock()
	if err == nil {
		for _, x := range list {
			u.kept.of([2]string{x.Server, x.Tool}, x.Profile, x.Count)
			if x.Last.After(u.last) {
				u.last = x.Last
			}
		}
		u.own = u.next
	}
	u.next = nil
	return err
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
