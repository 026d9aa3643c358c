package eventlog

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// Settings determine what is written, and how.
type Settings struct {
	Level  string // off, error, warn, info or debug
	Format string // json or text
	File   string // "" means Options.Err
}

// Options configure a Log.
type Options struct {
	Stream   *event.Stream
	Redactor func() *redact.Redactor // returns that of the current configuration; nil means the built-in one
	Err      io.Writer               // standard error
	Say      func(string)            // reports problems of the log itself to a person
}

// waiting is the number of events that may wait for a slow disk or terminal; more are
// dropped.
const waiting = 4096

// patience is how long Close waits for them. It is a variable for tests.
var patience = time.Second

// Log writes the events of a stream. It is safe for concurrent use.
type Log struct {
	opt  Options
	sub  *event.Subscription
	done chan struct{}

	mu   sync.Mutex // held while a line is written
	set  Settings
	to   sink
	said bool // the write failure has been reported
	lost int  // lines since then
}

// sink is the destination of lines.
type sink struct {
	level   slog.Level
	handler slog.Handler // nil writes nothing
	close   func() error
}

// New returns a log that writes nothing until Set is called. Callers must Close it.
func New(opt Options) *Log {
	if opt.Redactor == nil {
		opt.Redactor = redact.Default
	}
	if opt.Say == nil {
		opt.Say = func(string) {}
	}
	l := &Log{opt: opt, sub: opt.Stream.Subscribe(waiting), done: make(chan struct{}), set: Settings{Level: Off}, to: sink{close: closeNothing}}
	go l.run()
	return l
}

func closeNothing() error { return nil }

// Set changes the settings. If the file cannot be opened, it returns the error and leaves
// the log unchanged.
func (l *Log) Set(s Settings) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s == l.set {
		return nil
	}
	to, err := l.openSink(s)
	if err != nil {
		return fmt.Errorf("log file: %w", err)
	}
	_ = l.to.close()
	l.set, l.to, l.said, l.lost = s, to, false, 0
	if to.handler == nil {
		l.sub.Want()
		return nil
	}
	l.sub.Want(kindsOf(to.level)...)
	return nil
}

func (l *Log) openSink(s Settings) (sink, error) {
	level, on := levels[s.Level]
	if !on {
		return sink{close: closeNothing}, nil
	}
	out := sink{level: level, close: closeNothing}
	w := l.opt.Err
	if s.File != "" {
		f, err := openFile(s.File, maxFile)
		if err != nil {
			return sink{}, err
		}
		w, out.close = f, f.Close
	}
	if s.Format == "text" {
		out.handler = newPeople(w)
	} else {
		out.handler = slog.NewJSONHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug})
	}
	return out, nil
}

func (l *Log) run() {
	defer close(l.done)
	for {
		e, ok := l.sub.Next(context.Background())
		if !ok {
			break
		}
		l.write(e)
	}
	if n := l.sub.Gap(); n > 0 {
		l.write(lostEvents(n))
	}
}

func lostEvents(n int) event.Event {
	return event.Event{Time: time.Now(), Kind: event.Note, Level: slog.LevelWarn, Message: "events were lost: the log is slower than what happens", Dropped: n}
}

// write writes the line of an event, if its level is enabled.
func (l *Log) write(e event.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.to.handler == nil {
		return
	}
	if e.Dropped > 0 && e.Kind != event.Note { // regardless of the level of the event after the gap
		l.writeLine(lostEvents(e.Dropped))
		e.Dropped = 0
	}
	l.writeLine(e)
}

// writeLine writes one line. mu is held.
func (l *Log) writeLine(e event.Event) {
	if levelOf(e) < l.to.level {
		return
	}
	err := l.to.handler.Handle(context.Background(), newRecord(e, l.opt.Redactor()))
	switch {
	case err != nil:
		l.lost++
		if !l.said {
			l.said = true
			l.opt.Say("the log cannot be written: " + err.Error() + "; serving goes on, and lines are lost until it can")
		}
	case l.lost > 0:
		n := l.lost
		l.said, l.lost = false, 0
		l.writeLine(event.Event{Time: time.Now(), Kind: event.Note, Level: slog.LevelWarn, Message: "lines were lost: the log could not be written",
			Attrs: []slog.Attr{slog.Int("lines", n)}})
	}
}

// Close writes pending events, for a second at most, and closes the log.
func (l *Log) Close() {
	l.sub.Close()
	select {
	case <-l.done:
	case <-time.After(patience):
		return // run is blocked in a write and still uses the sink
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.to.close()
	l.to = sink{close: closeNothing}
}
