package store

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A server is away where nobody was answered. That a caller's time passed, or a caller went, says nothing of it.
func TestGate(t *testing.T) {
	now := time.Now()
	away := &Error{"postgres://h/d", ErrAway, errAway}
	pass := func(t *testing.T, g *gate) uint64 {
		t.Helper()
		answered, err := g.checkOpen(now)
		if err == nil {
			err = g.admitUse(now)
		}
		if err != nil {
			t.Fatal("closed:", err)
		}
		return answered
	}
	closed := func(g *gate) bool {
		_, err := g.checkOpen(now)
		return errors.Is(err, ErrAway) && errors.Is(g.admitUse(now), ErrAway)
	}

	t.Run("answers of others", func(t *testing.T) {
		var g gate
		first := pass(t, &g)
		if !g.isSilent(first) {
			t.Error("somebody was answered")
		}
		pass(t, &g)
		g.leave(now, nil)
		if g.isSilent(first) {
			t.Error("nobody was answered")
		}
	})
	for name, err := range map[string]error{"late": &Error{"postgres://h/d", ErrSlow, errSlow}, "gone": context.Canceled} {
		t.Run(name, func(t *testing.T) {
			var g gate
			answered := pass(t, &g)
			g.leave(now, err)
			if closed(&g) || !g.isSilent(answered) {
				t.Error("it says something of the server")
			}
			g.leave(now, away)
			if !closed(&g) {
				t.Fatal("a server that is away is asked")
			}
			now = now.Add(2 * restAway)
			pass(t, &g) // one tries
			if !closed(&g) {
				t.Error("two try at once")
			}
			g.leave(now, err)
			pass(t, &g) // another one tries
			g.leave(now, nil)
			pass(t, &g)
			pass(t, &g)
		})
	}
}
