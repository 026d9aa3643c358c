package main

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/pipeline/shared"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// keepSession is how long a session is shared that is not used, as a server forgets one; keepResult is what
// gateway.result_time is where nothing is said.
const (
	keepSession = 30 * time.Minute
	keepResult  = 15 * time.Minute
)

// share has sessions over HTTP found by other processes that use the same store. end writes what waits.
func (a *app) share(svc *service.Service, token string) (end func()) {
	onServer := sync.OnceValue(func() bool {
		at, _ := svc.Snapshot().StoreAt()
		return store.OnServer(at)
	})
	stop := svc.Share(shared.Options{
		Open:   func(ctx context.Context) (shared.Shelf, error) { return openShared(ctx, svc, store.OpenLater) },
		Secret: token,
		Settings: func() shared.Settings {
			cfg := svc.Snapshot().Plan.Config
			off := cfg.Store.Share != nil && !*cfg.Store.Share || cfg.Store.Share == nil && !onServer()
			return shared.Settings{Off: off, Sessions: keepSession, Results: cmp.Or(cfg.Gateway.Results.Time, keepResult)}
		},
		Say: func(message string) { a.log.Warn(message) },
	})
	return func() { _ = stop() }
}

// openShared opens the file beside the store, or the tables in it; nil where nothing outlives a run.
func openShared(ctx context.Context, svc *service.Service, open opener) (shared.Shelf, error) {
	at, err := svc.Snapshot().StoreAt()
	if at = store.SharedPath(at); err != nil || at == "" {
		return nil, err
	}
	s, err := open(ctx, at)
	if err != nil {
		return nil, err
	}
	return s.Shared(), nil
}
