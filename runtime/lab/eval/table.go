package eval

import (
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Show formats a run for people and, if before is not nil, the changes since that run. misses
// lists the missed questions, md selects Markdown tables.
func Show(r *Run, before *Run, misses, md bool) string {
	w := &writer{md: md}
	w.paragraph(title(r))
	if t := figures(r.Groups); len(t) > 1 {
		w.table(t)
	}
	for _, g := range r.Groups {
		if g.Right != nil {
			w.paragraph(fmt.Sprintf("absent: %.0f of %d answered as not found (right %.3f)", *g.Right*float64(g.N), g.N, *g.Right))
		}
	}
	w.table(costs(r.Groups))
	if len(r.Levels) > 1 {
		w.paragraph("What a confidence is worth, over the answers that name a place:")
		w.table(levels(r.Levels))
	}
	if before != nil {
		w.comparison(r, before)
	}
	if misses {
		w.misses(r.Misses())
	}
	for _, c := range first(r.Failed(), 10) {
		w.paragraph(fmt.Sprintf("failed: %s: %s", c.ID, c.Failed))
	}
	if n := r.Unresolved(); n > 0 {
		w.paragraph(fmt.Sprintf("%s do not resolve; that is a defect, please report it", plural(n, "reference")))
	}
	return strings.TrimLeft(w.b.String(), "\n")
}

func title(r *Run) string {
	what := plural(len(r.Cases), "question")
	switch {
	case r.Choice.Cases:
		what += " from a file"
	case r.Looked.Usable > 0:
		what += fmt.Sprintf(", drawn from %s of %d looked at", plural(r.Looked.Usable, "usable commit"), r.Looked.Commits)
	}
	return fmt.Sprintf("%s;\ntool %s, configuration %.12s, seed %d", what, r.Tool, r.Config, r.Choice.Seed)
}

// figures returns the table of results, costs the table of costs: two tables, so that neither
// is wider than a terminal.
func figures(groups []Group) [][]string {
	rows := [][]string{{"found", "n", "hit@1", "hit@5", "hit@10", "mrr", "rec@10", "line@1", "line@5", "line@10"}}
	for _, g := range groups {
		row := []string{shown(g.Name), fmt.Sprint(g.N), share(g.Hit1), share(g.Hit5), share(g.Hit10), share(g.MRR), share(g.Recall10),
			share(g.Line1), share(g.Line5), share(g.Line10)}
		if g.Right == nil {
			rows = append(rows, row)
		}
	}
	return rows
}

func costs(groups []Group) [][]string {
	rows := [][]string{{"cost", "tokens", "p95", "gold/1k", "seconds", "p95", "not found", "failed", "unresolved"}}
	for _, g := range groups {
		per := "-"
		if g.Right == nil {
			per = fmt.Sprintf("%.2f", g.GoldPer1k)
		}
		rows = append(rows, []string{shown(g.Name), fmt.Sprint(g.Tokens), fmt.Sprint(g.TokensP95), per, fmt.Sprintf("%.2f", g.Seconds),
			fmt.Sprintf("%.2f", g.SecondsP95), fmt.Sprint(g.NotFound), fmt.Sprint(g.Failed), fmt.Sprint(g.Unresolved)})
	}
	return rows
}

func shown(group string) string {
	switch group {
	case ProseOnly:
		return "  prose only"
	case WithIdentifier:
		return "  identifier"
	}
	return group
}

func levels(list []Level) [][]string {
	rows := [][]string{{"confidence", "n", "hit@1", "hit@5"}}
	for _, l := range list {
		rows = append(rows, []string{l.Confidence, fmt.Sprint(l.N), share(&l.Hit1), share(&l.Hit5)})
	}
	return rows
}

func share(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", *v)
}

func (w *writer) comparison(now, before *Run) {
	rows := Compare(before.Cases, now.Cases)
	if len(rows) == 0 {
		w.paragraph("The two runs have no question in common.")
		return
	}
	w.paragraph("Against the earlier run, question by question. p is the chance of so\nuneven a split if nothing had changed:")
	if before.Config == now.Config {
		w.paragraph("The configuration is the same in both.")
	}
	out := [][]string{{"group", "measure", "n", "was", "now", "higher", "lower", "p"}}
	same := 0
	for _, r := range rows {
		if r.Higher+r.Lower == 0 {
			same++
			continue
		}
		form := "%.3f"
		if r.Measure == "tokens" {
			form = "%.0f"
		}
		out = append(out, []string{r.Group, r.Measure, fmt.Sprint(r.N), fmt.Sprintf(form, r.Was), fmt.Sprintf(form, r.Now),
			fmt.Sprint(r.Higher), fmt.Sprint(r.Lower), fmt.Sprintf("%.3f", r.P)})
	}
	if len(out) > 1 {
		w.table(out)
	}
	if same > 0 {
		w.paragraph(fmt.Sprintf("%s the same for every question.", plural(same, "figure")))
	}
}

func (w *writer) misses(list []Result) {
	if len(list) == 0 {
		w.paragraph("No question was missed.")
		return
	}
	w.paragraph(fmt.Sprintf("Missed (%d): no right file among the first five; a definition not first; a place named for what is absent.", len(list)))
	for _, c := range list {
		rank := "not named"
		if c.Rank > 0 {
			rank = fmt.Sprintf("at %d", c.Rank)
		}
		text := fmt.Sprintf("%s  %s", c.ID, sanitize.Brief(c.Question, 160))
		if c.Kind != Absent {
			text += fmt.Sprintf("\n    right:  %s (%s)", strings.Join(c.Gold, ", "), rank)
		}
		answer := strings.Join(first(c.References, 3), ", ")
		if answer == "" {
			answer = "not found"
		}
		w.item(text + "\n    answer: " + answer)
	}
}

func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
