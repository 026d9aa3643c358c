package selection_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/gateway/selection"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// run is a tracker on a file and what learns from it.
func run(t *testing.T, file string, opt selection.Options) (*usage.Tracker, *selection.Learner, func()) {
	t.Helper()
	tr := usage.New(usage.Options{Settings: func() usage.Settings { return usage.Settings{} }, Open: func(ctx context.Context) (usage.Log, error) {
		s, err := store.Open(ctx, file)
		if err != nil {
			return nil, err
		}
		return s.Usage(), nil
	}})
	l := selection.New(tr, opt)
	ended := false
	end := func() {
		if !ended {
			l.Close()
			_ = tr.Close()
		}
		ended = true
	}
	t.Cleanup(end)
	return tr, l, end
}

func stock(names ...string) (list []predict.Tool) {
	for _, n := range names {
		list = append(list, predict.Tool{Server: "s", Name: n})
	}
	return list
}

func (c chances) of(tool string) float64 { return c[tool] }

type chances map[string]float64

func ranked(l *selection.Learner, profile string) chances {
	out := chances{}
	r := l.Rank(context.Background(), profile, stock("a", "b", "c", "d"), predict.DefaultWeights, predict.Request{Trace: predict.NewTrace(time.Time{}, ""), Show: 2})
	for _, t := range r.Tools {
		out[t.Tool] = t.Chance
	}
	return out
}

func called(tr *usage.Tracker, session, profile string, tools ...string) {
	for _, tool := range tools {
		tr.Called(usage.Told{ID: session, Profile: profile}, usage.Call{Server: "s", Tool: tool, At: time.Now(), OK: true}, nil)
	}
}

// What was kept and what comes meanwhile is learnt once, and in its profile alone.
func TestWhatIsLearnt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	tr, _, end := run(t, file, selection.Options{})
	for n := range 5 {
		called(tr, fmt.Sprint(n), "work", "c", "d")
	}
	end()
	tr, l, _ := run(t, file, selection.Options{})
	called(tr, "now", "work", "d")
	until(t, l, "what was kept is learnt", func(got chances) bool { return got.of("s/c") > got.of("s/a") && got.of("s/d") > got.of("s/b") })
	if got := ranked(l, "home"); got.of("s/c") != got.of("s/a") {
		t.Errorf("one profile knows what another did: %v", got)
	}
	for n := range 50 {
		called(tr, fmt.Sprint("later", n), "work", "b")
	}
	until(t, l, "what comes is learnt", func(got chances) bool { return got.of("s/b") > got.of("s/c") })
}

// What was deleted is known no more, at once; what is left is, and what comes then.
func TestWhatWasDeletedIsForgotten(t *testing.T) {
	ctx, file := t.Context(), filepath.Join(t.TempDir(), "u.db")
	tr, l, _ := run(t, file, selection.Options{})
	if err := l.Relearn(ctx); err != nil { // nothing was asked yet
		t.Fatal(err)
	}
	for n := range 5 {
		called(tr, fmt.Sprint(n), "work", "c", "d")
	}
	until(t, l, "it is learnt", func(got chances) bool { return got.of("s/c") > got.of("s/a") })
	if err := l.Relearn(ctx); err != nil {
		t.Fatal(err)
	}
	if got := ranked(l, "work"); got.of("s/c") <= got.of("s/a") {
		t.Errorf("what is kept was forgotten: %v", got)
	}
	s, err := store.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Usage().Purge(ctx, time.Now().Add(time.Hour), 1_000_000); err != nil {
		t.Fatal(err)
	}
	if err := l.Relearn(ctx); err != nil {
		t.Fatal(err)
	}
	if got := ranked(l, "work"); got.of("s/c") != got.of("s/a") {
		t.Errorf("what was deleted is known: %v", got)
	}
	called(tr, "0", "work", "b") // of a session that was deleted
	until(t, l, "what comes is learnt", func(got chances) bool { return got.of("s/b") > got.of("s/c") })
}

