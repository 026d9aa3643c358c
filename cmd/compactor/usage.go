package main

import (
	"cmp"
	"context"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// These are the defaults for what is kept, as in schemas/safety.cue.
const (
	keepUsage      = 2160 * time.Hour
	keepUsageCalls = 50_000
)

// trackUsage records which upstream tools are used. end writes what is pending.
func (a *app) trackUsage(svc *service.Service) (end func()) {
	stop := svc.Track(a.newTracker(svc))
	return func() { _ = stop() }
}

func (a *app) newTracker(svc *service.Service) *usage.Tracker {
	return usage.New(usage.Options{
		Open:     func(ctx context.Context) (usage.Log, error) { return openUsage(ctx, svc, store.OpenLater) },
		Settings: func() usage.Settings { return usageSettings(svc) },
		Say:      func(message string) { a.log.Warn(message) },
	})
}

func usageSettings(svc *service.Service) usage.Settings {
	said := svc.Snapshot().Plan.Config.Usage
	return usage.Settings{Off: said.Off, Clients: usage.Choice(said.Clients), Arguments: usage.Choice(said.Arguments),
		Keeping: usage.Retention{For: cmp.Or(said.Keep, keepUsage), Calls: cmp.Or(said.Calls, keepUsageCalls)}}
}

// opener opens a store: store.Open, or store.OpenLater for what can wait for a server.
type opener func(ctx context.Context, url string) (*store.Store, error)

// openUsage opens the file next to the store, or the tables in it; nil if nothing outlives a
// run.
func openUsage(ctx context.Context, svc *service.Service, open opener) (usage.Log, error) {
	at, err := svc.Snapshot().StoreAt()
	if at = store.UsagePath(at); err != nil || at == "" {
		return nil, err
	}
	s, err := open(ctx, at)
	if err != nil {
		return nil, err
	}
	return s.Usage(), nil
}
