package eventlog

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
)

// people is a handler whose lines are for people: when, how bad, what, and the rest
// behind it as name=value.
type people struct {
	w    io.Writer
	buf  *bytes.Buffer
	rest slog.Handler // writes the attributes into buf
}

// newPeople returns a handler for one goroutine.
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
	p.buf.WriteString(strings.Join(strings.Fields(r.Message), " ")) // a line is one line
	at := p.buf.Len()
	p.buf.WriteByte(' ')
	if err := p.rest.Handle(ctx, r); err != nil {
		return err
	}
	if p.buf.Len() == at+2 { // nothing but the line's end
		p.buf.Truncate(at)
		p.buf.WriteByte('\n')
	}
	_, err := p.w.Write(p.buf.Bytes())
	return err
}

func (p *people) WithAttrs([]slog.Attr) slog.Handler { return p }
func (p *people) WithGroup(string) slog.Handler      { return p }