// Another half-life of a new configuration acts on what was learnt before, kept or not.
func TestAnotherHalfLife(t *testing.T) {
	for _, c := range []struct {
		name string
		off  bool
	}{{"kept", false}, {"not kept", true}} {
		t.Run(c.name, func(t *testing.T) {
			var half atomic.Int64
			var clock atomic.Pointer[time.Time]
			long := time.Now().Add(-1000 * time.Hour)
			clock.Store(&long)
			file := filepath.Join(t.TempDir(), "u.db")
			now := func() time.Time { return *clock.Load() }
			tr := usage.New(usage.Options{Settings: func() usage.Settings { return usage.Settings{} }, Now: now, Open: func(ctx context.Context) (usage.Log, error) {
				if c.off {
					return nil, nil
				}
				s, err := store.Open(ctx, file)
				if err != nil {
					return nil, err
				}
				return s.Usage(), nil
			}})
			l := selection.New(tr, selection.Options{Learning: func() map[string]selection.Learning {
				return map[string]selection.Learning{"": {HalfLife: time.Duration(half.Load())}}
			}})
			t.Cleanup(func() { l.Close(); _ = tr.Close() })
			ranked(l, "work")
			for n := range 5 {
				called(tr, fmt.Sprint("old", n), "work", "c")
			}
			until(t, l, "it is learnt", func(got chances) bool { return got.of("s/c") > got.of("s/a") })
			later := time.Now()
			if c.off { // what was learnt fades from then on
				half.Store(int64(time.Hour))
				l.Configured()
				if err := l.Relearn(t.Context()); err != nil { // waits for it
					t.Fatal(err)
				}
			}
			for n := range 2 {
				at := later.Add(time.Duration(n) * time.Second) // the tracker reads what clock points to
				clock.Store(&at)
				called(tr, fmt.Sprint("new", at), "work", "d")
			}
			if !c.off {
				until(t, l, "nothing fades", func(got chances) bool { return got.of("s/c") > got.of("s/d") && got.of("s/d") > got.of("s/a") })
				half.Store(int64(time.Hour))
				l.Configured()
			}
			until(t, l, "what is old counts less", func(got chances) bool { return got.of("s/d") > got.of("s/c") })
		})
	}
}

// until asks again while something is not yet so.
func until(t *testing.T, l *selection.Learner, what string, is func(chances) bool) {
	t.Helper()
	clocktest.Until(t, what, func() bool { return is(ranked(l, "work")) }, func() any { return ranked(l, "work") })
}

func TestFirstLists(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	_, l, _ := run(t, filepath.Join(t.TempDir(), "u.db"), selection.Options{Now: func() time.Time { return now }})
	clocktest.Until(t, "what was kept is read, so that a first list stands", func() bool {
		ranked(l, "")
		n := 0
		for range 2 {
			l.First("", "x", []string{"a"}, -1, func() []string { n++; return nil })
		}
		return n < 2
	})
	made := 0
	list := func() []string { made++; return []string{fmt.Sprint("list", made)} }
	for i, c := range []struct {
		what  string
		kind  string
		tools []string
		after time.Duration
		again bool
		want  string
	}{
		{"the first", "k", []string{"a", "b"}, 0, false, "list1"},
		{"a little later", "k", []string{"a", "b"}, 59 * time.Minute, false, "list1"},
		{"of another kind", "other", []string{"a", "b"}, 0, false, "list2"},
		{"a server has come", "k", []string{"a", "b", "c"}, 0, false, "list3"},
		{"and gone again", "k", []string{"a", "b"}, 0, false, "list1"},
		{"an hour later", "k", []string{"a", "b"}, time.Minute, false, "list4"},
		{"another configuration", "k", []string{"a", "b"}, 0, true, "list5"},
	} {
		now = now.Add(c.after)
		if c.again {
			l.Configured()
		}
		if got := l.First("", c.kind, c.tools, -1, list); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%d, %s: %q, want %s", i, c.what, got, c.want)
		}
	}
}

// A first list stands until as much was learnt again as when it was made, and those of
// another profile stand all the same.
func TestAFirstListStandsUntilMoreIsLearnt(t *testing.T) {
	tr, l, _ := run(t, filepath.Join(t.TempDir(), "u.db"), selection.Options{})
	made := map[string]int{}
	list := func(profile string) string {
		return l.First(profile, "k", []string{"a"}, -1, func() []string { made[profile]++; return []string{fmt.Sprint(made[profile])} })[0]
	}
	until(t, l, "what was kept is read", func(chances) bool {
		one, other := list("home"), list("home")
		return one == other
	})
	at := list("home")
	before := list("work")
	for n := range 8 {
		called(tr, fmt.Sprint(n), "work", "c", "d")
	}
	until(t, l, "it is learnt", func(got chances) bool { return got.of("s/c") > 0.1 })
	clocktest.Until(t, "a list that was made before anything was learnt makes room", func() bool { return list("work") != before })
	if l.First("home", "k", []string{"a"}, -1, func() []string { return []string{"new"} })[0] != at {
		t.Error("what is learnt in one profile has another's list made anew")
	}
}

// slowSource gives what was kept when it is told to.
type slowSource struct {
	selection.Source
	told chan struct{}
}

