package coderank

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

const (
	maxNearNames = 3
	// nearEnough is the minimum likeness of a suggested name.
	nearEnough = 0.5
)

// nearNames returns the names defined in the files read that are most like name.
func (r *Ranker) nearNames(name string) []string {
	want := newLikeness(name)
	type scored struct {
		name string
		like float64
	}
	best := map[string]float64{}
	for _, d := range r.docs {
		for _, n := range d.names {
			if _, ok := best[n]; !ok {
				best[n] = want.compareTo(n)
			}
		}
	}
	var list []scored
	for n, like := range best {
		if like >= nearEnough {
			list = append(list, scored{n, like})
		}
	}
	slices.SortFunc(list, func(a, b scored) int {
		if c := retrieval.Descending(a.like, b.like); c != 0 {
			return c
		}
		return strings.Compare(a.name, b.name)
	})
	var out []string
	for _, s := range list[:min(len(list), maxNearNames)] {
		out = append(out, s.name)
	}
	return out
}

// likeness compares names with a given one.
type likeness struct {
	norm  string
	parts []string
}

func newLikeness(name string) likeness { return likeness{normalizeName(name), nameParts(name)} }

// nameParts returns the stems of the subwords of a name.
func nameParts(name string) []string {
	var parts []string
	for i := 0; i < len(name); {
		if c := words.ClassOf(name[i]); c == words.Under || c == words.Separator {
			i++
			continue
		}
		j := words.Next(name, i)
		parts = append(parts, words.StemOf(strings.ToLower(name[i:j])))
		i = j
	}
	return parts
}

// compareTo returns the likeness to another name, 1 for the same: the better of the parts in common and
// the letters in common.
func (l likeness) compareTo(name string) float64 {
	parts := nameParts(name)
	common := 0
	for _, p := range parts {
		if slices.Contains(l.parts, p) {
			common++
		}
	}
	byParts := 0.0
	if len(l.parts) > 1 {
		byParts = 2 * float64(common) / float64(len(parts)+len(l.parts))
	}
	norm := normalizeName(name)
	limit := max(len(l.norm), len(norm)) / 4
	byLetters := 0.0
	if d := words.Edits(l.norm, norm, limit); limit > 0 && d <= limit {
		byLetters = 1 - float64(d)/float64(max(len(l.norm), len(norm)))
	}
	return max(byParts, byLetters)
}
