package summaries

import (
	"fmt"
	"strconv"
)

// Against compares the anchored share with the one of an earlier run, over the cases that
// both have: a row for each budget.
func (run *Run) Against(before *Run) (rows [][]string) {
	type key struct {
		id     string
		budget int
	}
	was := map[key]Result{}
	for _, r := range before.Results {
		was[key{r.ID, r.Budget}] = r
	}
	for _, budget := range run.Budgets() {
		var old, now []Result
		better, worse := 0, 0
		for _, r := range run.Results {
			b, ok := was[key{r.ID, r.Budget}]
			if r.Budget != budget || !ok {
				continue
			}
			old, now = append(old, b), append(now, r)
			switch x, y := r.Anch*b.Needed, b.Anch*r.Needed; {
			case x > y:
				better++
			case x < y:
				worse++
			}
		}
		rows = append(rows, []string{"", strconv.Itoa(budget), strconv.Itoa(len(now)), fmt.Sprintf("%.3f", Sum(old).Anch), fmt.Sprintf("%.3f", Sum(now).Anch),
			strconv.Itoa(better), strconv.Itoa(worse)})
	}
	return rows
}
