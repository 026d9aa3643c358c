package service_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// A client is listed tools, calls one of them and one that a hook had hidden.
func TestTheUseOfToolsIsKept(t *testing.T) {
	tool := `{"name":"read","inputSchema":{"type":"object"}},{"name":"write","inputSchema":{"type":"object"}}`
	svc := newFleet(t, map[string]string{"files": tool, "mail": tool}).behind(t, `
gateway: surface: "proxy"
pipelines: fewer: {`+pingStage+`
	#input: tools: [...{name: string, ...}]
	output: "filter(input.tools, .name != 'mail__write')"
}
hooks: tools_list: pipeline: "fewer"`)
	file := filepath.Join(t.TempDir(), "u.db")
	open := func(ctx context.Context) (usage.Log, error) {
		s, err := store.Open(ctx, file)
		if err != nil {
			return nil, err
		}
		return s.Usage(), nil
	}
	tracker := usage.New(usage.Options{Open: open, Settings: func() usage.Settings { return usage.Settings{Clients: usage.Name} }})
	end := svc.Track(tracker)
	f := newFace(t, svc)
	f.ask("tools/list", `{}`)
	f.ask("tools/call", `{"name":"files__read","arguments":{}}`)
	f.ask("tools/call", `{"name":"mail__write","arguments":{"to":"someone@example.org"}}`)
	if err := end(); err != nil {
		t.Fatal(err)
	}
	log, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	seen := 0
	if err := log.Sessions(t.Context(), time.Time{}, 100, func(s usage.Session, calls []usage.Call) error {
		seen++
		if s.Client != "test" || s.Era != "handshake" || s.Offered != 4 || !slices.Equal(s.Shown, []string{"files/read", "files/write", "mail/read"}) {
			t.Errorf("%+v", s)
		}
		if tools, err := log.Catalog(t.Context(), s.Catalog); err != nil || !slices.Equal(tools, []string{"files/read", "files/write", "mail/read", "mail/write"}) {
			t.Errorf("there were %q, %v", tools, err)
		}
		if len(calls) != 2 || calls[0].Name() != "files/read" || calls[0].Hidden || !calls[1].Hidden || !calls[1].OK || calls[1].Arguments == "" {
			t.Errorf("%+v", calls)
		}
		return nil
	}); err != nil || seen != 1 {
		t.Errorf("%d sessions, %v", seen, err)
	}
}
