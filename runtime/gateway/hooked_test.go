package gateway

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/pages"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// A hook whose output is no result, or that fails after it had the result kept, leaves
// nothing that could be read, here or for other processes.
func TestWhatAHookLeftUnfinishedIsNotKept(t *testing.T) {
	for name, hook := range map[string]func(id string, r Result) HookResult{
		"a list": func(id string, _ Result) HookResult { return HookResult{Raw: json.RawMessage(`["` + id + ` marker"]`)} },
		"half": func(id string, _ Result) HookResult {
			return HookResult{Raw: json.RawMessage(`{"content":[{"type":"text","text":"` + id + ` marker`)}
		},
		"nothing":   func(string, Result) HookResult { return HookResult{Summary: &Summary{}} },
		"as it was": func(_ string, r Result) HookResult { return HookResult{Raw: r.Raw} },
		"one summary": func(id string, _ Result) HookResult {
			return HookResult{Raw: json.RawMessage(`{"content":[]}`), Summary: &Summary{ID: id}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"a": simple("x")})
			w.cfg.Gateway.Results = config.Results{Memory: 1 << 20, Time: time.Hour}
			w.Configure(w.cfg)
			w.names()
			w.opt.More = func() string { return "fetch_result" }
			shelf := &shelfOf{}
			w.Share(shelf)
			me := session.New(session.Who{ID: "me"})
			id := ""
			w.opt.Result = func(_ context.Context, r Result) HookResult {
				if id, _ = r.Keep(); id == "" {
					t.Fatal("it is not kept")
				}
				return hook(id, r)
			}
			raw, err := w.Call(t.Context(), "a__x", json.RawMessage(`{}`), Caller{Session: me})
			if fails := name != "as it was" && name != "one summary"; fails && (err == nil || len(raw) > 0 || strings.Contains(err.Error(), "marker")) || !fails && err != nil {
				t.Errorf("%s, %v", raw, err)
			}
			_, kept := w.Kept("me", id)
			if want := name == "one summary"; kept != want || (len(shelf.has) > 0) != want {
				t.Errorf("kept %v, shared %v", kept, shelf.has)
			}
		})
	}
}

// shelfOf is what other processes are given.
type shelfOf struct{ has []pages.Kept }

func (s *shelfOf) Put(_ string, r pages.Kept)                             { s.has = append(s.has, r) }
func (s *shelfOf) Get(context.Context, string, string) (pages.Kept, bool) { return pages.Kept{}, false }

// Where masking itself breaks, the call breaks with it: no hook is asked, and nothing is
// kept. Who called recovers (runtime/mcp/server).
func TestAResultWhoseMaskingBreaksGoesNowhere(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x")})
	w.cfg.Gateway.Results = config.Results{Memory: 1 << 20, Time: time.Hour}
	w.Configure(w.cfg)
	w.names()
	w.opt.Redactor = func() *redact.Redactor { return &redact.Redactor{} } // of no use
	asked := false
	w.opt.Result = func(_ context.Context, r Result) HookResult { asked = true; return HookResult{Raw: r.Raw} }
	var raw json.RawMessage
	var err error
	broke := func() (broke bool) {
		defer func() { broke = recover() != nil }()
		raw, err = w.Call(t.Context(), "a__x", json.RawMessage(`{}`), Caller{Session: session.New(session.Who{ID: "me"})})
		return false
	}()
	if !broke && err == nil || raw != nil || asked {
		t.Errorf("broke %v: %s, %v; the hook was asked: %v", broke, raw, err, asked)
	}
}
