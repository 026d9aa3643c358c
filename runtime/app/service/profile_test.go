package service_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// What is served with a profile is the profile's, also for who knows other names, and
// what is marked holds in it alone.
func TestAProfileHoldsItsClients(t *testing.T) {
	f := newFleet(t, shop())
	opt := options(t, f.config(`gateway: {surface: "proxy", selection: {max_tools: 12}}
profiles: desk: {servers: ["mail", "cal*"], toolRules: [{pattern: ["delete_*"], enabled: false}], selection: {max_tools: 16}}`))
	opt.Profile = "desk"
	svc := start(t, opt)
	svc.Gateway().DiscoverAll(t.Context())
	track(t, svc)
	face := newFace(t, svc)
	list := face.listed()
	if len(list) == 0 || slices.ContainsFunc(list, func(n string) bool {
		return !strings.HasPrefix(n, "mail__") && !strings.HasPrefix(n, "calendar__") || strings.Contains(n, "delete_")
	}) {
		t.Errorf("listed %q", list)
	}
	for _, name := range []string{"git__get_git", "mail__delete_mail", "get_git", "git/get_git"} {
		if _, err := svc.Gateway().Call(t.Context(), name, nil, gateway.Caller{Session: svc.Session("x")}); err == nil {
			t.Errorf("%s was called", name)
		}
	}
	if got := svc.Session("x").Identity().Profile; got != "desk" {
		t.Errorf("a session of profile %q", got)
	}
	no := false
	if err := svc.Override(t.Context(), "desk", "", "mail__send_mail", &no); err != nil {
		t.Fatal(err)
	}
	if err := svc.Override(t.Context(), "desk", "", "git__get_git", &no); err == nil {
		t.Error("a tool of another profile was marked")
	}
	if list := newFace(t, svc).listed(); slices.Contains(list, "mail__send_mail") {
		t.Errorf("what is not wanted is listed: %q", list)
	}
}

func track(t *testing.T, svc *service.Service) {
	file := filepath.Join(t.TempDir(), "u.db")
	end := svc.Track(usage.New(usage.Options{Settings: func() usage.Settings { return usage.Settings{} }, Open: func(ctx context.Context) (usage.Log, error) {
		s, err := store.Open(ctx, file)
		if err != nil {
			return nil, err
		}
		return s.Usage(), nil
	}}))
	t.Cleanup(func() { _ = end() })
}
