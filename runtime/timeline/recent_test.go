package timeline_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/event"
	"github.com/compactor-mcp/compactor/runtime/timeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRecent(t *testing.T) {
	stream := &event.Stream{}
	r := timeline.NewRecent(stream, func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") })
	defer r.Close()
	watching, stop := context.WithCancel(t.Context())
	spans := r.Watch(watching, "")

	ctx := stream.Into(t.Context(), "", "a client's")
	ctx, request := event.Start(ctx, event.Event{Kind: event.Request, Name: "tools/call", Tool: "execute"})
	under, call := event.Start(ctx, event.Event{Kind: event.Upstream, Server: "github", Tool: "list"})
	_, model := event.Start(under, event.Event{Kind: event.Model, Name: "small", Attrs: []slog.Attr{slog.String("purpose", "summarization")}})
	model.TokensIn, model.TokensOut = 900, 80
	model.End(event.OK, "")
	call.Attrs = []slog.Attr{slog.String("result", "k1"), slog.Int("original_tokens", 1000), slog.Int("summary_tokens", 90)}
	call.End(event.OK, "")
	request.Error = "password hunter2"
	request.End(event.Failed, "X")

	for ended := 0; ended < 3; {
		select {
		case s := <-spans:
			if !s.Running {
				ended++
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the spans do not come")
		}
	}
	stop()
	for range spans { // and it ends
	}
	list, err := r.Sessions(t.Context(), timeline.Query{Text: "GitHub"})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	want := timeline.Session{ID: list[0].ID, Started: list[0].Started, Last: list[0].Last, Title: "execute", Requests: 1, Models: 1, Upstream: 1, Failed: 1, TokensIn: 900, TokensTo: 80, Saved: 910}
	if list[0] != want || strings.Contains(list[0].ID, "client") {
		t.Errorf("%+v", list[0])
	}
	_, all, err := r.Session(t.Context(), list[0].ID)
	if err != nil || len(all) != 3 || all[0].Error != "password ***" || all[1].Parent != all[0].ID || all[2].Purpose != "summarization" || all[2].Running {
		t.Errorf("%+v %v", all, err)
	}
	if got, _ := r.Sessions(t.Context(), timeline.Query{Text: "gitlab"}); len(got) != 0 {
		t.Error(got)
	}
	if _, _, err := r.Session(t.Context(), "none"); !errors.Is(err, timeline.ErrUnknown) {
		t.Error(err)
	}
	saved, err := r.Savings(t.Context(), time.Now().Add(-time.Hour), time.Hour)
	if err != nil || len(saved) != 1 || saved[0].Original != 1000 || saved[0].Given != 90 || saved[0].Results != 1 {
		t.Error(saved, err)
	}
}

func TestRecentIsBounded(t *testing.T) {
	stream := &event.Stream{}
	r := timeline.NewRecent(stream, func(s string) string { return s })
	defer r.Close()
	for i := range 300 {
		ctx := stream.Into(t.Context(), "", strings.Repeat("s", i+1))
		_, span := event.Start(ctx, event.Event{Kind: event.Request, Name: "tools/call", Tool: "t"})
		span.End(event.OK, "")
	}
	for late := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		list, _ := r.Sessions(t.Context(), timeline.Query{Limit: 1000})
		if len(list) > 200 {
			t.Fatal(len(list))
		}
		if len(list) == 200 {
			break
		}
		if time.Now().After(late) {
			t.Fatal("sessions do not come: ", len(list))
		}
	}
}
