package event_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// drain closes a subscription and returns what waits.
func drain(sub *event.Subscription) (out []event.Event) {
	sub.Close()
	for {
		e, ok := sub.Next(context.Background())
		if !ok {
			return out
		}
		out = append(out, e)
	}
}

func named(n int) event.Event {
	return event.Event{Kind: event.Cut, Name: fmt.Sprint(n)}
}

func TestAnEmitterNeverWaitsAndTheNextEventSaysWhatWasLost(t *testing.T) {
	var s event.Stream
	sub := s.Subscribe(3, event.Cut)
	other := s.Subscribe(100, event.Cut)
	for n := range 10 {
		s.Emit(named(n)) // nobody reads: this would hang
	}
	first, _ := sub.Next(t.Context())
	s.Emit(named(10))
	s.Emit(named(11))
	var got []string
	for _, e := range append([]event.Event{first}, drain(sub)...) {
		got = append(got, fmt.Sprintf("%s after %d", e.Name, e.Dropped))
	}
	if want := []string{"0 after 0", "1 after 0", "2 after 0", "10 after 7"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if sub.Dropped() != 8 || sub.Gap() != 1 {
		t.Errorf("%d lost, of which %d unsaid", sub.Dropped(), sub.Gap())
	}
	if all := drain(other); len(all) != 12 || other.Dropped() != 0 {
		t.Errorf("the other subscription has %d and lost %d", len(all), other.Dropped())
	}
}

func TestTheQueueKeepsItsOrderWhileItGrowsAndTurns(t *testing.T) {
	var s event.Stream
	sub := s.Subscribe(100, event.Cut)
	next := 0
	read := func(n int) {
		for range n {
			if e, _ := sub.Next(t.Context()); e.Name != fmt.Sprint(next) || e.Dropped != 0 {
				t.Fatalf("got %s after %d, want %d", e.Name, e.Dropped, next)
			}
			next++
		}
	}
	sent := 0
	for _, step := range []struct{ emit, read int }{{10, 7}, {30, 20}, {60, 3}, {30, 90}, {90, 50}, {50, 100}} {
		for range step.emit {
			s.Emit(named(sent))
			sent++
		}
		read(step.read)
	}
	drain(sub)
}

func TestOnlyWantedKindsCome(t *testing.T) {
	var s event.Stream
	sub := s.Subscribe(100, event.Cut, event.Hook)
	for _, k := range event.Kinds() {
		if want := k == event.Cut || k == event.Hook; s.Wants(k) != want {
			t.Errorf("wants %s: %v", k, !want)
		}
		s.Emit(event.Event{Kind: k})
	}
	sub.Want(event.Reload)
	for _, k := range event.Kinds() {
		s.Emit(event.Event{Kind: k})
	}
	var got []string
	for _, e := range drain(sub) {
		got = append(got, e.Kind.String())
	}
	if !slices.Equal(got, []string{"cut", "hook", "reload"}) {
		t.Errorf("%q", got)
	}
	if s.Wants(event.Reload) || s.Active() {
		t.Error("a closed subscription wants something")
	}
}

// TestCauses follows one request: what causes something begins before it and ends
// after it, and all have one trace.
func TestCauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s event.Stream
		sub := s.Subscribe(100, event.Kinds()...)
		ctx := s.WithContext(t.Context(), "4bf92f3577b34da6a3ce929d0e0e4736", "secret-session")
		ctx, request := event.Start(ctx, event.Event{Kind: event.Request, Name: "tools/call"})
		in, stage := event.Start(ctx, event.Event{Kind: event.Stage, Stage: "find", Role: "finder"})
		deep, builtin := event.Start(in, event.Event{Kind: event.Builtin, Name: "code.grep"})
		event.Mark(deep, "scan")
		time.Sleep(time.Second)
		builtin.End(event.OK, "")
		stage.End(event.OK, "")
		event.Emit(ctx, event.Event{Kind: event.Cut})
		request.End(event.Failed, "TIMEOUT")
		list := drain(sub)
		var got []string
		calls := map[string]string{"": "-"}
		for _, e := range list {
			if e.Phase == event.Begin {
				calls[e.Call] = e.Kind.String()
			}
			got = append(got, strings.TrimSpace(strings.Join([]string{e.Phase.String(), e.Kind.String(), "by", calls[e.Parent], e.Stage, e.Role, e.Outcome, e.Code}, " ")))
			if e.Trace != "4bf92f3577b34da6a3ce929d0e0e4736" || e.Session != list[0].Session || e.Session == "" || strings.Contains(e.Session, "secret") {
				t.Errorf("trace %s, session %s", e.Trace, e.Session)
			}
		}
		want := []string{"begin request by -", "begin stage by request find finder", "begin builtin by stage find finder", "step builtin by builtin find finder",
			"end builtin by stage find finder ok", "end stage by request find finder ok", "end cut by request", "end request by -    failed TIMEOUT"}
		for i := range got {
			got[i] = strings.Join(strings.Fields(got[i]), " ")
		}
		for i := range want {
			want[i] = strings.Join(strings.Fields(want[i]), " ")
		}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		if list[4].Elapsed != time.Second {
			t.Errorf("took %s", list[4].Elapsed)
		}
	})
}

func TestWhatNobodyWantsLeavesItsLabels(t *testing.T) {
	var s event.Stream
	sub := s.Subscribe(100, event.Model)
	ctx := s.WithContext(t.Context(), "", "")
	ctx, span := event.Start(ctx, event.Event{Kind: event.Stage, Stage: "find", Role: "finder"})
	if span != nil {
		t.Error("a span that nobody watches")
	}
	event.Emit(ctx, event.Event{Kind: event.Model})
	if got := drain(sub); len(got) != 1 || got[0].Stage != "find" || got[0].Role != "finder" || len(got[0].Trace) != 32 {
		t.Errorf("%+v", got)
	}
}

