package timeline

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/masked"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// ErrUnknown reports that nothing is kept of a session.
var ErrUnknown = errors.New("there is no such session")

// Limits of what Recorder keeps in memory.
const (
	recentSessions = 200
	recentSpans    = 5000     // per session; the oldest are dropped
	recentBytes    = 16 << 20 // in total
	recentWaiting  = 4096     // events
	moment         = 100 * time.Millisecond
	watchWaiting   = 256 // spans
)

// Options configure a Recorder.
type Options struct {
	Stream    *event.Stream
	Redactor  func() *redact.Redactor // returns that of the current configuration; nil means the built-in one
	Questions func() bool             // whether questions are kept in words rather than as a digest; nil means yes
	Sessions  int                     // limit in memory; 0 means 200
	Bytes     int                     // limit in memory; 0 means 16 MB
}

// Recorder keeps the newest sessions of this process in memory, and those of earlier ones
// if it has a shelf. It is a Reader.
type Recorder struct {
	opt     Options
	masker  *masked.Masker
	without string // session of events that belong to no session
	sub     *event.Subscription
	done    chan struct{}
	shelf   *writer // nil before PersistTo
	unkept  error   // why there is no shelf

	mu       sync.Mutex
	kept     int           // events that were read
	advanced chan struct{} // closed when kept grows; nil if nobody waits for it
	sessions map[string]*recent
	bytes    int
	watchers map[chan Span]string
	listed   map[string]shown // tools shown to sessions of which nothing else is kept
}

// New follows a stream until Close.
func New(opt Options) *Recorder {
	if opt.Sessions <= 0 {
		opt.Sessions = recentSessions
	}
	if opt.Bytes <= 0 {
		opt.Bytes = recentBytes
	}
	r := &Recorder{opt: opt, masker: masked.New(opt.Redactor), without: event.HashID("stateless"), done: make(chan struct{}),
		sessions: map[string]*recent{}, watchers: map[chan Span]string{}, listed: map[string]shown{},
		sub: opt.Stream.Subscribe(recentWaiting, event.Request, event.Stage, event.Round, event.Builtin, event.Model, event.Upstream, event.Cut, event.Hook, event.Reload,
			event.Index, event.Retrieval, event.Rerank, event.Compose)}
	r.sub.Batch(moment)
	r.sub.Begins(unwatched...)
	go r.run()
	return r
}

func (r *Recorder) run() {
	defer close(r.done)
	for {
		e, ok := r.sub.Next(context.Background())
		if !ok {
			return
		}
		r.keepEvent(e)
		r.mu.Lock()
		if r.kept++; r.advanced != nil {
			close(r.advanced)
			r.advanced = nil
		}
		r.mu.Unlock()
	}
}

