package eventlog_test

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/eventlog"
)

var debugJSON = eventlog.Settings{Level: "debug", Format: "json"}

func TestNoSecretIsWritten(t *testing.T) {
	const password, bearer, inURL = "Tr0ub4dor&3xyz", "eyJhbGciOiJub25lIn0abcdefghijkl012345", "hunter2Hunter2"
	header := "Authorization: Bearer " + bearer
	address := "https://app:" + inURL + "@db.example/x"
	for _, format := range []string{"json", "text"} {
		text := written(t, eventlog.Settings{Level: "debug", Format: format}, func(s *event.Stream) {
			log := slog.New(eventlog.Handler(s))
			for _, secret := range []string{`{"password": "` + password + `"}`, header, address} {
				s.Emit(event.Event{Kind: event.Upstream, Name: secret, Tool: secret, Message: "it said " + secret, Error: "bad: " + secret})
				s.Emit(event.Event{Kind: event.Stage, Stage: secret, Outcome: secret, Attrs: []slog.Attr{slog.String("arguments", secret)}})
				log.Error("it broke: "+secret, "error", errors.New(secret), "panic", secret, slog.Group("in", "it", secret))
				log.With("also", secret).Info("x", "any", map[string]any{"deep": []any{secret}}, "raw", []byte(secret))
			}
			log.Info("by name", "password", password)
			log.Info("by name", "arguments", map[string]any{"password": password, "headers": map[string]string{"authorization": "Bearer " + bearer}})
			log.WithGroup("db").Info("by name", "password", password)
			s.Emit(event.Event{Kind: event.Cut, Attrs: []slog.Attr{slog.String("password", password)}, Error: "said again: " + password})
		})
		for _, secret := range []string{password, bearer, inURL} {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s: %s is in the log: …%s", format, secret, text[max(at-200, 0):at+len(secret)])
			}
		}
		if !strings.Contains(text, "REDACTED") || !strings.Contains(text, "db.example") {
			t.Errorf("%s: too little is left: %s", format, text)
		}
	}
}

func TestIdentifiersStay(t *testing.T) {
	var want []string
	text := written(t, debugJSON, func(s *event.Stream) {
		for range 300 { // of random ones, some look more like secrets than others
			ctx := s.WithContext(t.Context(), "", "session")
			digest := event.HashID(event.Trace(ctx))
			want = append(want, event.Trace(ctx), digest)
			_, span := event.Start(ctx, event.Event{Kind: event.Request, Name: "tools/call", Tool: "research_codebase", Attrs: []slog.Attr{slog.Any("arguments", event.ID(digest))}})
			span.End(event.OK, "")
		}
	})
	lines := parsed(t, text)
	if len(lines) != 600 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, m := range lines {
		if m["trace_id"] != want[i/2*2] || m["arguments"] != want[i/2*2+1] || m["session_id"] != event.HashID("session") || len(m["call"].(string)) != 16 ||
			m["name"] != "tools/call" || m["tool"] != "research_codebase" {
			t.Fatalf("line %d: %v", i, m)
		}
	}
}