func TestViews(t *testing.T) {
	var seen []string
	view := func(name string) func(event.Event) {
		return func(e event.Event) { seen = append(seen, name+" "+e.Name) }
	}
	outer := event.WithView(t.Context(), view("outer"), event.Stage)
	inner := event.WithView(outer, view("inner"), event.Model)
	for _, ctx := range []context.Context{t.Context(), outer, inner} {
		event.Emit(ctx, event.Event{Kind: event.Stage, Name: "stage"})
		event.Emit(ctx, event.Event{Kind: event.Model, Name: "model"})
	}
	if want := []string{"outer stage", "inner model"}; !slices.Equal(seen, want) {
		t.Errorf("%q", seen)
	}
	var s event.Stream
	seen = nil
	stop := s.Observe(view("stream"), event.Hook)
	if s.Active() {
		t.Error("a view makes requests be followed")
	}
	event.Emit(s.WithContext(t.Context(), "", ""), event.Event{Kind: event.Hook, Name: "hook"})
	s.Emit(event.Event{Kind: event.Hook, Name: "hook"})
	stop()
	s.Emit(event.Event{Kind: event.Hook, Name: "hook"})
	if want := []string{"stream hook", "stream hook"}; !slices.Equal(seen, want) {
		t.Errorf("%q", seen)
	}
}

// What is logged may be as long as what an upstream server said.
func TestAnAttributeThatIsTooLongIsLeftOut(t *testing.T) {
	var s event.Stream
	sub := s.Subscribe(1, event.Note)
	attrs := []slog.Attr{slog.Int("n", 1), slog.String("said", strings.Repeat("a", 1<<20))}
	s.Emit(event.Event{Kind: event.Note, Attrs: attrs})
	if e := drain(sub)[0]; e.Attrs[0].Value.Int64() != 1 || e.Attrs[1].Value.String() != "(1048576 bytes, left out)" {
		t.Errorf("%.80v", e.Attrs)
	}
	if len(attrs[1].Value.String()) != 1<<20 {
		t.Error("what others have was changed")
	}
}

func TestATextThatIsTooLongIsLeftOut(t *testing.T) {
	var s event.Stream
	sub := s.Subscribe(1, event.Cut)
	s.Emit(event.Event{Kind: event.Cut, Name: strings.Repeat("n", 1<<20), Error: strings.Repeat("e", 1<<20)})
	if e := drain(sub)[0]; e.Name != "(1048576 bytes, left out)" || e.Error != e.Name {
		t.Errorf("%d and %d bytes", len(e.Name), len(e.Error))
	}
}

func TestNoStreamAndNoSpan(t *testing.T) {
	var s *event.Stream
	s.Emit(event.Event{})
	ctx, span := event.Start(s.WithContext(t.Context(), "", ""), event.Event{})
	span.End("", "")
	event.Mark(ctx, "x")
	if event.Trace(ctx) != "" || event.StageOf(ctx) != "" || s.Wants(event.Cut) || s.Active() {
		t.Error("something of nothing")
	}
}

// TestManyAtOnce is for the race detector: all events of one emitter come in order.
func TestManyAtOnce(t *testing.T) {
	var s event.Stream
	var readers, emitters sync.WaitGroup
	for range 4 {
		sub := s.Subscribe(64, event.Cut)
		readers.Go(func() {
			last, seen, said := map[string]int{}, 0, 0
			for {
				e, ok := sub.Next(context.Background())
				if !ok {
					break
				}
				if e.Bytes <= last[e.Name] {
					t.Errorf("%s: %d after %d", e.Name, e.Bytes, last[e.Name])
				}
				last[e.Name] = e.Bytes
				seen++
				said += e.Dropped
			}
			if said+sub.Gap() != sub.Dropped() || seen == 0 {
				t.Errorf("%d seen, %d lost, %d said", seen, sub.Dropped(), said+sub.Gap())
			}
		})
		defer sub.Close()
		t.Cleanup(sub.Close)
		emitters.Go(func() { sub.Want(event.Cut, event.Hook) })
	}
	for i := range 4 {
		emitters.Go(func() {
			for n := range 2000 {
				s.Emit(event.Event{Kind: event.Cut, Name: fmt.Sprint(i), Bytes: n + 1})
			}
		})
	}
	emitters.Wait()
	t.Cleanup(readers.Wait)
}

// A reader that takes its time reads at once where its queue is half full, and is not
// given the beginnings that it does not want.
func TestAReaderThatTakesItsTime(t *testing.T) {
	var stream event.Stream
	sub := stream.Subscribe(8, event.Stage, event.Model)
	sub.Batch(time.Hour)
	sub.Begins(event.Model)
	for i := range 4 {
		stream.Emit(event.Event{Kind: event.Stage, Phase: event.Begin, Bytes: i})
		stream.Emit(event.Event{Kind: event.Stage, Bytes: i})
	}
	for i := range 4 {
		if e, ok := sub.Next(t.Context()); !ok || e.Phase != event.End || e.Bytes != i {
			t.Fatalf("%d: %+v", i, e)
		}
	}
	stream.Emit(event.Event{Kind: event.Model, Phase: event.Begin})
	sub.Close()
	if e, ok := sub.Next(t.Context()); !ok || e.Kind != event.Model {
		t.Errorf("%+v", e)
	}
}
