package redact

import (
	"cmp"
	"slices"
	"strings"
)

// span is a part of a text that is to be replaced.
type span struct {
	start, end int
	by         *detector
}

func toSpans(found []finding) []span {
	spans := make([]span, len(found))
	for i, f := range found {
		spans[i] = span(f)
	}
	return mergeSpans(spans)
}

// mergeSpans sorts spans and joins overlapping ones; the joined one gets the name of the lowest rank, then of the first
// and longest.
func mergeSpans(spans []span) []span {
	slices.SortFunc(spans, func(x, y span) int {
		return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(y.end, x.end), cmp.Compare(x.by.rank, y.by.rank), cmp.Compare(x.by.id, y.by.id))
	})
	out := spans[:0]
	for _, s := range spans {
		if s.start >= s.end {
			continue
		}
		if n := len(out); n > 0 && s.start < out[n-1].end {
			last := &out[n-1]
			last.end = max(last.end, s.end)
			if s.by.rank < last.by.rank {
				last.by = s.by
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// subtractHoles removes the parts that holes cover from spans, and blanks from their ends. Both lists are sorted by start.
func subtractHoles(text string, spans []span, holes []window) []span {
	out := make([]span, 0, len(spans))
	keep := func(s span) {
		for s.start < s.end && isBlank(text[s.start]) {
			s.start++
		}
		for s.start < s.end && isBlank(text[s.end-1]) {
			s.end--
		}
		if s.start < s.end {
			out = append(out, s)
		}
	}
	for _, s := range spans {
		for len(holes) > 0 && holes[0].hi <= s.start {
			holes = holes[1:]
		}
		for i := 0; i < len(holes) && holes[i].lo < s.end; i++ {
			if s.start < holes[i].lo {
				keep(span{s.start, holes[i].lo, s.by})
			}
			s.start = max(s.start, holes[i].hi)
		}
		keep(s)
	}
	return out
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// replaceSpans writes the text with each span replaced by its mask. The newlines of a span follow its mask.
func replaceSpans(text string, spans []span) string {
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.start])
		b.WriteString(s.mask(text))
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String()
}

func (s span) mask(text string) string {
	return s.by.mask + strings.Repeat("\n", strings.Count(text[s.start:s.end], "\n"))
}

// markLen returns the length of mask(text).
func (s span) markLen(text string) int {
	return len(s.by.mask) + strings.Count(text[s.start:s.end], "\n")
}

// toInput maps spans of replace(text, done) to the text itself. A span that touches the mark of a user rule absorbs
// everything that the mark replaced; no span touches the mark of a built-in rule.
func toInput(spans, done []span, text string) []span {
	out := make([]span, len(spans))
	marks := make([]int, len(done)) // the lengths of their marks
	for i, s := range done {
		marks[i] = s.markLen(text)
	}
	i, shift := 0, 0 // shift: how much longer the output is than the input, before done[i]
	behind := func(i int) int { return done[i].start + shift + marks[i] }
	for n, s := range spans {
		for i < len(done) && behind(i) <= s.start {
			shift = behind(i) - done[i].end
			i++
		}
		mapped := span{s.start - shift, 0, s.by}
		if i < len(done) && done[i].start < mapped.start {
			mapped.start = done[i].start
		}
		for i < len(done) && done[i].start+shift < s.end {
			mapped.by = joint
			if behind(i) > s.end {
				mapped.end = done[i].end
				break
			}
			shift = behind(i) - done[i].end
			i++
		}
		if mapped.end == 0 {
			mapped.end = s.end - shift
		}
		out[n] = mapped
	}
	return out
}

// exportSpans converts spans to the exported type.
func exportSpans(spans []span) []Span {
	if len(spans) == 0 {
		return nil
	}
	out := make([]Span, len(spans))
	for i, s := range spans {
		out[i] = Span{Rule: s.by.id, Start: s.start, End: s.end}
	}
	return out
}