func TestLevels(t *testing.T) {
	emit := func(s *event.Stream) {
		log := slog.New(eventlog.Handler(s))
		ctx := s.WithContext(t.Context(), "", "")
		for _, k := range event.Kinds()[:event.Note] {
			name := k.String()
			_, span := event.Start(ctx, event.Event{Kind: k, Name: name, Message: name})
			span.End(event.OK, "")
			_, span = event.Start(ctx, event.Event{Kind: k, Name: name, Message: name + " failed"})
			span.End(event.Failed, "X")
		}
		s.Emit(event.Event{Kind: event.Hook, Message: "hook skipped", Outcome: event.Skipped})
		s.Emit(event.Event{Kind: event.Upstream, Message: "state open", Outcome: "open"})
		s.Emit(event.Event{Kind: event.Upstream, Message: "state ready", Outcome: "ready"})
		s.Emit(event.Event{Kind: event.Request, Message: "our fault", Outcome: event.Failed, Code: "INTERNAL"})
		log.Debug("note debug")
		log.Info("note info")
		log.Warn("note warn")
		log.Error("note error")
	}
	quiet := []string{"reload failed", "our fault", "note error"}
	warn := append([]string{"model failed", "index failed", "hook skipped", "state open", "note warn"}, quiet...)
	info := append([]string{"request", "request failed", "upstream", "upstream failed", "cut", "cut failed", "reload", "index", "note info"}, warn...)
	for _, c := range []struct {
		level string
		want  []string
	}{{"error", quiet}, {"warn", warn}, {"info", info}, {"off", nil}, {"", nil}} {
		var got []string
		for _, m := range parsed(t, written(t, eventlog.Settings{Level: c.level, Format: "json"}, emit)) {
			got = append(got, m["msg"].(string))
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.level, got, c.want)
		}
	}
	if n := len(parsed(t, written(t, debugJSON, emit))); n != 4*int(event.Note)+8 {
		t.Errorf("debug: %d lines", n)
	}
}

// stuck is a writer that takes nothing until it is let go.
type stuck struct {
	buffer
	begun sync.Once
	in    chan struct{}
	free  chan struct{}
}

func (w *stuck) Write(p []byte) (int, error) {
	w.begun.Do(func() { close(w.in) })
	<-w.free
	return w.buffer.Write(p)
}

func TestASlowSinkHoldsNobodyUpAndSaysWhatItLost(t *testing.T) {
	w := &stuck{in: make(chan struct{}), free: make(chan struct{})}
	var s event.Stream
	l := eventlog.New(eventlog.Options{Stream: &s, Err: w})
	if err := l.Set(debugJSON); err != nil {
		t.Fatal(err)
	}
	log := slog.New(eventlog.Handler(&s))
	s.Emit(event.Event{Kind: event.Cut, Name: "first"})
	<-w.in
	const many = 10_000
	for n := range many { // would hang if anybody waited
		if n%2 == 0 {
			s.Emit(event.Event{Kind: event.Cut, Name: fmt.Sprint(n)})
		} else {
			log.Info(fmt.Sprint(n))
		}
	}
	close(w.free)
	l.Close()
	lines := parsed(t, w.String())
	lost := 0.0
	for _, m := range lines {
		if n, ok := m["dropped"].(float64); ok {
			lost += n
		}
	}
	if seen := len(lines); lost == 0 || float64(seen-1)+lost != many+1 { // the line that says it is one more
		t.Errorf("%d lines and %v lost of %d", seen, lost, many+1)
	}
}

// broken is a writer that fails while it is told to.
type broken struct {
	buffer
	mu     sync.Mutex
	err    error
	failed int // writes
}

func (w *broken) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = err
}

func (w *broken) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		w.failed++
		return 0, w.err
	}
	return w.buffer.Write(p)
}

func TestWhatCannotBeWrittenIsSaidOnce(t *testing.T) {
	w := &broken{}
	var s event.Stream
	var mu sync.Mutex
	var said []string
	l := eventlog.New(eventlog.Options{Stream: &s, Err: w, Say: func(text string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, text)
	}})
	if err := l.Set(debugJSON); err != nil {
		t.Fatal(err)
	}
	count := func() int { mu.Lock(); defer mu.Unlock(); return len(said) }
	failures := func() int { w.mu.Lock(); defer w.mu.Unlock(); return w.failed }
	w.fail(errors.New("no space left on device"))
	for range 5 {
		s.Emit(event.Event{Kind: event.Cut, Name: "lost"})
	}
	clocktest.Until(t, "five lines are tried", func() bool { return failures() == 5 })
	w.fail(nil)
	s.Emit(event.Event{Kind: event.Cut, Name: "kept"})
	clocktest.Until(t, "the loss is written", func() bool { return strings.Contains(w.String(), "lines were lost") })
	w.fail(errors.New("gone again"))
	s.Emit(event.Event{Kind: event.Cut, Name: "lost"})
	clocktest.Until(t, "the second failure is said", func() bool { return count() == 2 })
	l.Close()
	mu.Lock()
	defer mu.Unlock()
	if len(said) != 2 || !strings.Contains(said[0], "no space left") || !strings.Contains(w.String(), `"name":"kept"`) {
		t.Errorf("said %q, wrote %s", said, w.String())
	}
}

