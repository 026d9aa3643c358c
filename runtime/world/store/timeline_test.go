package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func titles(list []timeline.Session) (out string) {
	for _, s := range list {
		out += s.Title + " "
	}
	return out
}

func TestSessionsOutliveTheProcess(t *testing.T) { onEach(t, sessionsOutliveTheProcess) }

func sessionsOutliveTheProcess(t *testing.T, fresh string) {
	ctx := context.Background()
	base := time.Now().Truncate(time.Millisecond)
	s, err := store.Open(ctx, fresh)
	if err != nil {
		t.Fatal(err)
	}
	shelf := s.Timeline()
	for i := range 6 {
		id, at := fmt.Sprint("s", i), base.Add(time.Duration(i)*time.Minute)
		spans := []timeline.Span{
			{Session: id, ID: "b", Kind: "upstream", Server: "tickets", Tool: fmt.Sprint("tool", i), Started: at.Add(time.Second), Elapsed: time.Second,
				Attrs: map[string]string{"result": "r", "original_tokens": "5000", "summary_tokens": "800"}},
			{Session: id, ID: "a", Kind: "request", Started: at, Elapsed: 3 * time.Second, Outcome: event.OK}}
		if err := shelf.Put(ctx, []timeline.Session{{ID: id, Title: fmt.Sprint("Title", i), Started: at, Last: at, Saved: 4200}}, spans); err != nil {
			t.Fatal(err)
		}
	}
	_ = shelf.Close()
	if s, err = store.Open(ctx, fresh); err != nil {
		t.Fatal(err)
	}
	shelf = s.Timeline()
	defer shelf.Close()
	for _, c := range []struct {
		q    timeline.Query
		want string
	}{
		{timeline.Query{}, "Title5 Title4 Title3 Title2 Title1 Title0 "},
		{timeline.Query{Limit: 2}, "Title5 Title4 "},
		{timeline.Query{Limit: 2, After: "s4"}, "Title3 Title2 "},
		{timeline.Query{Since: base.Add(4 * time.Minute)}, "Title5 Title4 "},
		{timeline.Query{Text: "TOOL2"}, "Title2 "},
		{timeline.Query{Text: "title1"}, "Title1 "},
		{timeline.Query{Text: "%"}, ""},
	} {
		if got, err := shelf.Sessions(ctx, c.q); err != nil || titles(got) != c.want {
			t.Errorf("%+v: %q %v", c.q, titles(got), err)
		}
	}
	_, spans, err := shelf.Session(ctx, "s3")
	if err != nil || len(spans) != 2 || spans[0].ID != "a" || spans[1].Elapsed != time.Second {
		t.Error(spans, err)
	}
	if _, _, err := shelf.Session(ctx, "nobody"); !errors.Is(err, timeline.ErrUnknown) {
		t.Error(err)
	}
	sum, err := shelf.Savings(ctx, base, 3*time.Minute)
	if err != nil || len(sum) != 2 || sum[0].Results != 3 || sum[1].Original != 15000 {
		t.Error(sum, err)
	}
	if err := shelf.Purge(ctx, base.Add(2*time.Minute), 3); err != nil {
		t.Fatal(err)
	}
	if got, _ := shelf.Sessions(ctx, timeline.Query{}); titles(got) != "Title5 Title4 Title3 " {
		t.Error(titles(got))
	}
	if sum, _ := shelf.Savings(ctx, base, time.Hour); sum[0].Results != 3 {
		t.Error(sum)
	}
}

