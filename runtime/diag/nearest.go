package diag

import "strings"

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