func TestSettingsAreTakenOverWhileItRuns(t *testing.T) {
	var s event.Stream
	var out buffer
	l := eventlog.New(eventlog.Options{Stream: &s, Err: &out})
	defer l.Close()
	if s.Active() {
		t.Error("a log that is not set follows requests")
	}
	for _, c := range []struct {
		set    eventlog.Settings
		active bool
		debug  bool
	}{{debugJSON, true, true}, {eventlog.Settings{Level: "warn"}, true, false}, {eventlog.Settings{Level: "off"}, false, false}} {
		if err := l.Set(c.set); err != nil {
			t.Fatal(err)
		}
		if s.Active() != c.active || s.Wants(event.Stage) != c.debug {
			t.Errorf("%+v: active %v, stages %v", c.set, s.Active(), s.Wants(event.Stage))
		}
	}
	if err := l.Set(eventlog.Settings{Level: "info", File: t.TempDir() + "/none/x.log"}); err == nil || !strings.HasPrefix(err.Error(), "log file: ") {
		t.Errorf("%v", err)
	}
}

func TestLinesForPeople(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	text := written(t, eventlog.Settings{Level: "debug", Format: "text"}, func(s *event.Stream) {
		s.Emit(event.Event{Time: at, Kind: event.Note, Level: slog.LevelWarn, Message: "a hook\nwas skipped\x1b[31m", Attrs: []slog.Attr{slog.String("hook", "tools list\x1b[2J\nx")}})
		s.Emit(event.Event{Time: at, Kind: event.Cut, Name: "reply", Bytes: 12})
		s.Emit(event.Event{Time: at, Kind: event.Note, Message: "alone"})
		s.Emit(event.Event{Time: at, Kind: event.Stage, Phase: event.Begin, Message: "stage skipped", Name: "locator", Stage: "locate",
			Trace: "4bf92f3577b34da6a3ce929d0e0e4736", Parent: "00f067aa0ba902b7"})
	})
	want := "2026-03-04 05:06:07 WARN  a hook was skipped hook=\"tools list\\nx\"\n2026-03-04 05:06:07 INFO  cut name=reply bytes=12\n2026-03-04 05:06:07 INFO  alone\n" +
		"2026-03-04 05:06:07 DEBUG stage skipped kind=stage phase=begin name=locator stage=locate trace_id=4bf92f35 parent=00f067aa\n"
	if text != want {
		t.Errorf("got  %q\nwant %q", text, want)
	}
}

func TestTheHandlerKeepsTheShapeOfRecords(t *testing.T) {
	text := written(t, debugJSON, func(s *event.Stream) {
		ctx := s.WithContext(t.Context(), "4bf92f3577b34da6a3ce929d0e0e4736", "")
		log := slog.New(eventlog.Handler(s)).With("server", "lake").WithGroup("a").With("b", 1)
		log.InfoContext(ctx, "hello", "c", true, slog.Group("d", "e", 2*time.Second), "err", errors.New("bad"), "any", map[string]int{"n": 1})
	})
	m := parsed(t, text)[0]
	delete(m, "time")
	got := fmt.Sprint(m)
	want := fmt.Sprint(map[string]any{"level": "INFO", "msg": "hello", "server": "lake", "a.b": 1, "a.c": true, "a.d.e": 2e9, "a.err": "bad", "a.any": `{"n":1}`, "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736"})
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
