package main

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"

	"github.com/compactor-mcp/compactor/runtime/app/control"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/observe/dashboard"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// shown is the dashboard of a service and the way in which browsers reach it.
type shown struct {
	handler http.Handler
	recent  *timeline.Recorder
	end     func() // ends recent
	browser *guard.Browser
	address atomic.Pointer[string] // that browsers reach; nil until the transport listens
}

// dashboardOf creates the dashboard of a service and has an HTTP transport serve it.
func (a *app) dashboardOf(ctx context.Context, svc *service.Service, t *server.Transport) *shown {
	s := &shown{}
	s.recent, s.end = a.recordTimeline(ctx, svc)
	opt := a.pagesOf(svc)
	opt.Timeline = s.recent
	opt.Unkept = func() string {
		err := s.recent.Unkept()
		if err == nil {
			return ""
		}
		at, _ := svc.Snapshot().StoreAt() // it is set: otherwise there would be nothing to keep
		return unkeptMessage(store.TimelinePath(at), err)
	}
	s.handler, s.browser = dashboard.New(opt), guard.NewBrowser(dashboard.Path, t.Token)
	if t.Kind == server.HTTP {
		t.Browser, t.Pages, t.Locked = s.browser, s.handler, dashboard.Locked(versionString())
	}
	return s
}

// pagesOf returns the options of the pages about a service.
func (a *app) pagesOf(svc *service.Service) dashboard.Options {
	return dashboard.Options{Source: service.DashboardSource{Service: svc, Keys: withoutLiterals, Harmless: withoutValues}, Version: versionString(),
		Enabled: func() bool { return !svc.Snapshot().Plan.Config.Dashboard.Off }}
}

// noteAddress notes where the transport listens.
func (s *shown) noteAddress(t server.Transport, addr net.Addr) {
	if t.Kind == server.HTTP {
		at := "http://" + reachableAddress(addr)
		s.address.Store(&at)
	}
}

// pages returns the pages for commands in another terminal.
func (s *shown) pages() control.Pages {
	return control.Pages{Handler: s.handler, Entrance: func() string {
		if at := s.address.Load(); at != nil {
			return *at + s.browser.Entrance()
		}
		return ""
	}}
}

// reachableAddress returns an address as a browser on this machine reaches it.
func reachableAddress(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return (&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: tcp.Port}).String()
	}
	return addr.String()
}
