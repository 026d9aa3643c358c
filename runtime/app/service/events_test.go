package service_test

import (
	"context"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// waiting are the events that wait, as kind, name and outcome.
func waiting(sub *event.Subscription) (out []string) {
	sub.Close()
	for {
		e, ok := sub.Next(context.Background())
		if !ok {
			return out
		}
		out = append(out, strings.Join(strings.Fields(e.Kind.String()+" "+e.Phase.String()+" "+e.Name+" "+e.Outcome), " "))
	}
}

func TestAReloadIsAnEvent(t *testing.T) {
	opt := options(t, map[string]string{"a.cue": "package compactor\n"})
	svc := start(t, opt)
	sub := svc.Events().Subscribe(10, event.Reload)
	for _, text := range []string{"package compactor\nlog: level: \"warn\"\n", "package compactor\nnonsense: 1\n"} {
		write(t, opt.Dir, text)
		_, _ = svc.Reload(t.Context(), opt)
	}
	if got := strings.Join(waiting(sub), ", "); got != "reload end ok, reload end refused" {
		t.Error(got)
	}
}

// TestAnUpstreamCallAndItsCutAreEvents of one trace, and so is what it made of the
// server's state.
func TestAnUpstreamCallAndItsCutAreEvents(t *testing.T) {
	svc := readerOf(t).behind(t, `gateway: {surface: "proxy", result: 2000}`)
	sub := svc.Events().Subscribe(100, event.Upstream, event.Cut)
	client := newFace(t, svc)
	client.ask("tools/call", `{"name":"logs__read","arguments":{"lines":2000}}`)
	client.ask("tools/call", `{"name":"logs__read","arguments":{"lines":2}}`)
	sub.Close()
	var got, traces []string
	for {
		e, ok := sub.Next(context.Background())
		if !ok {
			break
		}
		if e.Name == "state" {
			if e.Server != "logs" || e.Trace != "" {
				t.Errorf("%+v", e)
			}
			continue
		}
		got = append(got, e.Kind.String()+" "+e.Phase.String()+" "+e.Server+" "+e.Tool)
		traces = append(traces, e.Trace)
	}
	if want := "upstream begin logs read, upstream end logs read, cut end logs read, upstream begin logs read, upstream end logs read"; strings.Join(got, ", ") != want {
		t.Fatalf("%q", got)
	}
	if traces[0] == "" || traces[0] != traces[1] || traces[0] != traces[2] || traces[0] == traces[3] {
		t.Errorf("%q", traces)
	}
}