// Flush returns when what was emitted until now is on the shelf. It returns an error if that fails, or has failed since the
// last success, and nil at once if there is no shelf. Events that found no room are lost to it, too.
func (r *Recorder) Flush(ctx context.Context) error {
	for until := r.sub.Hurry(); ; {
		r.mu.Lock()
		if r.advanced == nil {
			r.advanced = make(chan struct{})
		}
		w, read, advanced := r.shelf, r.kept >= until, r.advanced
		r.mu.Unlock()
		switch {
		case w == nil:
			return nil
		case read:
			return w.flush(ctx)
		}
		select {
		case <-advanced:
		case <-r.done:
			return w.flush(ctx)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Stop keeps pending events and stops following the stream.
func (r *Recorder) Stop() {
	r.sub.Close()
	<-r.done
}

// Close stops, writes pending data to the shelf, and closes the shelf.
func (r *Recorder) Close() {
	r.Stop()
	r.mu.Lock()
	shelf := r.shelf
	r.mu.Unlock()
	if shelf != nil {
		shelf.close()
	}
}

// Lost returns the number of events that came faster than they could be kept.
func (r *Recorder) Lost() int { return r.sub.Dropped() }

// isNoise reports whether an event is not worth keeping: intermediate steps, handshakes, and
// lists that clients request again and again.
func isNoise(e event.Event) bool {
	return e.Phase == event.Step || e.Kind == event.Request && e.Name != "tools/call"
}

// unwatched lists the kinds whose beginnings matter while there are no watchers. For all
// others the end of a stage or a builtin says as much.
var unwatched = []event.Kind{event.Request, event.Model, event.Upstream, event.Hook}

// keepEvent keeps the contents of an event.
func (r *Recorder) keepEvent(e event.Event) {
	if r.handleAbout(e) || isNoise(e) {
		return
	}
	s := spanOf(r.masker.Event(r.addQuery(e)))
	if s.Session == "" {
		s.Session = r.without
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.sessionOf(s.Session, s.Started)
	r.bytes -= at.bytes
	at.add(s, e.Phase == event.Begin)
	r.bytes += at.bytes
	r.enforceBound()
	if r.shelf != nil && !s.Running {
		r.shelf.putSpan(at.Session, *s)
	}
	for ch, session := range r.watchers {
		if session == "" || session == s.Session {
			select {
			case ch <- *s:
			default:
			}
		}
	}
}

// sessionOf returns a session, making room for a new one. mu is held.
func (r *Recorder) sessionOf(id string, now time.Time) *recent {
	if s := r.sessions[id]; s != nil {
		return s
	}
	s := &recent{Session: Session{ID: id, Started: now, Last: now}, open: map[string]*Span{}}
	if r.sessions[id] = s; id == r.without {
		s.Title, s.asked = "Outside of sessions", true
	}
	if list, was := r.listed[id]; was {
		delete(r.listed, id)
		r.recordShown(s, list)
	}
	if len(r.sessions) > r.opt.Sessions {
		r.dropSession(r.oldestSession(s))
	}
	return s
}

// enforceBound drops the oldest until everything fits. mu is held.
func (r *Recorder) enforceBound() {
	for r.bytes > r.opt.Bytes {
		if old := r.oldestSession(nil); len(r.sessions) > 1 {
			r.dropSession(old)
		} else if len(old.spans) > 1 {
			r.bytes -= old.bytes
			old.dropOldest(len(old.spans)/10 + 1)
			r.bytes += old.bytes
		} else {
			return
		}
	}
}

func (r *Recorder) oldestSession(but *recent) (old *recent) {
	for _, s := range r.sessions {
		if s != but && (old == nil || s.Last.Before(old.Last)) {
			old = s
		}
	}
	return old
}

func (r *Recorder) dropSession(s *recent) {
	r.bytes -= s.bytes
	delete(r.sessions, s.ID)
}

// Forget drops from memory the sessions whose last event came before a moment, including
// data pending for the shelf. The shelf itself is not changed. Lists of sessions without
// an event are dropped if the moment is in the future.
func (r *Recorder) Forget(before time.Time) {
	if w := r.forgetSessions(before); w != nil {
		w.forget(before)
	}
}

// forgetSessions is Forget except for pending data, and returns the writer that has it.
func (r *Recorder) forgetSessions(before time.Time) *writer {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.sessions {
		if s.Last.Before(before) {
			r.dropSession(s)
		}
	}
	if before.After(time.Now()) {
		clear(r.listed)
	}
	return r.shelf
}

// Sessions lists sessions, newest first.
func (r *Recorder) Sessions(ctx context.Context, q Query) ([]Session, error) {
	if shelf := r.flushedShelf(ctx); shelf != nil {
		if out, err := shelf.Sessions(ctx, q); err == nil {
			return out, nil
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	all := slices.SortedFunc(maps.Values(r.sessions), func(a, b *recent) int { return cmp.Or(b.Last.Compare(a.Last), strings.Compare(a.ID, b.ID)) })
	out, behind := []Session{}, q.After == ""
	for _, s := range all {
		if behind && len(out) < q.limit() && !s.Last.Before(q.Since) && s.containsText(q.Text) {
			out = append(out, s.Session)
		}
		behind = behind || s.ID == q.After
	}
	return out, nil
}

// limit returns the number of sessions that a query returns at most.
func (q Query) limit() int {
	return cmp.Or(max(q.Limit, 0), 50)
}

// Session returns one session, with its spans in the order in which they began.
func (r *Recorder) Session(ctx context.Context, id string) (Session, []Span, error) {
	r.mu.Lock()
	s := r.sessions[id]
	if s == nil {
		r.mu.Unlock()
		if shelf := r.flushedShelf(ctx); shelf != nil {
			return shelf.Session(ctx, id)
		}
		return Session{}, nil, ErrUnknown
	}
	defer r.mu.Unlock()
	out := make([]Span, len(s.spans))
	for i, span := range s.spans {
		out[i] = *span
	}
	slices.SortStableFunc(out, func(a, b Span) int { return a.Started.Compare(b.Started) })
	return s.Session, out, nil
}

// Savings returns the steps from a time until now, oldest first.
func (r *Recorder) Savings(ctx context.Context, since time.Time, step time.Duration) ([]Saving, error) {
	if shelf := r.flushedShelf(ctx); shelf != nil {
		if out, err := shelf.Savings(ctx, since, step); err == nil {
			return out, nil
		}
	}
	steps := NewSteps(since, step)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.sessions {
		for _, span := range s.spans {
			if original, given, ok := span.Summarized(); ok {
				steps.Add(span.Started, original, given)
			}
		}
	}
	return steps.List(), nil
}

// Watch returns the spans of a session, or of all for "", until the context ends.
func (r *Recorder) Watch(ctx context.Context, session string) <-chan Span {
	ch := make(chan Span, watchWaiting)
	r.mu.Lock()
	r.watchers[ch] = session
	r.sub.Begins(event.Kinds()...)
	r.mu.Unlock()
	context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.watchers, ch)
		close(ch)
		if len(r.watchers) == 0 {
			r.sub.Begins(unwatched...)
		}
	})
	return ch
}
