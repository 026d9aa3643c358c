package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/engine"
)

const followed = `
pipelines: {
	main: {
		stages: {
			first: {builtin: "test.echo", with: say: "'one'"}
			inner: {pipeline: "deep", needs: ["first"]}
			none: {builtin: "test.echo", when: "false", with: say: "'none'", needs: ["inner"]}
			bad: {builtin: "test.echo", with: {say: "'bad'", fails: "9"}, needs: ["inner"], onError: "continue"}
		}
		output: "first"
	}
	deep: {
		stages: two: {builtin: "test.echo", with: say: "'two'"}
		output: "two"
	}
}
`

// TestEventsOfARun holds their order, what caused them, and that progress is a view
// of them.
func TestEventsOfARun(t *testing.T) {
	var s event.Stream
	sub := s.Subscribe(1000, event.Kinds()...)
	var told []string
	_, err := runWith(s.WithContext(t.Context(), "", ""), t, newWorld(), followed, engine.Request{Progress: func(p catalog.Progress) { told = append(told, p.Line()) }})
	if err != nil {
		t.Fatal(err)
	}
	sub.Close()
	names := map[string]string{}
	var got []string
	for {
		e, ok := sub.Next(context.Background())
		if !ok {
			break
		}
		what := e.Kind.String() + ":" + e.Stage
		if e.Phase == event.Begin {
			names[e.Call] = what
		} else if e.Call != "" && names[e.Call] != what {
			t.Errorf("%s ends what began as %q", what, names[e.Call])
		}
		got = append(got, strings.Join(strings.Fields(strings.Join([]string{what, e.Phase.String(), e.Outcome, e.Code, "<", names[e.Parent]}, " ")), " "))
	}
	want := []string{
		"stage:first begin <", "builtin:first begin < stage:first", "builtin:first end ok < stage:first", "stage:first end ok <",
		"stage:inner begin <", "stage:inner.two begin < stage:inner", "builtin:inner.two begin < stage:inner.two", "builtin:inner.two end ok < stage:inner.two", "stage:inner.two end ok < stage:inner", "stage:inner end ok <",
		"stage:none end skipped <",
		"stage:bad begin <", "builtin:bad begin < stage:bad", "builtin:bad end error INTERNAL < stage:bad", "stage:bad end error INTERNAL <",
	}
	// The last two stages run at once: the one that is skipped says so anywhere among the other's.
	at := slices.Index(got, "stage:none end skipped <")
	if at < 0 {
		t.Fatalf("%q", got)
	}
	got = slices.Insert(slices.Delete(got, at, at+1), min(10, len(got)-1), "stage:none end skipped <")
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if lines := []string{"first: say something", "inner: ", "inner.two: say something", "bad: say something"}; !slices.Equal(told, lines) {
		t.Errorf("progress %q", told)
	}
}

// TestARunWithinARunIsNoPartOfItsViews: a hook's run has a progress and counts of
// its own.
func TestARunWithinARunIsNoPartOfItsViews(t *testing.T) {
	outer := 0
	ctx := event.WithView(t.Context(), func(event.Event) { outer++ }, event.Kinds()...)
	if _, err := runWith(ctx, t, newWorld(), followed, engine.Request{}); err != nil {
		t.Fatal(err)
	}
	if outer != 0 {
		t.Errorf("%d events went to the view around it", outer)
	}
}
