package summaries

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Run holds the results of one evaluation.
type Run struct {
	Config  string   `json:"config,omitempty"` // hash of the configuration; "" for summaries that were made elsewhere
	Results []Result `json:"results"`
}

// Total holds the means over results.
type Total struct {
	Cases  int     `json:"cases"`
	Needed int     `json:"needed"`
	Anch   float64 `json:"anch"`
	Macro  float64 `json:"macro"`
	Micro  float64 `json:"micro"`
	All    float64 `json:"all"`
	Parts  float64 `json:"parts"`
	Faith  float64 `json:"faith"`
	Whole  float64 `json:"whole"`
	Over   float64 `json:"over"`
	Tokens float64 `json:"tokens"`
}

// Sum returns the means over results.
func Sum(list []Result) Total {
	t := Total{Cases: len(list)}
	kept, told := 0, 0
	for _, r := range list {
		n := float64(r.Needed)
		t.Needed, kept = t.Needed+r.Needed, kept+r.Kept
		t.Anch += float64(r.Anch) / n
		t.Macro += float64(r.Kept) / n
		t.Parts += float64(r.Parts) / n
		t.All += boolShare(r.Kept == r.Needed)
		t.Whole += boolShare(len(r.Foreign) == 0)
		t.Over += boolShare(r.Over)
		t.Tokens += float64(r.Bytes) / bytesPerToken
		if r.Idents > 0 {
			told++
			t.Faith += 1 - float64(len(r.Foreign))/float64(r.Idents)
		}
	}
	for _, v := range []*float64{&t.Anch, &t.Macro, &t.Parts, &t.All, &t.Whole, &t.Over, &t.Tokens} {
		*v /= float64(max(1, len(list)))
	}
	t.Faith /= float64(max(1, told))
	t.Micro = float64(kept) / float64(max(1, t.Needed))
	return t
}

func boolShare(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Budgets returns the budgets of a run, the smallest first.
func (run *Run) Budgets() (out []int) {
	for _, r := range run.Results {
		if !slices.Contains(out, r.Budget) {
			out = append(out, r.Budget)
		}
	}
	slices.Sort(out)
	return out
}

// Groups returns the results of a run at a budget: all of them under "", and the results of each key.
func (run *Run) Groups(budget int, key func(Result) string) (names []string, groups map[string][]Result) {
	groups = map[string][]Result{}
	for _, r := range run.Results {
		if r.Budget == budget {
			groups[""] = append(groups[""], r)
			groups[key(r)] = append(groups[key(r)], r)
			if k := key(r); !slices.Contains(names, k) {
				names = append(names, k)
			}
		}
	}
	slices.Sort(names)
	return names, groups
}

// Rows returns the table of a run at a budget.
func (run *Run) Rows(budget int, key func(Result) string) [][]string {
	names, groups := run.Groups(budget, key)
	rows := [][]string{{"", "cases", "needed", "anch", "macro", "micro", "all", "parts", "faith", "whole", "tokens"}, tableRow("all", Sum(groups[""]))}
	for _, n := range names {
		if n != "" && len(names) > 1 {
			rows = append(rows, tableRow(n, Sum(groups[n])))
		}
	}
	return rows
}

func tableRow(name string, t Total) []string {
	out := []string{name, strconv.Itoa(t.Cases), strconv.Itoa(t.Needed)}
	for _, v := range []float64{t.Anch, t.Macro, t.Micro, t.All, t.Parts, t.Faith, t.Whole} {
		out = append(out, fmt.Sprintf("%.3f", v))
	}
	return append(out, fmt.Sprintf("%.0f", t.Tokens))
}

// Worst returns the n results that lost most, the worst first.
func (run *Run) Worst(n int) []Result {
	list := slices.Clone(run.Results)
	slices.SortStableFunc(list, func(a, b Result) int { return a.Kept*b.Needed - b.Kept*a.Needed })
	list = slices.DeleteFunc(list, func(r Result) bool { return r.Kept == r.Needed && len(r.Foreign) == 0 })
	return list[:min(n, len(list))]
}

// Least is what a measure must reach at each budget, or at one, over all cases or those
// of one kind: "anch=0.8", "1000.anch=0.82", "1000.log.anch=0.85".
type Least struct {
	Budget  int    // 0 for each
	Kind    string // "" for all
	Measure string
	Value   float64
}

// measures lists the measures that can have a least value.
var measures = []struct {
	name string
	of   func(Total) float64
}{
	{"anch", func(t Total) float64 { return t.Anch }}, {"macro", func(t Total) float64 { return t.Macro }}, {"micro", func(t Total) float64 { return t.Micro }},
	{"all", func(t Total) float64 { return t.All }}, {"parts", func(t Total) float64 { return t.Parts }}, {"faith", func(t Total) float64 { return t.Faith }},
	{"whole", func(t Total) float64 { return t.Whole }},
}

// ParseLeast parses a measure and the value that it must reach.
func ParseLeast(s string) (l Least, err error) {
	what, value, ok := strings.Cut(s, "=")
	if l.Value, err = strconv.ParseFloat(value, 64); err != nil || !ok || l.Value < 0 || l.Value > 1 {
		return l, fmt.Errorf("%q: want a measure and a number from 0 to 1, as in anch=0.8 or 1000.anch=0.82", s)
	}
	parts := strings.Split(what, ".")
	l.Measure = parts[len(parts)-1]
	if parts = parts[:len(parts)-1]; len(parts) > 0 {
		if budget, err := strconv.Atoi(parts[0]); err == nil {
			l.Budget, parts = budget, parts[1:]
		}
	}
	if l.Kind = strings.Join(parts, "."); strings.Contains(l.Kind, ".") {
		return l, fmt.Errorf("%q: want [budget.][kind.]measure=least, as in 1000.log.anch=0.85", s)
	}
	var names []string
	for _, m := range measures {
		names = append(names, m.name)
	}
	if !slices.Contains(names, l.Measure) {
		return l, fmt.Errorf("%q: measure %q: want one of %s", s, l.Measure, strings.Join(names, ", "))
	}
	return l, nil
}

// Missed says in words where a least value is not reached, or returns "" if it is reached.
func (l Least) Missed(run *Run) string {
	seen, of, group := false, "", ""
	if l.Kind != "" {
		of, group = " of "+l.Kind, "."+l.Kind
	}
	for _, b := range run.Budgets() {
		_, groups := run.Groups(b, func(r Result) string { return "." + r.Kind })
		list := groups[group]
		if l.Budget != 0 && l.Budget != b || len(list) == 0 {
			continue
		}
		seen = true
		for _, m := range measures {
			if v := m.of(Sum(list)); m.name == l.Measure && v < l.Value {
				return fmt.Sprintf("%s%s at %d tokens is %.3f, less than %g", l.Measure, of, b, v, l.Value)
			}
		}
	}
	if seen {
		return ""
	}
	if l.Budget == 0 {
		return l.Measure + of + " was not measured"
	}
	return fmt.Sprintf("%s%s at %d tokens was not measured", l.Measure, of, l.Budget)
}
