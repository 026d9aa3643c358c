package dashboard

import (
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

const (
	maxRows  = 400 // on one page
	maxDepth = 8   // depth up to which rows are indented
	wide     = 1000
)

// filter selects spans of a session.
type filter struct {
	Text   string
	Kind   string
	Failed bool
}

// Any reports whether the filter leaves anything out.
func (f filter) Any() bool { return f.Text != "" || f.Kind != "" || f.Failed }

// matchesSpan reports whether a span matches the filter.
func (f filter) matchesSpan(s *timeline.Span) bool {
	switch {
	case f.Kind != "" && s.Kind != f.Kind, f.Failed && !isFailed(s):
		return false
	case f.Text == "":
		return true
	}
	want := strings.ToLower(f.Text)
	for _, text := range []string{s.Name, s.Stage, s.Role, s.Server, s.Tool, s.Purpose, s.Code, s.Message, s.Error, s.Attrs["query"]} {
		if strings.Contains(strings.ToLower(text), want) {
			return true
		}
	}
	return false
}

func isFailed(s *timeline.Span) bool {
	return s.Error != "" || s.Code != "" && s.Outcome != "ok" || s.Outcome == "failed"
}

// group is one request with its effects, or the spans outside of requests.
type group struct {
	Trace   string
	Title   string
	By      string // our tool that passed it on, if the title is that of an upstream call
	Request bool
	Started time.Time
	Took    time.Duration
	Running bool
	Ticks   []string // of its axis
	Rows    []spanRow
	More    int    // rows left out
	Further string // address of the next of them
}

// spanRow is one span on the axis of its request.
type spanRow struct {
	timeline.Span
	Anchor  string // its id on the page
	Label   string
	Detail  string // after the label, in a lighter style
	Depth   int
	X, W    float64
	Failed  bool
	Skipped bool
	Cause   string
	Address string
	Chosen  bool
	Given   *given // of an upstream call whose result was summarized
	Context bool   // shown only because of its effects
}

// family has the spans of one trace and their causes.
type family struct {
	all      []*timeline.Span
	children map[string][]*timeline.Span
	roots    []*timeline.Span
}

// families groups the spans of a session by trace, newest request first, and links them
// to their causes. A cause that is missing, or is a span's own effect, is ignored.
func families(spans []timeline.Span) []*family {
	var order []*family
	byTrace := map[string]*family{}
	for i := range spans {
		s := &spans[i]
		f := byTrace[s.Trace]
		if f == nil {
			f = &family{children: map[string][]*timeline.Span{}}
			byTrace[s.Trace] = f
			order = append(order, f)
		}
		f.all = append(f.all, s)
	}
	for _, f := range order {
		f.linkSpans()
	}
	slices.SortStableFunc(order, func(a, b *family) int { return b.all[0].Started.Compare(a.all[0].Started) })
	return order
}

// linkSpans finds roots and children. A span in each cycle of causes is treated as a root.
func (f *family) linkSpans() {
	byID := map[string]*timeline.Span{}
	for _, s := range f.all {
		byID[s.ID] = s
	}
	above := func(s *timeline.Span) *timeline.Span {
		if s.Parent == "" || s.Parent == s.ID {
			return nil
		}
		return byID[s.Parent]
	}
	const onPath, done = 1, 2
	state := map[*timeline.Span]int{}
	first := map[*timeline.Span]bool{} // beginnings of cycles
	for _, s := range f.all {
		var path []*timeline.Span
		for at := s; at != nil && state[at] != done; at = above(at) {
			if state[at] == onPath {
				first[at] = true
				break
			}
			state[at] = onPath
			path = append(path, at)
		}
		for _, p := range path {
			state[p] = done
		}
	}
	for _, s := range f.all {
		if p := above(s); p != nil && !first[s] && byID[s.ID] == s {
			f.children[p.ID] = append(f.children[p.ID], s)
		} else {
			f.roots = append(f.roots, s)
		}
	}
}

// passedOn returns the only call of an upstream tool that a request resulted in; nil if
// there are none or several, or if a model took part.
func (f *family) passedOn() (one *timeline.Span) {
	for _, s := range f.all {
		switch {
		case s.Kind == "model" && s.Purpose != "summarization":
			return nil
		case s.Kind != "upstream" || s.Tool == "" || s.ID == "":
		case one != nil:
			return nil
		default:
			one = s
		}
	}
	return one
}

// bounds returns the first and the last moment of a family.
func (f *family) bounds(now time.Time) (from, to time.Time, running bool) {
	from = f.all[0].Started
	to = from
	for _, s := range f.all {
		if s.Started.Before(from) {
			from = s.Started
		}
		end := s.Started.Add(max(s.Elapsed, 0))
		if s.Running {
			running = true
			end = now
		}
		if end.After(to) {
			to = end
		}
	}
	return from, to, running
}

// walk visits the spans, each before its effects, with its depth.
func (f *family) walk(visit func(s *timeline.Span, depth int)) {
	type step struct {
		s     *timeline.Span
		depth int
	}
	var stack []step
	push := func(list []*timeline.Span, depth int) {
		for _, s := range slices.Backward(list) {
			stack = append(stack, step{s, depth})
		}
	}
	told := map[string]bool{} // the effects of two spans with one id are visited once
	push(f.roots, 0)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		visit(at.s, at.depth)
		if !told[at.s.ID] {
			told[at.s.ID] = true
			push(f.children[at.s.ID], at.depth+1)
		}
	}
}

// matchingSpans returns the spans that match a filter, and those that caused them.
func (f *family) matchingSpans(want filter) (hit, context map[*timeline.Span]bool) {
	hit, context = map[*timeline.Span]bool{}, map[*timeline.Span]bool{}
	var path []*timeline.Span
	f.walk(func(s *timeline.Span, depth int) {
		path = append(path[:min(depth, len(path))], s)
		if want.matchesSpan(s) {
			hit[s] = true
			for _, above := range slices.Backward(path[:len(path)-1]) {
				if context[above] {
					break
				}
				context[above] = true
			}
		}
	})
	return hit, context
}

// axisTicks returns the labels of an axis of the given length.
func axisTicks(total time.Duration) []string {
	out := make([]string, 5)
	for i := range out {
		out[i] = formatDuration(total * time.Duration(i) / 4)
	}
	out[0] = "0"
	return out
}
