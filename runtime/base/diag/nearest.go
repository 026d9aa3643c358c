package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Nearest returns the candidate that name was probably meant to be, or "". It is
// strict, because an absurd hint is worse than none: fewer edits than half the name and
// three at most (a swap of neighbors is one edit), or one is the beginning of the other
// (desc, description). Among equals the first candidate wins.
func Nearest(name string, candidates []string) string {
	if best := words.Nearest(name, candidates, min((utf8.RuneCountInString(name)-1)/2, 3)); best != "" {
		return best
	}
	return sharingPrefix(name, candidates)
}

// sharingPrefix returns the shortest candidate that name abbreviates, or the longest
// that name only extends.
func sharingPrefix(name string, candidates []string) string {
	const least = 3
	longer, shorter := "", ""
	for _, c := range candidates {
		switch {
		case c == name:
		case len(name) >= least && strings.HasPrefix(words.FoldName(c), words.FoldName(name)):
			if longer == "" || len(c) < len(longer) {
				longer = c
			}
		case len(c) >= least && strings.HasPrefix(words.FoldName(name), words.FoldName(c)):
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

// maxCompared limits the work of comparing, which grows with the product of the
// lengths.
const maxCompared = 64

// Closest returns the n candidates most similar to a name, the closest first: those
// that share words with it, then those that need the fewest edits.
func Closest(name string, candidates []string, n int) []string {
	type distance struct {
		missed, edits int
		name          string
	}
	asked := wordsOf(name)
	list := make([]distance, 0, len(candidates))
	for _, c := range candidates {
		d := distance{name: c, edits: maxCompared + 1}
		have := wordsOf(c)
		for _, w := range asked {
			if !slices.Contains(have, w) {
				d.missed++
			}
		}
		if name != "" && len(name) <= maxCompared && len(c) <= maxCompared {
			d.edits = words.Edits(words.FoldName(name), words.FoldName(c), maxCompared)
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

// maxWords limits the words of a name that are compared.
const maxWords = 16

func wordsOf(name string) []string {
	list := strings.FieldsFunc(words.FoldName(name[:min(len(name), 4*maxCompared)]), func(r rune) bool { return r == '_' || r == '.' || r == '/' || r == ' ' })
	return list[:min(len(list), maxWords)]
}

// Some lists names for a message: all if there are few, else the closest to the one
// that was meant, and how many more there are.
func Some(meant string, names []string) string {
	const few, most = 16, 8
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(Closest(meant, names, most), ", "), len(names)-most)
}
