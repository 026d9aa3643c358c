package eventlog

import (
	"context"
	"log/slog"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// Handler returns a handler for log/slog whose records become events of the stream,
// with the trace of the request they were logged in.
func Handler(s *event.Stream) slog.Handler { return &handler{stream: s} }

type handler struct {
	stream *event.Stream
	group  string // prefix for the names of further attributes
	attrs  []slog.Attr
}

// Enabled reports whether log records have any reader.
func (h *handler) Enabled(context.Context, slog.Level) bool { return h.stream.Wants(event.Note) }

// Handle emits a record.
func (h *handler) Handle(ctx context.Context, r slog.Record) error {
	e := event.Event{Time: r.Time, Kind: event.Note, Level: r.Level, Message: r.Message, Trace: event.Trace(ctx), Attrs: slices.Clip(h.attrs)}
	r.Attrs(func(a slog.Attr) bool {
		e.Attrs = h.addFlat(e.Attrs, h.group, a)
		return true
	})
	h.stream.Emit(e)
	return nil
}

// addFlat adds an attribute, or those of a group one by one with its name as a prefix.
// Values are read now: a logged object may change before it is written.
func (h *handler) addFlat(to []slog.Attr, group string, a slog.Attr) []slog.Attr {
	a.Value = a.Value.Resolve()
	if a.Value.Kind() == slog.KindGroup {
		if a.Key != "" {
			group += a.Key + "."
		}
		for _, in := range a.Value.Group() {
			to = h.addFlat(to, group, in)
		}
		return to
	}
	if a.Equal(slog.Attr{}) {
		return to
	}
	if raw := textOf(a.Value); raw != nil && a.Value.Kind() == slog.KindAny {
		if err, is := a.Value.Any().(error); is {
			a.Value = slog.StringValue(err.Error())
		} else {
			a.Value = slog.AnyValue(raw)
		}
	}
	a.Key = group + a.Key
	return append(to, a)
}

// WithAttrs returns a handler whose records have these attributes too.
func (h *handler) WithAttrs(list []slog.Attr) slog.Handler {
	next := *h
	next.attrs = slices.Clone(h.attrs)
	for _, a := range list {
		next.attrs = h.addFlat(next.attrs, h.group, a)
	}
	return &next
}

// WithGroup returns a handler whose records have their attributes in a group.
func (h *handler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	next := *h
	next.group += name + "."
	return &next
}
