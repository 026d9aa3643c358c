package within

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Limits of a query's output.
const (
	maxHits    = 500
	goodEnough = 0.4 // of the best unit's worth
	context    = 2   // lines before and after a match
)

// QueryForms describes queries.
const QueryForms = `words or an exact identifier, such as "timeout" or "ERR-4711"`

// hit is a unit that matches the query.
type hit struct {
	unit
	worth float64
	order int
}

// Find returns the lines or records that best match a query, with their context, in the order of the source.
func (s *Source) Find(text string, fits func(string) bool) (Part, error) {
	q := parseQuery(text)
	if len(q.terms) == 0 {
		return Part{}, errors.New("query is empty; write " + QueryForms)
	}
	hits, matching := s.search(&q, s.eachUnit)
	inText := s.value == nil
	if len(hits) == 0 && s.value != nil { // the texts may contain what the structure does not
		hits, matching = s.search(&q, s.textUnits)
		inText = true
	}
	if len(hits) == 0 {
		return Part{Text: "Nothing matches the query. " + s.Describe()}, nil
	}
	shown, found := choose(hits, s, fits)
	part := Part{Text: found}
	what := "record"
	if inText {
		what = "line"
	}
	part.Note = fmt.Sprintf("%s %s", words.Count(matching, what), "that match"+map[bool]string{true: "es"}[matching == 1])
	if shown < matching {
		part.Note += fmt.Sprintf(", the best %d shown", shown)
	}
	if inText {
		part.Note += fmt.Sprintf("; the original has %d lines", s.lines)
	}
	return part, nil
}

// search finds the units that best match a query, in two passes: rare terms are worth most.
func (s *Source) search(q *query, units func(func(unit))) (hits []hit, matching int) {
	for range 2 {
		having := make([]int, len(q.terms))
		all := 0
		q.weight = nil
		units(func(u unit) {
			all++
			mask, _ := q.matchTerms(q.lower(u.text))
			for i := range q.terms {
				if mask&(1<<i) != 0 {
					having[i]++
				}
			}
		})
		q.weigh(all, having)
		if q.best > 0 || !q.loosen(having) {
			break
		}
	}
	if q.best == 0 {
		return nil, 0
	}
	order, floor := 0, 0.0
	units(func(u unit) {
		mask, worth := q.matchTerms(q.lower(u.text))
		order++
		if mask == 0 {
			return
		}
		matching++
		if len(hits) >= 2*maxHits {
			hits = best(hits)
			floor = hits[len(hits)-1].worth
		}
		if len(hits) < maxHits || worth > floor {
			hits = append(hits, hit{u.detachUnit(q), worth, order})
		}
	})
	return best(hits), matching
}

// best returns the hits worth most; among equals the first ones.
func best(hits []hit) []hit {
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.order, b.order)) })
	return hits[:min(len(hits), maxHits)]
}

// choose takes as many of the best hits as fit, and returns them in source order.
func choose(hits []hit, s *Source, fits func(string) bool) (shown int, text string) {
	top := hits[0].worth
	taken := map[int][]row{} // by line; all records share line 0
	for _, h := range hits {
		rows := h.contextRows(s)
		if h.worth < top*goodEnough || !fits(written(unseenRows(rows, taken))) && shown > 0 {
			break
		}
		for _, r := range rows {
			taken[r.line] = append(taken[r.line], r)
		}
		shown++
	}
	var b strings.Builder
	last := 0
	for _, line := range slices.Sorted(maps.Keys(taken)) {
		if line > last+1 && last > 0 {
			b.WriteString("--\n")
		}
		last = line
		b.WriteString(written(soleRows(taken[line])))
	}
	return shown, b.String()
}

// unseenRows returns the rows that are not already shown as context of another hit.
func unseenRows(rows []row, taken map[int][]row) (out []row) {
	for _, r := range rows {
		if r.line == 0 || len(taken[r.line]) == 0 {
			out = append(out, r)
		}
	}
	return out
}

// row is one line of output.
type row struct {
	line  int // of the source's text; 0 for a record
	order int // of the matching unit, 0 for a context line
	text  string
}

// soleRows reduces the rows of one line to the matches, or else to one context line.
func soleRows(rows []row) []row {
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.order, b.order) })
	if rows[len(rows)-1].order == 0 {
		return rows[:1]
	}
	return slices.DeleteFunc(rows, func(r row) bool { return r.order == 0 })
}

func written(rows []row) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(r.text + "\n")
	}
	return b.String()
}
