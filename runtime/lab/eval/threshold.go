package eval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Threshold is the least that a measure must reach.
type Threshold struct {
	Group, Measure string
	Least          float64
}

// ParseThreshold parses "hit5=0.8" or "prose.hit5=0.8". Without a group the measure is the
// one of history, except right, which only absent has.
func ParseThreshold(s string) (Threshold, error) {
	what, value, ok := strings.Cut(s, "=")
	if !ok {
		return Threshold{}, fmt.Errorf("threshold %q: want [group.]measure=number, as in hit5=0.8", s)
	}
	t := Threshold{Group: History, Measure: what}
	if group, measure, named := strings.Cut(what, "."); named {
		t.Group, t.Measure = group, measure
	} else if what == "right" {
		t.Group = Absent
	}
	var groups, names []string
	for _, m := range members {
		groups = append(groups, m.name)
	}
	for _, m := range measures {
		if !m.less {
			names = append(names, m.name)
		}
	}
	if !slices.Contains(groups, t.Group) {
		return t, fmt.Errorf("threshold %q: group %q: want one of %s", s, t.Group, strings.Join(groups, ", "))
	}
	if !slices.Contains(names, t.Measure) {
		return t, fmt.Errorf("threshold %q: measure %q: want one of %s", s, t.Measure, strings.Join(names, ", "))
	}
	var err error
	if t.Least, err = strconv.ParseFloat(value, 64); err != nil || t.Least < 0 || t.Least > 1 {
		return t, fmt.Errorf("threshold %q: %q is not a number from 0 to 1", s, value)
	}
	return t, nil
}

// Missed says in words why a threshold is not met, or returns "" if it is. A threshold is not
// met if nothing was measured for it.
func (t Threshold) Missed(all []Result) string {
	i := slices.IndexFunc(members, func(m member) bool { return m.name == t.Group })
	m, _ := measureOf(t.Measure)
	v, n := m.mean(filterResults(all, members[i].has))
	switch {
	case n == 0:
		return fmt.Sprintf("%s %s was not measured: no such question was asked", t.Group, t.Measure)
	case v < t.Least:
		return fmt.Sprintf("%s %s is %.3f, less than %g (%d questions)", t.Group, t.Measure, v, t.Least, n)
	}
	return ""
}
