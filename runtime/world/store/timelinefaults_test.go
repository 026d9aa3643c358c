package store_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// spansEach is what writeSessions puts of each session at once.
const spansEach = 40

func sessionOf(i int, words string) (timeline.Session, []timeline.Span) {
	id, at := fmt.Sprint("s", i), time.Unix(1_700_000_000+int64(i), 0)
	var spans []timeline.Span
	for n := range spansEach {
		spans = append(spans, timeline.Span{Session: id, ID: fmt.Sprint(n), Kind: "upstream", Server: "files", Tool: "read", Started: at, Message: words})
	}
	return timeline.Session{ID: id, Title: id, Started: at, Last: at, Upstream: spansEach}, spans
}

// writeSessions puts one session after the other, and prints the number of each that
// was put.
func writeSessions(path string) int {
	s, err := store.Open(context.Background(), path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var there int
	_ = s.DB().QueryRow("SELECT count(*) FROM sessions").Scan(&there)
	shelf := s.Timeline()
	for i := there; ; i++ {
		session, spans := sessionOf(i, "some words")
		if err := shelf.Put(context.Background(), []timeline.Session{session}, spans); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(i)
	}
}

// A server that is killed while it writes what happened leaves a file that opens, with
// every session that was written and none in half.
func TestKilledWhileWritingSessions(t *testing.T) { onEach(t, killedWhileWritingSessions) }

func killedWhileWritingSessions(t *testing.T, fresh string) {
	for round := range 6 {
		last := killed(t, "sessions", fresh)
		s := open(t, fresh)
		shelf := s.Timeline()
		list, err := shelf.Sessions(t.Context(), timeline.Query{Limit: 100_000})
		if err != nil || len(list) <= last {
			t.Fatalf("round %d: %d sessions of %d: %v", round, len(list), last+1, err)
		}
		for _, x := range list {
			if _, spans, err := shelf.Session(t.Context(), x.ID); err != nil || len(spans) != spansEach {
				t.Fatalf("round %d: session %s has %d spans of %d: %v", round, x.ID, len(spans), spansEach, err)
			}
		}
		_ = shelf.Close()
	}
}

// Where sessions take more than the file may have, the oldest go, and that is said.
func TestTheOldestSessionsMakeRoom(t *testing.T) { onEach(t, theOldestSessionsMakeRoom) }

func theOldestSessionsMakeRoom(t *testing.T, fresh string) {
	const most = 4 << 20
	s := open(t, fresh)
	shelf := s.SmallTimeline(most)
	defer shelf.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 200 {
		session, spans := sessionOf(i, "")
		for n := range spans { // what a database cannot pack
			for len(spans[n].Message) < 1000 {
				spans[n].Message += strconv.FormatUint(random.Uint64(), 36) + " "
			}
		}
		if err := shelf.Put(t.Context(), []timeline.Session{session}, spans); err != nil {
			t.Fatal(err)
		}
	}
	err := shelf.Purge(t.Context(), time.Time{}, 10_000)
	var crowded *timeline.CrowdedError
	if !errors.As(err, &crowded) || !strings.Contains(err.Error(), "oldest sessions were let go") || !strings.Contains(err.Error(), "4 MiB") {
		t.Fatal(err)
	}
	list, err := shelf.Sessions(t.Context(), timeline.Query{Limit: 1000})
	if err != nil || len(list) != 200-crowded.Sessions || len(list) < 10 || list[0].ID != "s199" || list[len(list)-1].ID != fmt.Sprint("s", crowded.Sessions) {
		t.Errorf("%d sessions, %d were let go: %v", len(list), crowded.Sessions, err)
	}
	if err := shelf.Purge(t.Context(), time.Time{}, 10_000); err != nil {
		t.Error("said twice:", err)
	}
	if store.OnServer(fresh) {
		return // what pages take is the server's affair
	}
	var pages, free int64
	_ = s.DB().QueryRow("PRAGMA page_count").Scan(&pages)
	_ = s.DB().QueryRow("PRAGMA freelist_count").Scan(&free)
	if used := (pages - free) * 4096; used > most {
		t.Errorf("%d bytes in use", used)
	}
}

// A disk without room costs the store what happens meanwhile no more than it has to:
// it is said once, memory goes on, and what waited is written once there is room.
func TestATimelineOnAFullDisk(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s-timeline.db"))
	s.DB().SetMaxOpenConns(1) // the bound is a connection's
	var pages int
	if err := s.DB().QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if _, err := s.DB().Exec(fmt.Sprint("PRAGMA max_page_count = ", pages)); err != nil {
		t.Fatal(err)
	}
	var said atomic.Int32
	var stream event.Stream
	r := timeline.New(timeline.Options{Stream: &stream})
	shelf := s.Timeline()
	r.PersistTo(shelf, func() timeline.Retention { return timeline.Retention{For: time.Hour, Sessions: 10} }, func(err error) {
		said.Add(1)
		if !errors.Is(err, store.ErrFull) {
			t.Error(err)
		}
	})
	in := stream.WithContext(t.Context(), "", "one")
	emit := func() {
		for i := range 60 {
			event.Emit(in, event.Event{Kind: event.Cut, Name: fmt.Sprint(i), Message: strings.Repeat("long words ", 100), Attrs: []slog.Attr{slog.Int("i", i)}})
		}
	}
	emit()
	seen := func() int {
		list, _ := r.Sessions(t.Context(), timeline.Query{})
		if len(list) == 0 {
			return 0
		}
		_, spans, _ := r.Session(t.Context(), list[0].ID)
		return len(spans)
	}
	clocktest.Until(t, "all is in memory", func() bool { return seen() == 60 })
	clocktest.Until(t, "the full disk is said", func() bool { return said.Load() > 0 })
	emit()
	clocktest.Until(t, "memory goes on", func() bool { return seen() == 120 })
	if _, err := s.DB().Exec("PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	clocktest.Until(t, "what waited is written", func() bool {
		list, err := s.Timeline().Sessions(t.Context(), timeline.Query{})
		if err != nil || len(list) != 1 {
			return false
		}
		_, spans, err := s.Timeline().Session(t.Context(), list[0].ID)
		return seen() == 120 && err == nil && len(spans) == 120
	})
	if said.Load() != 1 {
		t.Errorf("it was said %d times", said.Load())
	}
	r.Close()
}
