package event

import (
	"cmp"
	"context"
	"time"
)

// scope identifies what events belong to, as carried by a context. It is immutable.
type scope struct {
	stream  *Stream
	viewed  set         // kinds that view wants
	view    func(Event) // the view of one run
	trace   string
	session string
	call    string
	stage   string
	role    string
}

type scopeKey struct{}

func scopeOf(ctx context.Context) *scope {
	s, _ := ctx.Value(scopeKey{}).(*scope)
	return s
}

func (s *scope) wants(k Kind) bool { return s != nil && (s.viewed&(1<<k) != 0 || s.stream.Wants(k)) }

func (s *scope) withScope(ctx context.Context) context.Context {
	return context.WithValue(ctx, scopeKey{}, s)
}

// WithContext returns a context whose events go to the stream, as events of a request with
// this trace (see Traceparent; "" starts a new one) and session. If nothing reads the
// stream, or the context already has one, it returns the context itself.
func (s *Stream) WithContext(ctx context.Context, trace, session string) context.Context {
	old := scopeOf(ctx)
	if s == nil || s.wanted.Load()&^(1<<Note) == 0 || old != nil && old.stream != nil {
		return ctx
	}
	next := &scope{}
	if old != nil {
		*next = *old
	}
	next.stream = s
	if s.Active() {
		next.trace, next.session = trace, lately.opaque(session)
		if trace == "" {
			next.trace = newTrace()
		}
	}
	return next.withScope(ctx)
}

// WithView returns a context whose events of these kinds are also passed to fn, on the
// emitter's goroutine. It replaces an earlier view: what runs within a run is not part
// of it.
func WithView(ctx context.Context, fn func(Event), list ...Kind) context.Context {
	next := &scope{}
	if old := scopeOf(ctx); old != nil {
		*next = *old
	}
	next.view, next.viewed = fn, setOf(list)
	return next.withScope(ctx)
}

// Wants reports whether anything reads events of this kind from this context.
func Wants(ctx context.Context, k Kind) bool { return scopeOf(ctx).wants(k) }

// Trace returns the trace ID of the context's events, or "".
func Trace(ctx context.Context) string {
	if s := scopeOf(ctx); s != nil {
		return s.trace
	}
	return ""
}

// StageOf returns the stage that the context's events belong to, or "".
func StageOf(ctx context.Context) string {
	if s := scopeOf(ctx); s != nil {
		return s.stage
	}
	return ""
}

// Emit passes an event to all readers of the context's events.
func Emit(ctx context.Context, e Event) {
	if s := scopeOf(ctx); s.wants(e.Kind) {
		e.Parent = cmp.Or(e.Parent, s.call)
		s.emit(&e)
	}
}

// Mark records that a builtin starts the named part of its work.
func Mark(ctx context.Context, part string) {
	if s := scopeOf(ctx); s.wants(Builtin) {
		s.emit(&Event{Kind: Builtin, Phase: Step, Name: part, Parent: s.call})
	}
}

func (s *scope) emit(e *Event) {
	e.Trace, e.Session = s.trace, s.session
	e.Stage, e.Role = cmp.Or(e.Stage, s.stage), cmp.Or(e.Role, s.role)
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	if s.viewed&(1<<e.Kind) != 0 {
		s.view(*e)
	}
	s.stream.deliver(e)
}

// Span is an operation between its Begin and its End. Its event can be added to until
// then. Start returns a nil Span if nothing reads it.
type Span struct {
	Event
	scope scope
}

// Start emits the Begin of e and returns a context for what it causes. The span is nil
// if nothing reads such events.
func Start(ctx context.Context, e Event) (context.Context, *Span) {
	s := scopeOf(ctx)
	if !s.wants(e.Kind) {
		return s.withLabels(ctx, e.Stage, e.Role), nil
	}
	return s.beginSpan(ctx, &e)
}

// beginSpan does the work of Start for an event that is wanted. The emitter may be deep in
// a small stack and an event is large, so it is passed by pointer.
func (s *scope) beginSpan(ctx context.Context, e *Event) (context.Context, *Span) {
	span := &Span{Event: *e, scope: *s}
	next := &span.scope
	if s.stream.Wants(e.Kind) {
		next.call = newCall()
	}
	next.stage, next.role = cmp.Or(e.Stage, s.stage), cmp.Or(e.Role, s.role)
	e.Time, e.Phase, e.Call, e.Parent = time.Now(), Begin, next.call, s.call
	span.Time, span.Phase, span.Call, span.Parent, span.Detail = e.Time, Begin, e.Call, e.Parent, nil
	next.emit(e)
	return next.withScope(ctx), span
}

// Wanted reports whether anything reads events of a kind.
func Wanted(ctx context.Context, k Kind) bool { return scopeOf(ctx).wants(k) }

// withLabels returns a context whose events have the stage and role of e, for readers
// that do not read e itself.
func (s *scope) withLabels(ctx context.Context, stage, role string) context.Context {
	if s == nil || !s.stream.Active() || stage == "" && role == "" {
		return ctx
	}
	next := *s
	next.stage, next.role = cmp.Or(stage, s.stage), cmp.Or(role, s.role)
	return next.withScope(ctx)
}

// End emits the event's End with the outcome and the code of what went wrong.
func (s *Span) End(outcome, code string) {
	if s == nil {
		return
	}
	e := &s.Event
	now := time.Now()
	e.Phase, e.Elapsed, e.Time, e.Outcome, e.Code = End, now.Sub(e.Time), now, outcome, code
	s.scope.emit(e)
}
