package timeline_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// only gives the one session of a timeline once something holds of it.
func only(t *testing.T, r *timeline.Recorder, holds func(timeline.Session) bool) timeline.Session {
	t.Helper()
	var last []timeline.Session
	clocktest.Until(t, "the session is never so", func() bool {
		last, _ = r.Sessions(context.Background(), timeline.Query{})
		return len(last) == 1 && holds(last[0])
	})
	return last[0]
}

func TestAQuestionNamesASession(t *testing.T) {
	var stream event.Stream
	r := timeline.New(timeline.Options{Stream: &stream})
	defer r.Close()
	ctx := stream.WithContext(context.Background(), "", "one")
	ask := func(question string) {
		ctx, request := event.Start(ctx, event.Event{Kind: event.Request, Name: "tools/call", Tool: "research"})
		event.Emit(ctx, event.Event{Kind: event.Request, Phase: event.Step, Name: "tools/call", Detail: event.Asked{Question: question}})
		request.End(event.OK, "")
	}
	ask("   ")
	ask("who uses\n password=hunter2-Xk29fjQ8vLmZ\u202e here? " + strings.Repeat("W", 5000))
	ask("where is the pool?")
	s := only(t, r, func(s timeline.Session) bool { return s.Requests == 3 && s.Failed == 0 })
	if !strings.HasPrefix(s.Title, "who uses password=") || strings.Contains(s.Title, "hunter2") || len([]rune(s.Title)) > 200 {
		t.Errorf("%q", s.Title)
	}
	_, spans, _ := r.Session(ctx, s.ID)
	if got := fmt.Sprintf("%+v", spans); len(spans) != 3 || strings.Contains(got, "pool") || strings.Contains(got, "WWW") {
		t.Errorf("a question stands in a span: %.300s", got)
	}
}

func TestToolsNameASession(t *testing.T) {
	for name, c := range map[string]struct {
		called []string // "server: tool", without a server a request
		want   string
	}{
		"of one server":         {[]string{"execute_tool", "files: read", "execute_tool", "files: read", "files: list"}, "files: read, list"},
		"of two":                {[]string{"files__read", "files: read", "git__log", "git: log"}, "files: read; git: log"},
		"more than have room":   {[]string{"a: 1", "a: 2", "b: 3", "a: 4", "a: 5", "a: 6"}, "a: 1, 2; b: 3; a: 4, …"},
		"none of a server":      {[]string{"search_tools", "search_tools", "inspect_tool"}, "search_tools, inspect_tool"},
		"ours after a server's": {[]string{"files: read", "search_tools"}, "files: read"},
	} {
		t.Run(name, func(t *testing.T) {
			var stream event.Stream
			r := timeline.New(timeline.Options{Stream: &stream})
			defer r.Close()
			ctx := stream.WithContext(context.Background(), "", "one")
			for _, call := range c.called {
				e := event.Event{Kind: event.Request, Name: "tools/call", Tool: call}
				if server, tool, is := strings.Cut(call, ": "); is {
					e = event.Event{Kind: event.Upstream, Name: "tools/call", Server: server, Tool: tool}
				}
				_, span := event.Start(ctx, e)
				span.End(event.OK, "")
			}
			only(t, r, func(s timeline.Session) bool { return s.Requests+s.Upstream == len(c.called) && s.Title == c.want })
		})
	}
}

func TestShownToolsAreKept(t *testing.T) {
	var stream event.Stream
	r := timeline.New(timeline.Options{Stream: &stream, Sessions: 3})
	defer r.Close()
	list := func(session string, names ...string) {
		stream.Emit(event.Event{Kind: event.Request, Phase: event.Step, Name: "tools/list", Session: event.HashID(session), Detail: event.Listed{Tools: names}})
	}
	for i := range 50 {
		list(fmt.Sprint("looks and goes ", i), "one")
	}
	list("stays", "write", "read")
	if got, _ := r.Sessions(context.Background(), timeline.Query{}); len(got) != 0 {
		t.Errorf("who only lists is kept: %v", got)
	}
	ctx := stream.WithContext(context.Background(), "", "stays")
	_, span := event.Start(ctx, event.Event{Kind: event.Request, Name: "tools/call", Tool: "read"})
	span.End(event.OK, "")
	s := only(t, r, func(s timeline.Session) bool { return s.ShownAll == 2 })
	if !slices.Equal(s.Shown, []string{"read", "write"}) {
		t.Error(s.Shown)
	}
	many := make([]string, 3000)
	for i := range many {
		many[i] = fmt.Sprintf("tool_%04d", i)
	}
	list("stays", many...)
	if s = only(t, r, func(s timeline.Session) bool { return s.ShownAll == 3000 }); len(s.Shown) != 500 || s.Shown[0] != "tool_0000" {
		t.Error(len(s.Shown), s.Shown[:2])
	}
	list("stays", "read", "token=hunter2-Xk29fjQ8vLmZ")
	if s = only(t, r, func(s timeline.Session) bool { return s.ShownAll == 2 }); strings.Contains(fmt.Sprint(s.Shown), "hunter2") {
		t.Error(s.Shown)
	}
	list("stays", strings.Repeat("W", 1<<20))
	if s = only(t, r, func(s timeline.Session) bool { return s.ShownAll == 1 }); len(s.Shown) != 0 {
		t.Error("a name of a megabyte is kept")
	}
}
