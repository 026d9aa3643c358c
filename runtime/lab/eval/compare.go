package eval

import (
	"math"
	"slices"
)

// Row compares one measure of one group between two runs.
type Row struct {
	Group   string  `json:"group"`
	Measure string  `json:"measure"`
	N       int     `json:"n"` // cases in both
	Was     float64 `json:"was"`
	Now     float64 `json:"now"`
	Higher  int     `json:"higher"`
	Lower   int     `json:"lower"`
	P       float64 `json:"p"` // probability of a split at least as uneven by chance
}

// compared lists the measures shown for a group, if they are defined for it.
var compared = []string{"hit1", "hit5", "hit10", "mrr", "recall10", "line1", "line5", "line10", "right", "tokens"}

// Compare pairs two runs by the ids of their cases. A case whose question, parent or gold
// files have changed is another case, and is left out, as are those that only one run has.
func Compare(before, now []Result) []Row {
	old := map[string]Result{}
	for _, r := range before {
		old[r.ID] = r
	}
	var rows []Row
	for _, m := range members {
		var was, is []Result
		for _, r := range now {
			if o, ok := old[r.ID]; ok && m.has(r) && o.Question == r.Question && o.Parent == r.Parent && slices.Equal(o.Gold, r.Gold) {
				was, is = append(was, o), append(is, r)
			}
		}
		for _, name := range compared {
			if row, ok := comparePair(m.name, name, was, is); ok {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func comparePair(group, name string, was, is []Result) (Row, bool) {
	m, _ := measureOf(name)
	row := Row{Group: group, Measure: name}
	for i := range is {
		a, ok1 := m.of(was[i])
		b, ok2 := m.of(is[i])
		if !ok1 || !ok2 {
			continue
		}
		row.N++
		row.Was, row.Now = row.Was+a, row.Now+b
		switch {
		case b > a:
			row.Higher++
		case b < a:
			row.Lower++
		}
	}
	if row.N == 0 {
		return row, false
	}
	row.Was, row.Now = row.Was/float64(row.N), row.Now/float64(row.N)
	row.P = SignTest(row.Higher, row.Lower)
	return row, true
}

// SignTest returns the two-sided exact probability of a split at least as uneven as higher
// against lower when both are equally likely.
func SignTest(higher, lower int) float64 {
	n, k := higher+lower, min(higher, lower)
	if n == 0 {
		return 1
	}
	sum := 0.0
	for i := 0; i <= k; i++ {
		sum += math.Exp(logChoose(n, i) - float64(n)*math.Ln2)
	}
	return min(1, 2*sum)
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}
