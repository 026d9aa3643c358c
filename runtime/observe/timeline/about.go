package timeline

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Limits of a session's title, and of the tools that it was shown.
const (
	titleRunes  = 200
	titledTools = 4
	shownTools  = 500
	shownBytes  = 15 << 10 // with line breaks, as much as one masked text may have
)

// handleAbout handles an event that describes its session and is not a span: the question
// asked, or the tools that its client was shown. It reports whether it handled the event.
func (r *Recorder) handleAbout(e event.Event) bool {
	id := e.Session
	if e.Phase != event.Step || id == "" {
		return false
	}
	switch d := e.Detail.(type) {
	case event.Asked:
		title := r.maskTitle(d.Question)
		r.mu.Lock()
		defer r.mu.Unlock()
		if s := r.sessions[id]; s != nil && !s.asked && title != "" {
			s.Title, s.asked = title, true
		}
	case event.Listed:
		list := shown{r.maskNames(d.Tools), len(d.Tools)}
		r.mu.Lock()
		defer r.mu.Unlock()
		if s := r.sessions[id]; s != nil {
			r.recordShown(s, list)
		} else { // nothing is kept of a client that has not called anything yet
			if len(r.listed) >= r.opt.Sessions {
				clear(r.listed)
			}
			r.listed[id] = list
		}
	default:
		return false
	}
	return true
}

// addQuery adds the query of a document event to its attributes, or a digest of it if
// questions are not kept.
func (r *Recorder) addQuery(e event.Event) event.Event {
	q, is := e.Detail.(event.Query)
	if !is {
		return e
	}
	e.Attrs = slices.Clone(e.Attrs) // others share them
	if q.Quotes != "" {
		e.Attrs = append(e.Attrs, slog.Any(attrQuotes, event.ID(q.Quotes)), slog.Any(attrHomes, event.ID(q.Homes)))
	}
	if r.opt.Questions != nil && !r.opt.Questions() {
		e.Attrs = append(e.Attrs, slog.Any("query_digest", event.ID(event.HashID(q.Text))))
		return e
	}
	e.Attrs = append(e.Attrs, slog.String("query", q.Text))
	if q.Filters != "" {
		e.Attrs = append(e.Attrs, slog.String("filters", q.Filters))
	}
	return e
}

// maskTitle returns a question, masked, on one line, of at most titleRunes.
func (r *Recorder) maskTitle(question string) string {
	text := r.masker.Event(event.Event{Message: question}).Message
	return sanitize.Cut(strings.Join(strings.Fields(text), " "), titleRunes-1)
}

// shown is the list of tools that a client got.
type shown struct {
	names []string // masked, as many as fit
	all   int
}

// maskNames returns the first names of tools, masked and sorted.
func (r *Recorder) maskNames(list []string) []string {
	size, n := 0, 0
	for n < min(len(list), shownTools) && size+len(list[n]) <= shownBytes {
		size += len(list[n])
		n++
	}
	if n == 0 {
		return []string{}
	}
	out := strings.Split(r.masker.Event(event.Event{Message: strings.Join(list[:n], "\n")}).Message, "\n")
	slices.Sort(out)
	return out
}

// recordShown records what a session was listed. mu is held.
func (r *Recorder) recordShown(s *recent, list shown) {
	r.bytes -= s.bytes
	for _, name := range s.Shown {
		s.bytes -= len(name)
	}
	s.Shown, s.ShownAll = list.names, list.all
	for _, name := range s.Shown {
		s.bytes += len(name)
	}
	r.bytes += s.bytes
}

// did is a tool in the title of a session.
type did struct{ server, tool string }

// updateTitle names a session that has not asked anything in words by the tools that it
// called: those of upstream servers or, without any, its requests.
func (r *recent) updateTitle(s *Span) {
	by := did{s.Server, s.Tool}
	if r.asked || s.Tool == "" || s.Kind != "request" && s.Kind != "upstream" || slices.Contains(r.called, by) {
		return
	}
	if len(r.called) > 0 && r.called[0].server == "" && by.server != "" {
		r.called = nil
	}
	if len(r.called) > titledTools || len(r.called) > 0 && r.called[0].server != "" && by.server == "" {
		return
	}
	r.called = append(r.called, by)
	r.Title = formatTitle(r.called)
}

// formatTitle formats tools such as "files: read, list; git: log".
func formatTitle(called []did) string {
	var b strings.Builder
	for i, c := range called[:min(len(called), titledTools)] {
		same := i > 0 && called[i-1].server == c.server
		switch {
		case same:
			b.WriteString(", ")
		case i > 0:
			b.WriteString("; ")
		}
		if c.server != "" && !same {
			b.WriteString(c.server + ": ")
		}
		b.WriteString(c.tool)
	}
	if len(called) > titledTools {
		b.WriteString(", …")
	}
	return b.String()
}
