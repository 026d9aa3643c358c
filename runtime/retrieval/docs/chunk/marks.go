package chunk

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Mark is a place where something with a name begins, such as a declaration.
type Mark struct {
	At    int    // offset of its line
	Level int    // 1..6, as of a heading: parts below it have a higher one
	Name  string //
}

// AtMarks cuts a text at its marks and paragraphs, as Markdown is cut at headings. A mark within a
// line counts from the line's beginning.
func AtMarks(ctx context.Context, d Document, marks []Mark, p Policy) (Cut, error) {
	if err := p.Check(); err != nil {
		return Cut{}, err
	}
	l := layout{title: d.Name}
	marks = slices.Clone(marks)
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.At, b.At) })
	for _, m := range marks {
		if m.At < 0 || m.At >= len(d.Source) || strings.TrimSpace(m.Name) == "" {
			continue
		}
		at := strings.LastIndexByte(d.Source[:m.At], '\n') + 1
		if n := len(l.headings); n > 0 && l.headings[n-1].at == at {
			continue // the outer one came first
		}
		l.headings = append(l.headings, heading{at: at, level: min(max(m.Level, 1), 6), text: truncateTitle(strings.Join(strings.Fields(m.Name), " "))})
	}
	return cutDocument(ctx, d, l, p)
}
