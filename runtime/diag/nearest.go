package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Nearest is the candidate that name was probably meant to be, or "". It is
// strict, because an absurd hint is worse than none: fewer edits than half the
// name and three at most (a swap of neighbours is one edit), or one is the
// beginning of the other (desc, description). Among equals the first
// candidate wins.
func Nearest(name string, candidates []string) string {
	best, bestCost := "", 4
	for _, c := range candidates {
		if c == name {
			continue
		}
		cost := Edits(fold(name), fold(c), bestCost)
		if 2*cost < len([]rune(name)) && cost < bestCost {
			best, bestCost = c, cost
		}
	}
	if best != "" {
		return best
	}
	return sharingPrefix(name, candidates)
}

// sharingPrefix finds the shortest candidate that name abbreviates, or the
// longest that name only adds to.
func sharingPrefix(name string, candidates []string) string {
	const least = 3
	longer, shorter := "", ""
	for _, c := range candidates {
		switch {
		case c == name:
		case len(name) >= least && strings.HasPrefix(fold(c), fold(name)):
			if longer == "" || len(c) < len(longer) {
				longer = c
			}
		case len(c) >= least && strings.HasPrefix(fold(name), fold(c)):
			if len(c) > len(shorter) {
				shorter = c
			}
		}
	}
	if longer != "" {
		return longer
	}
	return shorter
}

// longestCompared bounds the work of comparing, which grows with the product of the lengths.
const longestCompared = 64

// Closest are the n candidates most like a name, the closest first: those that have
// words of it, then those it takes the fewest edits to.
func Closest(name string, candidates []string, n int) []string {
	type distance struct {
		missed, edits int
		name          string
	}
	words := wordsOf(name)
	list := make([]distance, 0, len(candidates))
	for _, c := range candidates {
		d := distance{name: c, edits: longestCompared}
		have := wordsOf(c)
		for _, w := range words {
			if !slices.Contains(have, w) {
				d.missed++
			}
		}
		if name != "" && len(name) <= longestCompared && len(c) <= longestCompared {
			d.edits = Edits(fold(name), fold(c), longestCompared)
		}
		list = append(list, d)
	}
	slices.SortStableFunc(list, func(a, b distance) int { return cmp.Or(cmp.Compare(a.missed, b.missed), cmp.Compare(a.edits, b.edits)) })
	var out []string
	for _, d := range list[:min(n, len(list))] {
		out = append(out, d.name)
	}
	return out
}

// mostWords of a name are compared.
const mostWords = 16

func wordsOf(name string) []string {
	list := strings.FieldsFunc(fold(name[:min(len(name), 4*longestCompared)]), func(r rune) bool { return r == '_' || r == '.' || r == '/' || r == ' ' })
	return list[:min(len(list), mostWords)]
}

// Some are names as a message lists them: all where they are few, else the closest to
// the one that was meant, and how many more there are.
func Some(meant string, names []string) string {
	const few, most = 16, 8
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(Closest(meant, names, most), ", "), len(names)-most)
}

// fold makes case and the choice between - and _ free of charge.
func fold(s string) string { return strings.ReplaceAll(strings.ToLower(s), "-", "_") }

// Edits is the optimal string alignment distance in characters (Damerau's, no
// substring edited twice), or limit when it is no less. Its work grows with the
// product of the lengths.
func Edits(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d >= limit || -d >= limit {
		return limit
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(y)], limit)
}
