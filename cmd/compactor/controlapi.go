package main

import (
	"context"
	"net/http"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/app/install"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/observe/metrics"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// controlAPI has an HTTP transport serve the control API and the metrics, which are collected
// until end is called.
func (a *app) controlAPI(svc *service.Service, t *server.Transport) (end func()) {
	if t.Kind == server.Stdio {
		return func() {}
	}
	sink := metrics.New(metrics.Options{Stream: svc.Events(), Redactor: func() *redact.Redactor { return svc.Snapshot().Redactor }, Version: versionString(), Caches: func() []metrics.Cache { return cachesOf(svc) }})
	t.Also = api.New(api.Options{Source: a.newController(svc), Metrics: sink.Handler(), Version: versionString(), Changes: t.Token != "",
		Enabled: func() bool { return !svc.Snapshot().Plan.Config.API.Off }})
	t.Refuse = func(w http.ResponseWriter, why guard.Refusal) { api.Refuse(w, why.Status, why.Code, why.What, why.Do) }
	return sink.Close
}

// cachesOf returns the caches of a service with their hits and misses. The counts of a
// configuration's own caches start at zero with the next configuration.
func cachesOf(svc *service.Service) []metrics.Cache {
	snap := svc.Snapshot()
	hits, misses := snap.Results.Looks()
	files, rates := snap.Cache.Stats(), svc.Gateway().Rates()
	return []metrics.Cache{{Name: "files", Hits: files.Hits, Misses: files.Misses}, {Name: "searches", Hits: hits, Misses: misses},
		{Name: "tool_lists", Hits: rates.ListHits, Misses: rates.ListMisses}, {Name: "tool_schemas", Hits: rates.DetailHits, Misses: rates.DetailMisses}}
}

func (a *app) newController(svc *service.Service) service.Controller {
	return service.Controller{Service: svc, Keys: withoutLiterals, Harmless: withoutValues, Options: a.options, Replace: install.Replace,
		Store: func(ctx context.Context, url string) error {
			s, err := store.Open(ctx, url)
			if err != nil {
				return err
			}
			return s.Close()
		}}
}

// writtenByAPI returns the directory that the control API writes to, or "" if no client may
// make it write: then that directory stays inaccessible.
func writtenByAPI(t server.Transport, snap *service.Snapshot) string {
	if t.Kind == server.Stdio || t.Token == "" {
		return ""
	}
	return snap.WrittenDir()
}
