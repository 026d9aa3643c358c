package answers

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lab/eval"
)

// Run holds the results of one evaluation.
type Run struct {
	Tool    string   `json:"tool"`
	Config  string   `json:"config"` // hash of the configuration
	Results []Result `json:"results"`
}

// measure is one column.
type measure struct {
	name string
	of   func(Result) *float64
}

var measures = []measure{
	{"nuggets", func(r Result) *float64 { return r.Nuggets }},
	{"answered", func(r Result) *float64 { return r.Answered }},
	{"hit@1", func(r Result) *float64 { return r.Hit1 }},
	{"hit@3", func(r Result) *float64 { return r.Hit3 }},
	{"hit@5", func(r Result) *float64 { return r.Hit5 }},
	{"honest", func(r Result) *float64 { return r.Honest }},
	{"denied", func(r Result) *float64 { return r.Denied }},
}

func mean(list []Result, of func(Result) *float64) (float64, int) {
	sum, n := 0.0, 0
	for _, r := range list {
		if v := of(r); v != nil {
			sum, n = sum+*v, n+1
		}
	}
	return sum / float64(max(n, 1)), n
}

// Rows returns the table of a run: all cases, then each kind and, if there are several, each
// repository.
func (run *Run) Rows() [][]string {
	head := []string{"", "n"}
	for _, m := range measures {
		head = append(head, m.name)
	}
	rows := [][]string{append(head, "tokens", "wrong")}
	rows = append(rows, tableRow("all", run.Results))
	for _, by := range []func(Result) string{func(r Result) string { return r.Kind }, func(r Result) string { return r.Repo }} {
		groups := map[string][]Result{}
		var names []string
		for _, r := range run.Results {
			if groups[by(r)] == nil {
				names = append(names, by(r))
			}
			groups[by(r)] = append(groups[by(r)], r)
		}
		if len(names) < 2 {
			continue
		}
		slices.Sort(names)
		for _, name := range names {
			rows = append(rows, tableRow(name, groups[name]))
		}
	}
	return rows
}

func tableRow(name string, list []Result) []string {
	out := []string{name, fmt.Sprint(len(list))}
	for _, m := range measures {
		out = append(out, formatFigure(mean(list, m.of)))
	}
	tokens, wrong := 0, 0
	for _, r := range list {
		tokens += r.Tokens
		if len(r.Forbidden) > 0 {
			wrong++
		}
	}
	return append(out, fmt.Sprint(tokens/max(len(list), 1)), fmt.Sprint(wrong))
}

func formatFigure(v float64, n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", v)
}

// Confidence returns a table of how often the first reference is right, by confidence; for an
// unanswerable question it never is.
func (run *Run) Confidence() [][]string {
	rows := [][]string{{"confidence", "n", "first right", "nuggets"}}
	for _, level := range []string{"high", "med", "low"} {
		n, right, said := 0, 0.0, 0.0
		for _, r := range run.Results {
			if r.Confidence != level || r.Failed != "" {
				continue
			}
			n++
			right += orZero(r.Hit1)
			said += orZero(r.Nuggets)
		}
		if n > 0 {
			rows = append(rows, []string{level, fmt.Sprint(n), formatFigure(right/float64(n), n), formatFigure(said/float64(n), n)})
		}
	}
	return rows
}

func orZero(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

// Against compares a run with an earlier one over the same questions: how many are better,
// how many worse, and the chance of a split at least as uneven if nothing has changed.
func (run *Run) Against(before *Run) [][]string {
	old := map[string]Result{}
	for _, r := range before.Results {
		old[r.ID] = r
	}
	rows := [][]string{{"against before", "n", "was", "now", "better", "worse", "p"}}
	for _, m := range measures {
		n, up, down, was, now := 0, 0, 0, 0.0, 0.0
		for _, r := range run.Results {
			o, ok := old[r.ID]
			a, b := m.of(o), m.of(r)
			if !ok || o.Question != r.Question || a == nil || b == nil {
				continue
			}
			n++
			was, now = was+*a, now+*b
			better := *b > *a
			if m.name == "denied" {
				better = *b < *a
			}
			switch {
			case math.Abs(*b-*a) < 1e-9:
			case better:
				up++
			default:
				down++
			}
		}
		if n > 0 {
			rows = append(rows, []string{m.name, fmt.Sprint(n), formatFigure(was/float64(n), n), formatFigure(now/float64(n), n), fmt.Sprint(up), fmt.Sprint(down),
				fmt.Sprintf("%.3f", eval.SignTest(up, down))})
		}
	}
	return rows
}

// Show formats one case with its reply, for reading.
func (r Result) Show() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s\n", r.ID, r.Kind, r.Question)
	if r.Failed != "" {
		fmt.Fprintf(&b, "failed: %s\n", r.Failed)
	}
	for _, m := range r.Missed {
		fmt.Fprintf(&b, "not said: %s\n", m)
	}
	for _, f := range r.Forbidden {
		fmt.Fprintf(&b, "wrong: %s\n", f)
	}
	for line := range strings.Lines(strings.TrimRight(r.Reply, "\n") + "\n") {
		b.WriteString("  " + line)
	}
	return b.String()
}
