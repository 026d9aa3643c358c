package eval

import (
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Show formats a run for people and, if before is not nil, the changes since that run. misses
// lists the missed questions, md selects Markdown tables.
func Show(r *Run, before *Run, misses, md bool) string {
	w := &writer{md: md}
	w.paragraph(describeRun(r))
	if t := figureRows(r.Groups); len(t) > 1 {
		w.table(t)
	}
	for _, g := range r.Groups {
		if g.Right != nil {
			w.paragraph(fmt.Sprintf("absent: %.0f of %d answered as not found (right %.3f)", *g.Right*float64(g.N), g.N, *g.Right))
		}
	}
	w.table(costRows(r.Groups))
	if len(r.Levels) > 1 {
		w.paragraph("What a confidence is worth, over the answers that name a place:")
		w.table(levelRows(r.Levels))
	}
	if before != nil {
		w.writeComparison(r, before)
	}
	if misses {
		w.writeMisses(r.Misses())
	}
	for _, c := range first(r.Failed(), 10) {
		w.paragraph(fmt.Sprintf("failed: %s: %s", c.ID, c.Failed))
	}
	if n := r.Unresolved(); n > 0 {
		w.paragraph(fmt.Sprintf("%s do not resolve; that is a defect, please report it", words.Count(n, "reference")))
	}
	return strings.TrimLeft(w.b.String(), "\n")
}

func describeRun(r *Run) string {
	what := words.Count(len(r.Cases), "question")
	switch {
	case r.Choice.Cases:
		what += " from a file"
	case r.Looked.Usable > 0:
		what += fmt.Sprintf(", drawn from %s of %d looked at", words.Count(r.Looked.Usable, "usable commit"), r.Looked.Commits)
	}
	return fmt.Sprintf("%s;\ntool %s, configuration %.12s, seed %d", what, r.Tool, r.Config, r.Choice.Seed)
}

// figureRows returns the table of results, costs the table of costs: two tables, so that neither
// is wider than a terminal.
func figureRows(groups []Group) [][]string {
	rows := [][]string{{"found", "n", "hit@1", "hit@5", "hit@10", "mrr", "rec@10", "line@1", "line@5", "line@10"}}
	for _, g := range groups {
		row := []string{groupLabel(g.Name), fmt.Sprint(g.N), formatShare(g.Hit1), formatShare(g.Hit5), formatShare(g.Hit10), formatShare(g.MRR), formatShare(g.Recall10),
			formatShare(g.Line1), formatShare(g.Line5), formatShare(g.Line10)}
		if g.Right == nil {
			rows = append(rows, row)
		}
	}
	return rows
}

func costRows(groups []Group) [][]string {
	rows := [][]string{{"cost", "tokens", "p95", "gold/1k", "seconds", "p95", "not found", "failed", "unresolved"}}
	for _, g := range groups {
		per := "-"
		if g.Right == nil {
			per = fmt.Sprintf("%.2f", g.GoldPer1k)
		}
		rows = append(rows, []string{groupLabel(g.Name), fmt.Sprint(g.Tokens), fmt.Sprint(g.TokensP95), per, fmt.Sprintf("%.2f", g.Seconds),
			fmt.Sprintf("%.2f", g.SecondsP95), fmt.Sprint(g.NotFound), fmt.Sprint(g.Failed), fmt.Sprint(g.Unresolved)})
	}
	return rows
}

func groupLabel(group string) string {
	switch group {
	case ProseOnly:
		return "  prose only"
	case WithIdentifier:
		return "  identifier"
	}
	return group
}

func levelRows(list []Level) [][]string {
	rows := [][]string{{"confidence", "n", "hit@1", "hit@5"}}
	for _, l := range list {
		rows = append(rows, []string{l.Confidence, fmt.Sprint(l.N), formatShare(&l.Hit1), formatShare(&l.Hit5)})
	}
	return rows
}

func formatShare(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", *v)
}

func (w *writer) writeComparison(now, before *Run) {
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
		w.paragraph(fmt.Sprintf("%s the same for every question.", words.Count(same, "figure")))
	}
}

func (w *writer) writeMisses(list []Result) {
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
