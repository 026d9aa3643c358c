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

// keepSession is how long an unused session is shared, the same time after which a server
// forgets one; keepResult is the default of gateway.result_time.
const (
	keepSession = 30 * time.Minute
	keepResult  = 15 * time.Minute
)

// shareSessions lets other processes with the same store find the sessions of HTTP clients. end writes what is pending.
func (a *app) shareSessions(svc *service.Service, token string) (end func()) {
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

// openShared opens the file next to the store, or the tables in it; nil if nothing outlives a run.
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
