package masked_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/masked"
)

const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"

func TestNoTextKeepsASecret(t *testing.T) {
	m := masked.New(nil)
	for range 2 { // the second time it is remembered
		e := m.Event(event.Event{Name: "a", Tool: secret, Message: "told " + secret, Error: "bad \xff\x1b[2J bytes", Detail: secret, Session: "s",
			Attrs: []slog.Attr{slog.Any("password", []string{"hunter2-Xk29fjQ8vLmZ"}), slog.Int("n", 7), slog.Any("id", event.ID(secret)), slog.Any("err", fmt.Errorf("no %s", secret)), slog.String("empty", "")}})
		all := fmt.Sprint(e.Name, e.Tool, e.Message, e.Error, e.Detail, e.Attrs[0], e.Attrs[3])
		if strings.Contains(all, "ghp_") || strings.Contains(all, "hunter2") || strings.Contains(all, "\x1b") || e.Name != "a" || e.Session != "s" {
			t.Error(all)
		}
		if e.Attrs[1].Value.Int64() != 7 || e.Attrs[2].Value.String() != secret || e.Attrs[4].Value.String() != "" {
			t.Error(e.Attrs)
		}
	}
	if e := m.Event(event.Event{Message: strings.Repeat("x", 20_000)}); e.Message != "(20000 bytes, left out)" {
		t.Error(len(e.Message))
	}
}

func BenchmarkEvent(b *testing.B) {
	m := masked.New(nil)
	e := event.Event{Kind: event.Upstream, Name: "tools/call", Server: "tickets", Tool: "list", Outcome: event.OK, Message: "tool executed", Attrs: []slog.Attr{slog.String("surface", "proxy"), slog.Int("argument_bytes", 9)}}
	b.ReportAllocs()
	for b.Loop() {
		m.Event(e)
	}
}
