package timeline

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Bounds of what names a session, and of the tools that it was shown.
const (
	titleRunes  = 200
	titledTools = 4
	shownTools  = 500
	shownBytes  = 15 << 10 // with their ends of lines what one text that is masked may have
)

// about takes what a request says of its session and is no span: what it asks, and
// which tools its client was shown. It reports whether that was all.
func (r *Recent) about(e event.Event) bool {
	id := e.Session
	if e.Phase != event.Step || id == "" {
		return false
	}
	switch d := e.Detail.(type) {
	case event.Asked:
		title := r.title(d.Question)
		r.mu.Lock()
		defer r.mu.Unlock()
		if s := r.sessions[id]; s != nil && !s.asked && title != "" {
			s.Title, s.asked = title, true
		}
	case event.Listed:
		list := shown{r.names(d.Tools), len(d.Tools)}
		r.mu.Lock()
		defer r.mu.Unlock()
		if s := r.sessions[id]; s != nil {
			r.show(s, list)
		} else { // nothing is kept of a client that has called nothing yet
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

// asked puts what an event of documents looked for among its attributes, or where
// questions are not kept a digest of it.
func (r *Recent) asked(e event.Event) event.Event {
	q, is := e.Detail.(event.Query)
	if !is {
		return e
	}
	e.Attrs = slices.Clone(e.Attrs) // others have them too
	if r.opt.Questions != nil && !r.opt.Questions() {
		e.Attrs = append(e.Attrs, slog.Any("query_digest", event.ID(event.Opaque(q.Text))))
		return e
	}
	e.Attrs = append(e.Attrs, slog.String("query", q.Text))
	if q.Filters != "" {
		e.Attrs = append(e.Attrs, slog.String("filters", q.Filters))
	}
	return e
}

// title is a question, masked, on one line, in at most titleRunes.
func (r *Recent) title(question string) string {
	text := r.masker.Event(event.Event{Message: question}).Message
	return sanitize.Cut(strings.Join(strings.Fields(text), " "), titleRunes-1)
}

// shown is what a client was listed.
type shown struct {
	names []string // masked, as many as have room
	all   int
}

// names are the first names of tools, masked and sorted.
func (r *Recent) names(list []string) []string {
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

// show keeps what a session was listed. mu is held.
func (r *Recent) show(s *recent, list shown) {
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

// did is a tool that names a session.
type did struct{ server, tool string }

// titled names a session that has asked nothing in words by the tools that it called:
// those of upstream servers, or where there are none its requests.
func (r *recent) titled(s *Span) {
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
	r.Title = title(r.called)
}

// title is "files: read, list; git: log".
func title(called []did) string {
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
