package shared_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/pipeline/shared"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// gatedShelf holds the first write until it is let through, and counts all of them.
type gatedShelf struct {
	shared.Shelf
	writes  *atomic.Int64
	entered chan struct{}
	open    chan struct{}
}

func (g gatedShelf) PutSessions(ctx context.Context, list []shared.Record) ([]string, error) {
	if g.writes.Add(1) == 1 {
		close(g.entered)
		<-g.open
	}
	return g.Shelf.PutSessions(ctx, list)
}

// 200 clients that begin while a session is being written share the next transactions, and all can be found elsewhere
// when their Begin returns.
func TestSessionsThatBeginTogetherAreWrittenTogether(t *testing.T) {
	const clients = 200
	url := filepath.Join(t.TempDir(), "s.db")
	other := begin(t, url, "token")
	var writes atomic.Int64
	gate := gatedShelf{writes: &writes, entered: make(chan struct{}), open: make(chan struct{})}
	p := &process{sessions: session.NewStore()}
	p.Sharer = shared.New(shared.Options{
		Open: func(ctx context.Context) (shared.Shelf, error) {
			s, err := store.OpenLater(ctx, url)
			if err != nil {
				return nil, err
			}
			gate.Shelf = s.Shared()
			return gate, nil
		},
		Secret:   "token",
		Settings: func() shared.Settings { return shared.Settings{Sessions: time.Hour, Results: time.Hour} },
		Sessions: p.sessions.Get,
		Wait:     time.Minute,
	})
	t.Cleanup(func() { _ = p.Close() })
	var all sync.WaitGroup
	all.Go(func() { p.open("first") })
	<-gate.entered
	for i := range clients {
		all.Go(func() {
			id := fmt.Sprint("client-", i)
			p.open(id)
			if _, _, err := other.resume(id); err != nil {
				t.Errorf("%s is not found elsewhere: %v", id, err)
			}
		})
	}
	clocktest.Until(t, "all clients wait", func() bool { return p.Due() == clients }, func() any { return p.Due() })
	close(gate.open)
	all.Wait()
	if n := writes.Load(); n > 1+clients/10 {
		t.Errorf("%d sessions took %d transactions", clients, n)
	}
}
