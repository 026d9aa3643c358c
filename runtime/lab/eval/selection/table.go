package selection

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Rows returns the table of the scores at one length, its head first. The rows for all sources
// together precede those of each source, by name.
func (r *Run) Rows(shown int) [][]string {
	rows := [][]string{{fmt.Sprintf("%d shown of %d", shown, r.Pool), "method", "sessions", "calls", "new calls", "all", "new", "cover", "start"}}
	var list []*Score
	for _, s := range r.Scores {
		if s.Shown == shown {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b *Score) int { return cmp.Compare(a.Source, b.Source) })
	for _, s := range list {
		rows = append(rows, []string{cmp.Or(s.Source, "all"), s.Method, strconv.Itoa(s.Sessions), strconv.Itoa(s.Steps), strconv.Itoa(s.NewSteps),
			s.All.String(), s.New.String(), s.Cover.String(), s.Start.String()})
	}
	return rows
}

// KeptRows returns the table of the lists that are changed only if that pays.
func (r *Run) KeptRows() [][]string {
	rows := [][]string{{"kept lists", "tools", "all", "cover", "start", "changes", "tokens read again", "always the best: changes", "tokens"}}
	for _, k := range r.Kept {
		rows = append(rows, []string{fmt.Sprintf("at most %d", k.Policy.Max), formatMean(k.Tools, 1), k.All.String(), k.Cover.String(), k.Start.String(),
			formatMean(k.Changes, 2), formatMean(k.Reread, 0), formatMean(k.Anew, 2), formatMean(k.AnewReread, 0)})
	}
	return rows
}

// Hidden returns the share of the tools that a list of a length leaves out.
func (r *Run) Hidden(shown int) float64 {
	return max(0, 1-float64(shown)/float64(max(1, r.Pool)))
}

// String formats the mean with three digits, "-" without values.
func (m Mean) String() string { return formatMean(m, 3) }

func formatMean(m Mean, digits int) string {
	if m.n == 0 {
		return "-"
	}
	return strconv.FormatFloat(m.Value(), 'f', digits, 64)
}

// MarshalJSON writes four digits, or null without values.
func (m Mean) MarshalJSON() ([]byte, error) {
	if m.n == 0 {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, m.Value(), 'f', 4, 64), nil
}

// Quantile returns the time that a share of all predictions took at most, or 0 if none was
// measured.
func (r *Run) Quantile(q float64) time.Duration {
	if len(r.times) == 0 {
		return 0
	}
	slices.Sort(r.times)
	return r.times[min(len(r.times)-1, int(q*float64(len(r.times))))]
}

// Notes returns all further remarks, one per line.
func (r *Run) Notes() []string {
	var out []string
	for _, n := range r.Shown {
		out = append(out, fmt.Sprintf("%d shown hides %.0f%% of %d tools", n, 100*r.Hidden(n), r.Pool))
	}
	if r.Also > 0 {
		out = append(out, fmt.Sprintf("learnt too: %d sessions of the profiles in learn_from", r.Also))
	}
	if len(r.times) > 0 {
		out = append(out, fmt.Sprintf("a prediction takes %s, 99 of 100 at most %s", formatMillis(r.Quantile(0.5)), formatMillis(r.Quantile(0.99))))
	}
	for i, w := range r.Fitted {
		out = append(out, fmt.Sprintf("weights of part %d: %s", i+1, w))
	}
	for _, u := range r.Rules {
		out = append(out, u.String())
	}
	if r.Rules != nil && len(r.Rules) == 0 {
		out = append(out, "toolRules would have hidden no tool that was used")
	}
	return out
}

func formatMillis(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/1e6, 'f', 2, 64) + " ms"
}
