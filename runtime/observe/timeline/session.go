package timeline

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// recent is a session in memory.
type recent struct {
	Session
	spans []*Span
	open  map[string]*Span // by call
	bytes int

	asked  bool  // the title is a question
	called []did // tools that otherwise make up the title
}

// add keeps the beginning of a span, or replaces the beginning by its end.
func (r *recent) add(s *Span, begins bool) {
	if last := s.Started.Add(s.Elapsed); last.After(r.Last) {
		r.Last = last
	}
	was := r.open[s.ID]
	switch {
	case was != nil && !begins:
		s.Started = was.Started
		r.bytes += s.size() - was.size()
		*was = *s
		delete(r.open, s.ID)
	default:
		r.spans = append(r.spans, s)
		r.bytes += s.size()
		if begins && s.ID != "" {
			r.open[s.ID] = s
		}
		if len(r.spans) > recentSpans {
			r.dropOldest(recentSpans / 10)
		}
	}
	r.countSpan(s, begins)
	r.updateTitle(s)
}

// dropOldest drops the oldest spans.
func (r *recent) dropOldest(n int) {
	for _, s := range r.spans[:n] {
		r.bytes -= s.size()
		delete(r.open, s.ID)
	}
	r.spans = slices.Delete(r.spans, 0, n)
}

// countSpan adds a span to the totals of the session.
func (r *Session) countSpan(s *Span, begins bool) {
	if begins || s.ID == "" { // an instantaneous event has no beginning
		r.countBeginning(s)
	}
	if begins {
		return
	}
	if s.Outcome == event.Failed || s.Code != "" {
		r.Failed++
	}
	r.TokensIn, r.TokensTo = r.TokensIn+s.In, r.TokensTo+s.Out
	if original, given, ok := s.Summarized(); ok {
		r.Saved += max(original-given, 0)
	}
}

func (r *Session) countBeginning(s *Span) {
	switch s.Kind {
	case "request":
		r.Requests++
		if r.Client == "" {
			r.Client = s.Attrs["client"]
		}
	case "model":
		r.Models++
	case "upstream":
		if s.ID != "" { // not a change of its state
			r.Upstream++
		}
	}
}

// containsText reports whether a session contains a text.
func (r *recent) containsText(want string) bool {
	want = strings.ToLower(want)
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), want) }
	return has(r.Title) || has(r.Client) || slices.ContainsFunc(r.spans, func(s *Span) bool { return has(s.Server) || has(s.Tool) || has(s.Error) })
}
