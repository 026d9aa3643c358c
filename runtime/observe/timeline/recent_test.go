package timeline_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// session emits what a session does: a request with a stage, a model call and a call
// whose result is summarized.
func session(s *event.Stream, name string) {
	ctx, request := event.Start(s.WithContext(context.Background(), "", name), event.Event{Kind: event.Request, Name: "tools/call", Tool: "research"})
	in, stage := event.Start(ctx, event.Event{Kind: event.Stage, Stage: "look", Name: "code.locate"})
	_, model := event.Start(in, event.Event{Kind: event.Model, Name: "default", Attrs: []slog.Attr{slog.String("purpose", "investigation")}})
	model.TokensIn, model.TokensOut = 900, 40
	model.End(event.OK, "")
	_, call := event.Start(in, event.Event{Kind: event.Upstream, Name: "tools/call", Server: "tickets", Tool: "list"})
	call.Attrs = []slog.Attr{slog.Any("result", event.ID("r1")), slog.Int("original_tokens", 5000), slog.Int("summary_tokens", 800), slog.String("by", "structure")}
	call.End(event.OK, "")
	stage.End(event.OK, "")
	_, bad := event.Start(ctx, event.Event{Kind: event.Upstream, Name: "tools/call", Server: "tickets", Tool: "drop"})
	bad.Error = "password=hunter2-Xk29fjQ8vLmZ is wrong"
	bad.End("timeout", "TIMEOUT")
	request.End(event.OK, "")
}

// Sessions that go on are not forgotten with those that are older.
func TestOldSessionsAreForgotten(t *testing.T) {
	var stream event.Stream
	r := timeline.New(timeline.Options{Stream: &stream})
	defer r.Close()
	session(&stream, "one")
	var last time.Time
	clocktest.Until(t, "the session has ended", func() bool {
		list, _ := r.Sessions(t.Context(), timeline.Query{})
		if len(list) == 1 {
			last = list[0].Last
		}
		return len(list) == 1 && list[0].Requests == 1 && list[0].Failed == 1
	})
	for _, c := range []struct {
		before time.Time
		left   int
	}{{last, 1}, {last.Add(time.Millisecond), 0}} {
		r.Forget(c.before)
		if list, _ := r.Sessions(t.Context(), timeline.Query{}); len(list) != c.left {
			t.Errorf("%d sessions are left of those before %v, want %d", len(list), c.before, c.left)
		}
	}
}

func TestASessionIsKeptWithWhatCausedWhat(t *testing.T) {
	var stream event.Stream
	r := timeline.New(timeline.Options{Stream: &stream})
	defer r.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	watch := r.Watch(ctx, "")
	session(&stream, "one")
	var seen []string
	for range 10 {
		s := <-watch
		seen = append(seen, fmt.Sprint(s.Kind, s.Running))
	}
	if got := strings.Join(seen, " "); got != "requesttrue stagetrue modeltrue modelfalse upstreamtrue upstreamfalse stagefalse upstreamtrue upstreamfalse requestfalse" {
		t.Error(got)
	}
	list, _ := r.Sessions(ctx, timeline.Query{Text: "TICKETS"})
	if len(list) != 1 {
		t.Fatal(list)
	}
	s, spans, err := r.Session(ctx, list[0].ID)
	if err != nil || s.Title != "tickets: list, drop" || s.Requests != 1 || s.Models != 1 || s.Upstream != 2 || s.Failed != 1 || s.TokensIn != 900 || s.TokensTo != 40 || s.Saved != 4200 {
		t.Errorf("%+v %v", s, err)
	}
	parents := map[string]string{}
	for _, x := range spans {
		parents[x.ID] = x.Kind
	}
	var tree []string
	for _, x := range spans {
		tree = append(tree, parents[x.Parent]+">"+x.Kind+" "+x.Purpose)
		if x.Running || strings.Contains(x.Error, "hunter2") {
			t.Errorf("%+v", x)
		}
	}
	if got := strings.Join(tree, ", "); got != ">request , request>stage , stage>model investigation, stage>upstream , request>upstream " {
		t.Error(got)
	}
	sum, _ := r.Savings(ctx, time.Now().Add(-time.Hour), time.Minute)
	if len(sum) != 1 || sum[0].Original != 5000 || sum[0].Given != 800 || sum[0].Results != 1 {
		t.Error(sum)
	}
	if _, _, err := r.Session(ctx, "nobody"); !errors.Is(err, timeline.ErrUnknown) {
		t.Error(err)
	}
}

// What a role's model was given short stands below the stage that ran the role.
func TestWhatWasMadeShortForARoleIsKept(t *testing.T) {
	var stream event.Stream
	r := timeline.New(timeline.Options{Stream: &stream})
	defer r.Close()
	watch := r.Watch(t.Context(), "")
	ctx, request := event.Start(stream.WithContext(context.Background(), "", "one"), event.Event{Kind: event.Request, Name: "tools/call", Tool: "research"})
	in, stage := event.Start(ctx, event.Event{Kind: event.Stage, Stage: "look", Role: "locator"})
	event.Emit(in, event.Event{Kind: event.Cut, Name: "result", Role: "locator", Tool: "code_grep", Message: "result made short for a role",
		Attrs: []slog.Attr{slog.Int("original_tokens", 9000), slog.Int("summary_tokens", 3000), slog.String("by", "text.compact")}})
	stage.End(event.OK, "")
	request.End(event.OK, "")
	for s := range watch {
		if s.Kind == "request" && !s.Running {
			break
		}
	}
	list, _ := r.Sessions(t.Context(), timeline.Query{})
	if len(list) != 1 {
		t.Fatal(list)
	}
	_, spans, err := r.Session(t.Context(), list[0].ID)
	for _, x := range spans {
		if x.Kind == "cut" && x.Role == "locator" && x.Tool == "code_grep" && x.Parent != "" && x.Attrs["original_tokens"] == "9000" && x.Attrs["summary_tokens"] == "3000" && x.Attrs["by"] == "text.compact" {
			return
		}
	}
	t.Errorf("%v %+v", err, spans)
}

func TestMemoryIsBounded(t *testing.T) {
	var stream event.Stream
	r := timeline.New(timeline.Options{Stream: &stream, Sessions: 3, Bytes: 100_000})
	defer r.Close()
	for i := range 9 {
		session(&stream, fmt.Sprint(i))
	}
	clocktest.Until(t, "three sessions, the last one whole", func() bool {
		list, _ := r.Sessions(context.Background(), timeline.Query{})
		return len(list) == 3 && list[0].Upstream == 2
	})
	for i := range 400 { // fewer than may wait
		event.Emit(stream.WithContext(context.Background(), "", "8"), event.Event{Kind: event.Cut, Name: fmt.Sprint(i), Message: strings.Repeat("long words ", 100)})
	}
	r.Stop()
	list, _ := r.Sessions(context.Background(), timeline.Query{})
	n := 0
	for _, s := range list {
		_, spans, _ := r.Session(context.Background(), s.ID)
		for _, x := range spans {
			n += len(x.Message)
		}
	}
	if n < 20_000 || n > 100_000 {
		t.Errorf("%d bytes are kept", n)
	}
}
