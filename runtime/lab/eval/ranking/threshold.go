package ranking

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Threshold is the least that a measure of a run must reach.
type Threshold struct {
	Run, Measure string
	Least        float64
}

// Fused is the run of all legs with the requested weights.
const Fused = "fused"

// Expanded is the fused run with words added to the queries.
const Expanded = "expanded"

// Judged is the fused run of a collection with the verdicts of its judge.
const Judged = "judged"

// short maps other names of measures to the names in Measures.
var short = map[string]string{"ndcg": "ndcg@10", "recall": "recall@10", "hit": "hit@10", "mrr": "mrr@10"}

// ParseThreshold parses "ndcg@10=0.3" or "bm25.ndcg@10=0.3". Case is ignored, @10 can be left
// out, and without a run it is the fused one.
func ParseThreshold(s string) (Threshold, error) {
	what, number, ok := strings.Cut(s, "=")
	if !ok {
		return Threshold{}, fmt.Errorf("threshold %q: want [run.]measure=number, as in ndcg@10=0.3", s)
	}
	t := Threshold{Run: Fused, Measure: strings.ToLower(what)}
	if run, measure, named := strings.Cut(t.Measure, "."); named {
		t.Run, t.Measure = run, measure
	}
	if long, ok := short[t.Measure]; ok {
		t.Measure = long
	}
	if !slices.Contains(Measures, t.Measure) {
		return t, fmt.Errorf("threshold %q: measure %q: want one of %s", s, t.Measure, strings.Join(Measures, ", "))
	}
	var err error
	if t.Least, err = strconv.ParseFloat(number, 64); err != nil || !(t.Least >= 0 && t.Least <= 1) {
		return t, fmt.Errorf("threshold %q: %q is not a number from 0 to 1", s, number)
	}
	return t, nil
}

// Missed says in words why the runs over a suite do not meet a threshold, or returns "" if
// they do. A run that was not made does not meet it.
func (t Threshold) Missed(suite string, rows []Row) string {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Run == t.Run })
	if i < 0 {
		var runs []string
		for _, r := range rows {
			runs = append(runs, r.Run)
		}
		return fmt.Sprintf("%s: there is no run %s; there are %s", suite, t.Run, strings.Join(runs, ", "))
	}
	if v := rows[i].Mean.Values()[slices.Index(Measures, t.Measure)]; v < t.Least {
		return fmt.Sprintf("%s: %s of %s is %.4f, less than %g", suite, t.Measure, t.Run, v, t.Least)
	}
	return ""
}
