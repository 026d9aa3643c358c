package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func usageLog(t *testing.T, file string) usage.Log {
	t.Helper()
	s, err := store.Open(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	return s.Usage()
}

// told are sessions with their calls, a line each.
func told(t *testing.T, log usage.Log, since time.Time, most int) string {
	t.Helper()
	var lines []string
	if err := log.Sessions(context.Background(), since, most, func(s usage.Session, calls []usage.Call) error {
		line := s.ID + ":"
		for _, c := range calls {
			line += fmt.Sprintf(" %d=%s", c.Number, c.Name())
		}
		lines = append(lines, line)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "; ")
}

// batch is a session that calls tools, a minute apart.
func batch(run, id string, at time.Time, tools ...string) usage.Batch {
	b := usage.Batch{Run: usage.Run{ID: run, Process: "m/7", Started: at, Written: at},
		Sessions: []usage.Session{{ID: id, Run: run, Profile: "work", Client: "c0ffee", Version: "7.1", Era: "handshake", Started: at, Ended: at, Offered: 9, Catalog: "ca7a106", Shown: []string{"s/a", "s/b"}}},
		Catalogs: []usage.Catalog{{ID: "ca7a106", Tools: []string{"s/a", "s/b", "s/c"}}}}
	for i, tool := range tools {
		b.Calls = append(b.Calls, usage.Call{Session: id, Number: i + 1, Server: "s", Tool: tool, Arguments: "d1", At: at.Add(time.Duration(i) * time.Minute), Elapsed: 3 * time.Millisecond, OK: true, Hidden: tool == "c"})
	}
	if n := len(b.Calls); n > 0 {
		b.Sessions[0].Ended = b.Calls[n-1].At
	}
	return b
}

func TestUseOfToolsOutlivesTheProcess(t *testing.T) { onEach(t, useOfToolsOutlivesTheProcess) }

func useOfToolsOutlivesTheProcess(t *testing.T, fresh string) {
	ctx := context.Background()
	base := time.Now().UTC().Truncate(time.Millisecond).Add(-time.Hour)
	log := usageLog(t, fresh)
	salt, err := log.Salt(ctx)
	if err != nil || len(salt) < 16 {
		t.Fatal(salt, err)
	}
	for i, tools := range [][]string{{"a", "b"}, {"b", "c", "a"}, {"c"}} {
		b := batch("run1", fmt.Sprint("x", i), base.Add(time.Duration(10*i)*time.Minute), tools...)
		for range 2 { // a batch that was thought lost comes again
			if err := log.Append(ctx, b); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = log.Close()
	log = usageLog(t, fresh)
	defer log.Close()
	if again, err := log.Salt(ctx); err != nil || !bytes.Equal(again, salt) {
		t.Errorf("another key: %v", err)
	}
	if got, want := told(t, log, time.Time{}, 100), "x0: 1=s/a 2=s/b; x1: 1=s/b 2=s/c 3=s/a; x2: 1=s/c"; got != want {
		t.Errorf("got %s", got)
	}
	if got, want := told(t, log, time.Time{}, 2), "x1: 3=s/a; x2: 1=s/c"; got != want {
		t.Errorf("newest two: %s", got)
	}
	if got, want := told(t, log, base.Add(11*time.Minute), 100), "x1: 2=s/c 3=s/a; x2: 1=s/c"; got != want {
		t.Errorf("since: %s", got)
	}
	_ = log.Sessions(ctx, base.Add(19*time.Minute), 1, func(s usage.Session, calls []usage.Call) error {
		want := usage.Session{ID: "x2", Run: "run1", Profile: "work", Client: "c0ffee", Version: "7.1", Era: "handshake", Started: base.Add(20 * time.Minute), Ended: base.Add(20 * time.Minute), Offered: 9, Catalog: "ca7a106"}
		shown := s.Shown
		if s.Shown = nil; fmt.Sprint(s) != fmt.Sprint(want) || !slices.Equal(shown, []string{"s/a", "s/b"}) {
			t.Errorf("%+v shown %q", s, shown)
		}
		c := calls[0]
		if !c.Hidden || !c.OK || c.Arguments != "d1" || c.Elapsed != 3*time.Millisecond || !c.At.Equal(want.Started) {
			t.Errorf("%+v", c)
		}
		return nil
	})
	if tools, err := log.Catalog(ctx, "ca7a106"); err != nil || !slices.Equal(tools, []string{"s/a", "s/b", "s/c"}) {
		t.Errorf("there were %q, %v", tools, err)
	}
	if tools, err := log.Catalog(ctx, ""); err != nil || tools != nil {
		t.Errorf("of nothing there were %q, %v", tools, err)
	}
	sum, err := log.Totals(ctx)
	if err != nil || sum.Sessions != 3 || sum.Calls != 6 || !sum.Oldest.Equal(base) || sum.Bytes == 0 {
		t.Errorf("%+v %v", sum, err)
	}
}

// A session that is in one batch twice, as after a write that was put off, is kept as it was last.
func TestASessionTwiceInABatch(t *testing.T) { onEach(t, aSessionTwiceInABatch) }

func aSessionTwiceInABatch(t *testing.T, fresh string) {
	base := time.Now().UTC().Truncate(time.Millisecond).Add(-time.Hour)
	log := usageLog(t, fresh)
	b := batch("run1", "x0", base, "a")
	for n := range 200 { // more than one statement takes
		b.Sessions = append(b.Sessions, batch("run1", fmt.Sprint("y", n), base.Add(time.Second), "b").Sessions...)
	}
	last := b.Sessions[0]
	last.Ended, last.Offered, last.Client, last.Version = base.Add(time.Minute), 12, "", "" // clients are not to be kept any more
	b.Sessions = append(b.Sessions, last)
	if err := log.Append(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	totals, err := log.Totals(t.Context())
	if err != nil || totals.Sessions != 201 {
		t.Errorf("%d sessions, %v", totals.Sessions, err)
	}
	err = log.Sessions(t.Context(), time.Time{}, 10, func(s usage.Session, _ []usage.Call) error {
		if s.ID != "x0" || s.Offered != 12 || !s.Ended.Equal(last.Ended) || s.Client != "" || s.Version != "" {
			t.Errorf("%+v", s)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestSessionsAreFoundInPages(t *testing.T) { onEach(t, sessionsAreFoundInPages) }

func sessionsAreFoundInPages(t *testing.T, fresh string) {
	ctx := t.Context()
	base := time.Now().UTC().Truncate(time.Millisecond).Add(-time.Hour)
	log := usageLog(t, fresh)
	defer log.Close()
	for i := range 150 { // pairs began at one moment; every tenth called nothing
		tools := []string{"a", "b", "a"}
		switch {
		case i%10 == 3:
			tools = nil
		case i%2 == 1:
			tools = []string{"c\"d"}
		}
		b := batch("run", fmt.Sprintf("x%03d", i), base.Add(time.Duration(i/2)*time.Second), tools...)
		if b.Sessions[0].Shown = []string{"s/a", "s/c\"d"}; i%4 == 0 {
			b.Sessions[0].Profile, b.Sessions[0].Shown = "home", nil
		}
		if len(b.Calls) > 1 {
			b.Calls[1].OK = false
		}
		if err := log.Append(ctx, b); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	var from usage.Place
	for {
		n := 0
		if err := log.Newest(ctx, from, 7, func(s usage.Session, calls []usage.Call) error {
			n++
			from = s.Place()
			if want := map[bool]int{true: 1, false: 3}[calls[0].Tool == "c\"d"]; len(calls) != want || calls[0].Number != 1 || calls[0].Session != s.ID {
				t.Errorf("%s: %+v", s.ID, calls)
			}
			got = append(got, s.ID)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			break
		}
	}
	if sorted := slices.Sorted(slices.Values(got)); len(slices.Compact(sorted)) != 135 || len(got) != 135 || got[0] != "x149" || got[134] != "x000" {
		t.Errorf("%d sessions: %v", len(got), got)
	}
	if err := log.Newest(ctx, usage.Place{}, 100, func(usage.Session, []usage.Call) error { return os.ErrClosed }); err != os.ErrClosed {
		t.Error(err)
	}
	s, calls, err := log.Session(ctx, "x004")
	if err != nil || s.ID != "x004" || s.Profile != "home" || len(calls) != 3 || calls[2].Number != 3 {
		t.Errorf("%+v %+v %v", s, calls, err)
	}
	if s, calls, err = log.Session(ctx, "x003"); err != nil || len(calls) != 0 || len(s.Shown) != 2 {
		t.Errorf("%+v %+v %v", s, calls, err)
	}
	if _, _, err = log.Session(ctx, "x' OR '1'='1"); !errors.Is(err, usage.ErrNoSession) {
		t.Error(err)
	}
	home := "home"
	for _, c := range []struct {
		tool    string
		profile *string
		want    string
	}{
		{"a", nil, "150/112/75/37 150-0"},
		{"b", nil, "150/0/75/0 75-75"},
		{"c\"d", nil, "150/112/60/60 60-0"},
		{"a", &home, "38/0/38/0 76-0"},
		{"nothing", nil, "150/0/0/0 0-0"},
	} {
		u, err := log.ToolUse(ctx, "s", c.tool, c.profile)
		if got := fmt.Sprintf("%d/%d/%d/%d %d-%d", u.Sessions, u.Shown, u.Used, u.ShownUsed, u.Calls, u.Failed); err != nil || got != c.want || len(u.Took) != u.Calls || u.Last.Before(u.First) {
			t.Errorf("%s: %s, want %s (%v)", c.tool, got, c.want, err)
		}
	}
}

// A page of a log costs what is on it, however much is kept.
func TestAPageDoesNotGrowWithTheLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.db")
	log := usageLog(t, file)
	defer log.Close()
	base := time.Now().UTC().Add(-24 * time.Hour)
	for i := range 40 {
		var b usage.Batch
		for n := range 50 {
			one := batch("run", fmt.Sprintf("x%02d%02d", i, n), base.Add(time.Duration(i*50+n)*time.Second), "a", "b")
			b.Run, b.Sessions, b.Calls = one.Run, append(b.Sessions, one.Sessions...), append(b.Calls, one.Calls...)
		}
		if err := log.Append(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	db := open(t, file).DB()
	for _, query := range []string{
		"SELECT id FROM usage_sessions AS s WHERE (s.started, s.id) < (9, 'x') AND EXISTS (SELECT 1 FROM usage_calls AS c WHERE c.session = s.id) ORDER BY s.started DESC, s.id DESC LIMIT 7",
		"SELECT at FROM usage_calls WHERE session IN ('x0001','x0002') ORDER BY session, number",
		"SELECT at FROM usage_calls WHERE server = 's' AND tool = 'a'",
		"SELECT (SELECT 1 FROM usage_calls AS c WHERE c.server = 's' AND c.tool = 'a' AND c.session = s.id) FROM usage_sessions AS s WHERE s.id = 'x'",
	} {
		rows, err := db.Query("EXPLAIN QUERY PLAN " + query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(detail, "SCAN") || strings.Contains(detail, "TEMP B-TREE") {
				t.Errorf("%s: %s", query, detail)
			}
		}
		_ = rows.Close()
	}
}

func TestPurgeLetsTheOldestUseGo(t *testing.T) { onEach(t, purgeLetsTheOldestUseGo) }

func purgeLetsTheOldestUseGo(t *testing.T, fresh string) {
	ctx := context.Background()
	base := time.Now().UTC().Truncate(time.Millisecond).Add(-24 * time.Hour)
	for _, c := range []struct {
		name   string
		before time.Time
		calls  int
		want   string
	}{
		{"nothing", time.Time{}, 100, "x0: 1=s/a 2=s/b; x1: 1=s/a 2=s/b; x2: 1=s/a 2=s/b"},
		{"old", base.Add(70 * time.Minute), 100, "x2: 1=s/a 2=s/b"},
		{"many", time.Time{}, 5, "x1: 1=s/a 2=s/b; x2: 1=s/a 2=s/b"},
		{"all", base.Add(240 * time.Hour), 100, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := usageLog(t, fresh)
			_ = log.Purge(ctx, time.Now().Add(time.Hour), 0) // of the case before
			defer log.Close()
			for i := range 3 {
				if err := log.Append(ctx, batch("r", fmt.Sprint("x", i), base.Add(time.Duration(i)*time.Hour), "a", "b")); err != nil {
					t.Fatal(err)
				}
			}
			if err := log.Purge(ctx, c.before, c.calls); err != nil {
				t.Fatal(err)
			}
			if got := told(t, log, time.Time{}, 100); got != c.want {
				t.Errorf("got %s", got)
			}
			if sum, _ := log.Totals(ctx); sum.Calls != strings.Count(c.want, "=") {
				t.Errorf("%d calls are kept of sessions that are gone", sum.Calls)
			}
			if tools, err := log.Catalog(ctx, "ca7a106"); err != nil || (tools != nil) != (c.want != "") {
				t.Errorf("the catalog is %q, %v", tools, err)
			}
		})
	}
}

func TestAKilledRunIsToldOnce(t *testing.T) { onEach(t, aKilledRunIsToldOnce) }

func aKilledRunIsToldOnce(t *testing.T, fresh string) {
	ctx := context.Background()
	log := usageLog(t, fresh)
	defer log.Close()
	long := time.Now().Add(-time.Hour).UTC().Truncate(time.Millisecond)
	ended := batch("ended", "x1", long)
	ended.Run.Ended = long
	for _, b := range []usage.Batch{batch("killed", "x0", long, "a"), ended, batch("runs", "x2", time.Now())} {
		if err := log.Append(ctx, b); err != nil {
			t.Fatal(err)
		}
	}
	another := batch("killed", "x3", long.Add(time.Second), "b", "c")
	another.Run.Written = long
	if err := log.Append(ctx, another); err != nil {
		t.Fatal(err)
	}
	for round, want := range []int{1, 0} {
		runs, err := log.Unended(ctx, func(r usage.Run) bool { return r.Written.Before(time.Now().Add(-time.Minute)) })
		if err != nil || len(runs) != want {
			t.Fatalf("round %d: %+v %v", round, runs, err)
		}
		if want == 1 {
			k := runs[0]
			if k.ID != "killed" || !k.Written.Equal(long) || k.Process != "m/7" || k.Sessions != 2 || len(k.Last) != 2 || k.Last[0].Session != "x3" || k.Last[0].Number != 2 || k.Last[0].Tool != "c" || k.Last[1].Session != "x0" {
				t.Errorf("%+v", k)
			}
		}
	}
}

// What runs write is read by another once, by run, also where a session goes on, a batch comes again, and another is
// purged meanwhile.
func TestWhatOtherRunsWriteIsReadOn(t *testing.T) { onEach(t, whatOtherRunsWriteIsReadOn) }

func whatOtherRunsWriteIsReadOn(t *testing.T, fresh string) {
	ctx := t.Context()
	log := usageLog(t, fresh)
	defer log.Close()
	now := time.Now().UTC().Truncate(time.Millisecond)
	write := func(number int64, b usage.Batch) {
		t.Helper()
		if b.Number = number; log.Append(ctx, b) != nil {
			t.Fatal(number)
		}
	}
	at := usage.Position{"own": 1 << 40}
	read := func(want string) {
		t.Helper()
		var got []string
		if err := log.Since(ctx, at, now.Add(-time.Hour), func(s usage.Session, calls []usage.Call) error {
			if s.Profile != "work" || s.Started.IsZero() || s.Shown != nil {
				t.Errorf("%+v", s)
			}
			for _, c := range calls {
				got = append(got, fmt.Sprint(c.Session, c.Number, c.Tool))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(got)
		if text := strings.Join(got, " "); text != want {
			t.Errorf("read %q, want %q", text, want)
		}
	}
	write(1, batch("a", "x", now, "p"))
	if err := log.Since(ctx, at, now.Add(-time.Hour), nil); err != nil {
		t.Fatal(err)
	}
	read("")
	write(2, batch("a", "x", now, "p", "q")) // the first one is there
	write(1, batch("b", "y", now.Add(-10*time.Minute), "p"))
	write(1, batch("own", "z", now, "p"))
	write(1, batch("old", "w", now.Add(-2*time.Hour), "p"))
	read("x2q y1p")
	read("")
	write(3, batch("a", "x", now, "p", "q")) // it was thought lost
	write(4, batch("a", "x2", now))          // listed, and called nothing
	read("")
	if err := log.Purge(ctx, now.Add(time.Hour), 0); err != nil {
		t.Fatal(err)
	}
	write(5, batch("a", "x3", now, "r"))
	read("x31r")
}

// Clients that only ask for lists, and runs that were killed, do not fill the file.
func TestWhatCalledNothingIsBounded(t *testing.T) { onEach(t, whatCalledNothingIsBounded) }

func whatCalledNothingIsBounded(t *testing.T, fresh string) {
	ctx := context.Background()
	log := usageLog(t, fresh)
	defer log.Close()
	base := time.Now().UTC().Truncate(time.Millisecond).Add(-24 * time.Hour)
	if err := log.Append(ctx, batch("killed", "called", base.Add(-time.Hour), "a")); err != nil {
		t.Fatal(err)
	}
	var b usage.Batch
	for n := range 1500 {
		next := batch("killed", fmt.Sprint("listed", n), base.Add(time.Duration(n)*time.Second))
		b.Run, b.Sessions = next.Run, append(b.Sessions, next.Sessions...)
	}
	if err := log.Append(ctx, b); err != nil {
		t.Fatal(err)
	}
	if _, err := log.Unended(ctx, func(usage.Run) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if err := log.Purge(ctx, time.Time{}, 100); err != nil {
		t.Fatal(err)
	}
	if sum, err := log.Totals(ctx); err != nil || sum.Sessions != 1001 || sum.Calls != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
	if err := log.Purge(ctx, time.Now(), 100); err != nil {
		t.Fatal(err)
	}
	_ = log.Close()
	var runs int
	if err := open(t, fresh).DB().QueryRow("SELECT count(*) FROM usage_runs").Scan(&runs); err != nil || runs != 0 {
		t.Errorf("%d runs, %v", runs, err)
	}
}

// BenchmarkSessions reads sessions that were listed as many tools as are kept of a list.
func BenchmarkSessions(b *testing.B) {
	ctx := context.Background()
	s, err := store.Open(ctx, filepath.Join(b.TempDir(), "u.db"))
	if err != nil {
		b.Fatal(err)
	}
	log := s.Usage()
	defer log.Close()
	var shown []string
	for n := range 512 {
		shown = append(shown, fmt.Sprintf("a-server/a_tool_with_a_name_%d", n))
	}
	var tools []string
	for n := range 50 {
		tools = append(tools, fmt.Sprint("t", n))
	}
	for n := range 200 {
		x := batch("r", fmt.Sprint("x", n), time.Now(), tools...)
		x.Sessions[0].Shown = shown
		if err := log.Append(ctx, x); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if err := log.Sessions(ctx, time.Time{}, 20_000, func(usage.Session, []usage.Call) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// What was purged cannot be read from the file any more.
func TestPurgedIsGoneFromTheFile(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "u.db")
	log := usageLog(t, file)
	if err := log.Append(ctx, batch("r", "x", time.Now(), "a_tool_that_tells")); err != nil {
		t.Fatal(err)
	}
	if err := log.Mark(ctx, usage.Mark{Tool: "s/a_tool_that_tells", At: time.Now()}, new(bool)); err != nil {
		t.Fatal(err)
	}
	holds := func(name string) bool {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(raw, []byte("a_tool_that_tells"))
	}
	if !holds(file + "-wal") {
		t.Error("the journal does not hold it before")
	}
	if err := errors.Join(log.Unmark(ctx), log.Purge(ctx, time.Now().Add(time.Hour), 100)); err != nil {
		t.Fatal(err)
	}
	if holds(file) || holds(file+"-wal") {
		t.Error("a file still holds it while the log is open")
	}
	_ = log.Close()
	if holds(file) {
		t.Error("the file still holds it")
	}
}
