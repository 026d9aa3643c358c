package timeline

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/event"
)

// ErrUnknown says that nothing is kept of a session.
var ErrUnknown = errors.New("there is no such session")

// Bounds of what Recent keeps.
const (
	recentSessions = 200
	recentSpans    = 5000 // of one session; the oldest make room
	recentWaiting  = 4096
	watchWaiting   = 64
	// without is the session of requests that belong to none.
	without = "stateless"
)

// Recent keeps the newest sessions of this process in memory. It is a Reader.
type Recent struct {
	mask func(string) string
	sub  *event.Subscription
	done chan struct{}

	mu       sync.Mutex
	sessions map[string]*recent
	watchers map[chan Span]string
}

type recent struct {
	Session
	spans []*Span
	open  map[string]*Span // by call
}

// NewRecent follows a stream until Close. Texts are masked before they are kept.
func NewRecent(stream *event.Stream, mask func(string) string) *Recent {
	r := &Recent{mask: mask, done: make(chan struct{}), sessions: map[string]*recent{}, watchers: map[chan Span]string{},
		sub: stream.Subscribe(recentWaiting, event.Request, event.Stage, event.Builtin, event.Model, event.Upstream, event.Cut, event.Hook, event.Reload)}
	go func() {
		defer close(r.done)
		for {
			e, ok := r.sub.Next(context.Background())
			if !ok {
				return
			}
			r.take(e)
		}
	}()
	return r
}

// Close ends it.
func (r *Recent) Close() {
	r.sub.Close()
	<-r.done
}

// take keeps what an event tells.
func (r *Recent) take(e event.Event) {
	if e.Phase == event.Step || e.Kind == event.Request && e.Tool == "" && e.Name != "tools/call" { // shaking hands is no news
		return
	}
	s := r.span(e)
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.of(s.Session, e.Time)
	at.add(s, e.Phase == event.Begin)
	for ch, session := range r.watchers {
		if session == "" || session == s.Session {
			select {
			case ch <- *s:
			default:
			}
		}
	}
}

// span is an event as it is kept.
func (r *Recent) span(e event.Event) *Span {
	s := &Span{Session: e.Session, Trace: e.Trace, ID: e.Call, Parent: e.Parent, Kind: e.Kind.String(), Name: r.mask(e.Name), Stage: r.mask(e.Stage), Role: r.mask(e.Role),
		Server: r.mask(e.Server), Tool: r.mask(e.Tool), Started: e.Time.Add(-e.Elapsed), Elapsed: e.Elapsed, Running: e.Phase == event.Begin,
		Outcome: e.Outcome, Code: e.Code, Message: r.mask(e.Message), Error: r.mask(e.Error), In: e.TokensIn, Out: e.TokensOut, Bytes: e.Bytes}
	if s.Session == "" {
		s.Session = without
	}
	for _, a := range e.Attrs {
		if a.Key == "purpose" {
			s.Purpose = r.mask(a.Value.String())
			continue
		}
		if s.Attrs == nil {
			s.Attrs = map[string]string{}
		}
		s.Attrs[a.Key] = r.mask(text(a.Value))
	}
	return s
}

func text(v slog.Value) string { return fmt.Sprint(v.Resolve().Any()) }

// of is a session, which makes room for itself. mu is held.
func (r *Recent) of(id string, now time.Time) *recent {
	if s := r.sessions[id]; s != nil {
		return s
	}
	if len(r.sessions) >= recentSessions {
		oldest := slices.MinFunc(slices.Collect(maps.Values(r.sessions)), func(a, b *recent) int { return a.Last.Compare(b.Last) })
		delete(r.sessions, oldest.ID)
	}
	s := &recent{Session: Session{ID: id, Started: now, Last: now}, open: map[string]*Span{}}
	r.sessions[id] = s
	return s
}

