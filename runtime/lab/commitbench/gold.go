package commitbench

import (
	"bytes"
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/lab/eval"
	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// Definition is one definition of a file, as far as replay needs to know it.
type Definition struct {
	Name      string
	Line, End int  // first and last line, from 1
	Holds     bool // a type: it may hold functions
	Outer     bool // a module or namespace: treated like the file
	Exported  bool
	Asked     bool // of a kind that questions are about: a function or a type
}

// These limit the files whose right lines are derived.
const (
	maxGoldLines = 100_000
	maxGoldDefs  = 5_000
)

// touchedLines returns the right lines of a gold file: those whose innermost definition is also
// the one of a line in a hunk, the first line of every function around it, and the lines near
// a hunk that lies outside of all definitions.
func touchedLines(src []byte, defs []Definition, hunks []githistory.Hunk) []eval.Range {
	last := bytes.Count(src, []byte("\n")) + 1
	if last > maxGoldLines || len(defs) > maxGoldDefs {
		return nil
	}
	owner := innermostOwners(defs, last)
	right, hit := make([]bool, last+1), map[int]bool{}
	for _, h := range hunks {
		from, to := h.Line, h.Line+h.Removed-1
		if h.Removed == 0 { // an insertion lies between two lines
			to = h.Line + 1
		}
		inside := false
		for line := max(1, from); line <= min(last, to); line++ {
			if owner[line] >= 0 {
				hit[owner[line]], inside = true, true
			}
		}
		if !inside {
			for line := max(1, from-eval.Slack); line <= min(last, to+eval.Slack); line++ {
				right[line] = true
			}
		}
	}
	for line := 1; line <= last; line++ {
		right[line] = right[line] || owner[line] >= 0 && hit[owner[line]]
	}
	for i, d := range defs {
		if !d.Holds && !d.Outer && d.Line <= last && slices.ContainsFunc(slices.Collect(maps.Keys(hit)), func(in int) bool {
			return in != i && d.Line <= defs[in].Line && defs[in].End <= d.End
		}) {
			right[d.Line] = true
		}
	}
	return joinLines(right)
}

// innermostOwners returns for each line the index of the innermost definition around it, or -1.
// One-line constants and fields belong to the definition that contains them.
func innermostOwners(defs []Definition, last int) []int {
	owner := make([]int, last+1)
	for i := range owner {
		owner[i] = -1
	}
	var order []int
	for i, d := range defs {
		if !d.Outer && (d.Asked || d.End > d.Line) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return (defs[a].End - defs[a].Line) - (defs[b].End - defs[b].Line) })
	for _, i := range order {
		for l := max(1, defs[i].Line); l <= min(last, defs[i].End); l++ {
			if owner[l] < 0 {
				owner[l] = i
			}
		}
	}
	return owner
}

// joinLines joins consecutive lines into ranges.
func joinLines(lines []bool) []eval.Range {
	var out []eval.Range
	for l := 1; l < len(lines); l++ {
		switch n := len(out); {
		case !lines[l]:
		case n > 0 && out[n-1][1] == l-1:
			out[n-1][1] = l
		default:
			out = append(out, eval.Range{l, l})
		}
	}
	return out
}