func (s slowSource) Read(ctx context.Context, since time.Time, calls int, do func(usage.Session, []usage.Call) error) error {
	select {
	case <-s.told:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.Source.Read(ctx, since, calls, do)
}

// A list that was ranked before what was kept is read does not stand, also where that is read by the time it is made.
func TestAFirstListOfBeforeItIsReadDoesNotStand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	tr, _, end := run(t, file, selection.Options{})
	for n := range 5 {
		called(tr, fmt.Sprint(n), "work", "c", "d")
	}
	end()
	tr, _, _ = run(t, file, selection.Options{})
	source := slowSource{tr, make(chan struct{})}
	l := selection.New(source, selection.Options{})
	defer l.Close()
	cold := l.Rank(t.Context(), "work", stock("a", "b", "c", "d"), predict.DefaultWeights, predict.Request{Trace: predict.NewTrace(time.Time{}, ""), Show: 2})
	if cold.Learnt != 0 {
		t.Fatalf("%v sessions are known before they are read", cold.Learnt)
	}
	close(source.told)
	until(t, l, "what was kept is read", func(got chances) bool { return got.of("s/c") > got.of("s/a") })
	first := func(learnt float64, list string) string {
		return l.First("work", "k", []string{"a"}, learnt, func() []string { return []string{list} })[0]
	}
	if got := first(cold.Learnt, "cold"); got != "cold" {
		t.Error(got)
	}
	warm := l.Rank(t.Context(), "work", stock("a", "b", "c", "d"), predict.DefaultWeights, predict.Request{Trace: predict.NewTrace(time.Time{}, ""), Show: 2})
	for range 2 {
		if got := first(warm.Learnt, "warm"); got != "warm" {
			t.Errorf("the %s list stands", got)
		}
	}
	if got := first(warm.Learnt, "another"); got != "warm" {
		t.Errorf("a list that knows all does not stand: %s", got)
	}
}

// Closing in any order, before anything was asked, and while it is read, leaves nothing.
func TestClosing(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*usage.Tracker, *selection.Learner)
	}{
		{"unused", func(*usage.Tracker, *selection.Learner) {}},
		{"asked", func(_ *usage.Tracker, l *selection.Learner) { ranked(l, "") }},
		{"while it reads", func(_ *usage.Tracker, l *selection.Learner) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			l.Rank(ctx, "", stock("a"), predict.DefaultWeights, predict.Request{Trace: predict.NewTrace(time.Time{}, "")})
		}},
		{"the tracker first", func(tr *usage.Tracker, l *selection.Learner) { _ = tr.Close(); ranked(l, "") }},
		{"the learner first", func(tr *usage.Tracker, l *selection.Learner) { l.Close(); called(tr, "s", "", "a") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr, l, end := run(t, filepath.Join(t.TempDir(), "u.db"), selection.Options{})
			c.do(tr, l)
			end()
		})
	}
}

// A ranking is read while calls are learnt.
func TestARankingIsReadWhileItLearns(t *testing.T) {
	tr, l, _ := run(t, filepath.Join(t.TempDir(), "u.db"), selection.Options{})
	ranked(l, "")
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := range 2000 {
			called(tr, fmt.Sprint(n%7), "", fmt.Sprint("t", n%50))
		}
	})
	for range 2 {
		wg.Go(func() {
			for range 100 {
				trace := predict.NewTrace(time.Time{}, "")
				trace.Add("s/t1")
				r := l.Rank(context.Background(), "", stock("t1", "t2", "t3"), predict.DefaultWeights, predict.Request{Trace: trace, Show: 1, Explain: 2})
				if r.Why("s/t1") != "used in this session" {
					t.Errorf("%q", r.Why("s/t1"))
				}
				for _, x := range r.Tools {
					r.Why(x.Tool)
				}
			}
		})
	}
	wg.Wait()
}

// A profile that learns from another knows what that one does, before the change of the
// configuration too; that one learns nothing of it.
func TestOneProfileLearnsFromAnother(t *testing.T) {
	var from atomic.Pointer[[]string]
	from.Store(&[]string{})
	tr, l, _ := run(t, filepath.Join(t.TempDir(), "u.db"), selection.Options{Learning: func() map[string]selection.Learning {
		return map[string]selection.Learning{"": {}, "home": {}, "work": {From: *from.Load()}}
	}})
	for n := range 5 {
		called(tr, fmt.Sprint(n), "home", "c", "d")
	}
	if got := ranked(l, "work"); got.of("s/c") != got.of("s/a") {
		t.Errorf("nobody has said that work learns from home: %v", got)
	}
	from.Store(&[]string{"home"})
	l.Configured()
	until(t, l, "what home did before is learnt", func(got chances) bool { return got.of("s/c") > got.of("s/a") })
	for n := range 9 {
		called(tr, fmt.Sprint("more", n), "home", "b")
		called(tr, fmt.Sprint("own", n), "work", "a")
	}
	until(t, l, "what it does then is learnt", func(got chances) bool { return got.of("s/b") > got.of("s/d") && got.of("s/a") > got.of("s/d") })
	if got := ranked(l, "home"); got.of("s/a") >= got.of("s/b") {
		t.Errorf("home learns of work: %v", got)
	}

	marks := map[string]map[string]bool{"home": {"s/a": true, "s/b": true}, "work": {"s/b": false}}
	how := map[string]selection.Learning{"work": {From: []string{"home"}}}
	of := func(profile string) map[string]bool { return marks[profile] }
	if got := selection.Marks(how, "work", of); len(got) != 2 || !got["s/a"] || got["s/b"] {
		t.Errorf("marks of work: %v", got)
	}
	if got := selection.Marks(how, "home", of); !got["s/b"] {
		t.Errorf("marks of home: %v", got)
	}
}