// add keeps the beginning of a span, or its end in the place of that.
func (r *recent) add(s *Span, begins bool) {
	r.Last = s.Started.Add(s.Elapsed)
	if was := r.open[s.ID]; was != nil && s.ID != "" && !begins {
		s.Started = was.Started
		*was = *s
		delete(r.open, s.ID)
	} else {
		r.spans = append(r.spans, s)
		if begins && s.ID != "" {
			r.open[s.ID] = s
		}
		if len(r.spans) > recentSpans {
			delete(r.open, r.spans[0].ID)
			r.spans = slices.Delete(r.spans, 0, recentSpans/10)
		}
	}
	if begins {
		r.began(s)
		return
	}
	if s.Outcome == event.Failed || s.Code != "" {
		r.Failed++
	}
	r.TokensIn, r.TokensTo = r.TokensIn+s.In, r.TokensTo+s.Out
	if original, given, ok := s.summarized(); ok {
		r.Saved += max(original-given, 0)
	}
}

func (r *recent) began(s *Span) {
	switch s.Kind {
	case "request":
		r.Requests++
		if r.Title == "" {
			r.Title = s.Tool
		}
	case "model":
		r.Models++
	case "upstream":
		r.Upstream++
	}
}

// summarized tells what a summary took the place of.
func (s *Span) summarized() (original, given int, ok bool) {
	original, _ = strconv.Atoi(s.Attrs["original_tokens"])
	given, err := strconv.Atoi(s.Attrs["summary_tokens"])
	return original, given, err == nil && s.Attrs["result"] != ""
}

// Sessions lists sessions, the newest first.
func (r *Recent) Sessions(_ context.Context, q Query) ([]Session, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := slices.SortedFunc(maps.Values(r.sessions), func(a, b *recent) int {
		if c := b.Last.Compare(a.Last); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	out, behind := []Session{}, q.After == ""
	if q.Limit <= 0 {
		q.Limit = 50
	}
	for _, s := range all {
		if behind && len(out) < q.Limit && !s.Last.Before(q.Since) && s.holds(q.Text) {
			out = append(out, s.Session)
		}
		behind = behind || s.ID == q.After
	}
	return out, nil
}

func (r *recent) holds(want string) bool {
	want = strings.ToLower(want)
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), want) }
	return has(r.Title) || has(r.Client) || slices.ContainsFunc(r.spans, func(s *Span) bool { return has(s.Server) || has(s.Tool) || has(s.Error) })
}

// Session gives one, with its spans in the order they began.
func (r *Recent) Session(_ context.Context, id string) (Session, []Span, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sessions[id]
	if s == nil {
		return Session{}, nil, ErrUnknown
	}
	out := make([]Span, len(s.spans))
	for i, span := range s.spans {
		out[i] = *span
	}
	slices.SortStableFunc(out, func(a, b Span) int { return a.Started.Compare(b.Started) })
	return s.Session, out, nil
}

// Savings gives the steps from a time until now, oldest first.
func (r *Recent) Savings(_ context.Context, since time.Time, step time.Duration) ([]Saving, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	steps := map[int64]*Saving{}
	for _, s := range r.sessions {
		for _, span := range s.spans {
			original, given, ok := span.summarized()
			if !ok || span.Started.Before(since) {
				continue
			}
			n := int64(span.Started.Sub(since) / step)
			if steps[n] == nil {
				steps[n] = &Saving{From: since.Add(time.Duration(n) * step)}
			}
			steps[n].Original += original
			steps[n].Given += given
			steps[n].Results++
		}
	}
	out := []Saving{}
	for _, n := range slices.Sorted(maps.Keys(steps)) {
		out = append(out, *steps[n])
	}
	return out, nil
}

// Watch gives the spans of a session, or of all for "", until the context ends.
func (r *Recent) Watch(ctx context.Context, session string) <-chan Span {
	ch := make(chan Span, watchWaiting)
	r.mu.Lock()
	r.watchers[ch] = session
	r.mu.Unlock()
	context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.watchers, ch)
		close(ch)
	})
	return ch
}