// What is read from memory and from the store is the same, and a store that goes away
// under it stops nothing.
func TestTheStoreFollowsMemory(t *testing.T) {
	ctx, file := context.Background(), filepath.Join(t.TempDir(), "s-timeline.db")
	var stream event.Stream
	r := timeline.New(timeline.Options{Stream: &stream})
	s, err := store.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	r.PersistTo(s.Timeline(), func() timeline.Retention { return timeline.Retention{For: time.Hour, Sessions: 10} }, func(err error) { t.Error(err) })
	in, request := event.Start(stream.WithContext(ctx, "", "one"), event.Event{Kind: event.Request, Name: "tools/call", Tool: "research"})
	_, call := event.Start(in, event.Event{Kind: event.Upstream, Server: "tickets", Tool: "list"})
	call.End(event.OK, "")
	request.End(event.OK, "")
	r.Close()
	if s, err = store.Open(ctx, file); err != nil {
		t.Fatal(err)
	}
	still := timeline.Still(s.Timeline())
	list, _ := still.Sessions(ctx, timeline.Query{})
	if len(list) != 1 || list[0].Requests != 1 || list[0].Upstream != 1 {
		t.Fatal(list)
	}
	if _, spans, _ := still.Session(ctx, list[0].ID); len(spans) != 2 || spans[0].Kind != "request" || spans[1].Parent != spans[0].ID {
		t.Error(spans)
	}
	_ = s.Close()
	if err := os.WriteFile(file, []byte("this is no database at all, but some words that stand here"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(ctx, file); !errors.Is(err, store.ErrForeign) && !errors.Is(err, store.ErrDamaged) {
		t.Error(err)
	}
}

// After a flush everything that was emitted before is on the shelf, although none of it was awaited otherwise.
func TestFlushWritesWhatWasEmitted(t *testing.T) {
	var stream event.Stream
	r := timeline.New(timeline.Options{Stream: &stream})
	defer r.Close()
	if err := r.Flush(t.Context()); err != nil {
		t.Errorf("without a shelf: %v", err)
	}
	s, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "t.db"))
	if err != nil {
		t.Fatal(err)
	}
	shelf := s.Timeline()
	r.PersistTo(shelf, func() timeline.Retention { return timeline.Retention{For: time.Hour, Sessions: 10} }, func(err error) { t.Error(err) })
	for n := range 50 {
		_, span := event.Start(stream.WithContext(t.Context(), "", "one"), event.Event{Kind: event.Compose, Name: fmt.Sprint(n)})
		span.End(event.OK, "")
		if n%10 != 0 {
			continue
		}
		if err := r.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, err := shelf.Sessions(t.Context(), timeline.Query{})
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		if _, spans, err := shelf.Session(t.Context(), list[0].ID); err != nil || len(spans) != n+1 {
			t.Errorf("%d steps, want %d: %v", len(spans), n+1, err)
		}
	}
}

// Spans that earlier versions wrote, a row each, are read with those that stand together
// in one row, in the order they began; what is damaged is left out.
func TestRowsOfBothForms(t *testing.T) {
	ctx, at := t.Context(), time.Now().Truncate(time.Microsecond)
	s := open(t, filepath.Join(t.TempDir(), "s-timeline.db"))
	shelf := s.Timeline()
	defer shelf.Close()
	span := func(id string, second int) timeline.Span {
		return timeline.Span{Session: "s", ID: id, Kind: "upstream", Server: "files", Tool: "tool_" + id, Started: at.Add(time.Duration(second) * time.Second)}
	}
	if err := shelf.Put(ctx, []timeline.Session{{ID: "s", Title: "s", Last: at}}, []timeline.Span{span("d", 4), span("a", 1), span("e", 4)}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		second int
		body   string
	}{{2, `{"session":"s","id":"b","kind":"upstream","started":"` + at.Add(2*time.Second).Format(time.RFC3339Nano) + `"}`}, {3, `{"session":`}, {3, `[{"id":`}, {3, ``}} {
		if _, err := s.DB().Exec("INSERT INTO spans (session, started, id, find, original, given, body) VALUES ('s', ?, 'b', 'old_tool', 0, 0, ?)",
			at.Add(time.Duration(row.second)*time.Second).UnixMicro(), []byte(row.body)); err != nil {
			t.Fatal(err)
		}
	}
	_, spans, err := shelf.Session(ctx, "s")
	order := ""
	for _, x := range spans {
		order += x.ID
	}
	if err != nil || order != "abde" {
		t.Errorf("%q: %v", order, err)
	}
	for _, text := range []string{"tool_e", "old_tool"} {
		if list, err := shelf.Sessions(ctx, timeline.Query{Text: text}); err != nil || len(list) != 1 {
			t.Errorf("%s is not found: %v", text, err)
		}
	}
	var rows int
	if err := s.DB().QueryRow("SELECT count(*) FROM spans").Scan(&rows); err != nil || rows != 5 {
		t.Errorf("%d rows: %v", rows, err)
	}
}
