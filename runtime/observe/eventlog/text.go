package eventlog

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// people is a handler that writes lines for people: time, level and message, then the rest as
// name=value. Identifiers come last, shortened to what a reader needs to tell them apart.
type people struct {
	w    io.Writer
	buf  *bytes.Buffer
	rest slog.Handler // writes the attributes into buf
}

// newPeople returns a handler for use by one goroutine.
func newPeople(w io.Writer) *people {
	buf := &bytes.Buffer{}
	opt := &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
			return slog.Attr{}
		}
		return a
	}}
	return &people{w: w, buf: buf, rest: slog.NewTextHandler(buf, opt)}
}

func (p *people) Enabled(context.Context, slog.Level) bool { return true }

func (p *people) Handle(ctx context.Context, r slog.Record) error {
	p.buf.Reset()
	p.buf.WriteString(r.Time.Format("2006-01-02 15:04:05 "))
	level := r.Level.String()
	p.buf.WriteString((level + "     ")[:max(len(level), 5)] + " ")
	p.buf.WriteString(strings.Join(strings.Fields(r.Message), " ")) // a record is one line
	at := p.buf.Len()
	p.buf.WriteByte(' ')
	if err := p.rest.Handle(ctx, readableRecord(r)); err != nil {
		return err
	}
	if p.buf.Len() == at+2 { // nothing but the line break
		p.buf.Truncate(at)
		p.buf.WriteByte('\n')
	}
	_, err := p.w.Write(p.buf.Bytes())
	return err
}

// readableRecord returns a record without a kind that repeats the message, and with shortened
// identifiers at the end.
func readableRecord(r slog.Record) slog.Record {
	var first, last []slog.Attr
	r.Attrs(func(a slog.Attr) bool {
		id, ok := a.Value.Any().(event.ID)
		switch {
		case ok:
			last = append(last, slog.String(a.Key, string(id[:min(len(id), shortID)])))
		case a.Key != "kind" || a.Value.String() != r.Message:
			first = append(first, a)
		}
		return true
	})
	out := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	out.AddAttrs(first...)
	out.AddAttrs(last...)
	return out
}

// shortID is the number of characters of an identifier shown to people: the JSON has it in full.
const shortID = 8

func (p *people) WithAttrs([]slog.Attr) slog.Handler { return p }
func (p *people) WithGroup(string) slog.Handler      { return p }
