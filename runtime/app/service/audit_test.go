package service_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/eventlog"
)

// lines is a log that may be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) executions(t *testing.T) (out []map[string]any, text string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.b.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		if m["msg"] == "tool executed" {
			out = append(out, m)
		}
	}
	return out, l.b.String()
}

// Each run of an upstream tool is one line of the log, whichever way it was called,
// and the line has no argument in it.
func TestEachExecutionIsLogged(t *testing.T) {
	f := newFleet(t, map[string]string{"lake": `{"name":"measure","description":"Measure.","inputSchema":{"type":"object","properties":{"depth":{"type":"integer"}},"required":["depth"]}}`})
	opt := options(t, f.config(`gateway: surface: "both"`))
	log := &lines{}
	opt.Events = &event.Stream{}
	opt.Logger = slog.New(eventlog.Handler(opt.Events))
	sink := eventlog.New(eventlog.Options{Stream: opt.Events, Err: log})
	if err := sink.Set(eventlog.Settings{Level: "info", Format: "json"}); err != nil {
		t.Fatal(err)
	}
	svc := start(t, opt)
	svc.Gateway().DiscoverAll(t.Context())
	face := newFace(t, svc)
	const argument = 987654321
	face.ask("tools/call", fmt.Sprintf(`{"name":"execute_tool","arguments":{"tool":"measure","arguments":{"depth":%d}}}`, argument))
	face.ask("tools/call", fmt.Sprintf(`{"name":"lake__measure","arguments":{"depth":%d}}`, argument))
	face.ask("tools/call", `{"name":"execute_tool","arguments":{"tool":"lake__measure","arguments":{"depth":["deep"]}}}`)
	sink.Close()
	ran, text := log.executions(t)
	want := [][2]string{{"discovery", "ok"}, {"proxy", "ok"}, {"discovery", "TOOL_VALIDATION_ERROR"}}
	if len(ran) != len(want) || strings.Contains(text, fmt.Sprint(argument)) || strings.Contains(text, "deep\"") {
		t.Fatalf("%d executions: %s", len(ran), text)
	}
	for i, w := range want {
		r := ran[i]
		if r["surface"] != w[0] || r["outcome"] != w[1] || r["server"] != "lake" || r["tool"] != "measure" || r["level"] != "INFO" ||
			r["session_id"] == "" || r["arguments"] == "" || r["argument_bytes"].(float64) < 10 || r["ms"].(float64) < 0 {
			t.Errorf("%d: %v", i, r)
		}
	}
	if ran[0]["arguments"] != ran[1]["arguments"] || ran[0]["arguments"] == ran[2]["arguments"] || ran[0]["session_id"] != ran[2]["session_id"] {
		t.Errorf("digests: %v", ran)
	}
}
