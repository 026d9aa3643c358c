package quotes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Measures are the measures that may have a threshold. Denied, calls, tokens and times have
// none, since less of them is better.
var Measures = []string{"nuggets", "answered", "honest", "right"}

// Threshold is the least that a measure of the composed answers must reach.
type Threshold struct {
	Measure string
	Least   float64
}

// ParseThreshold parses a threshold such as "right=1".
func ParseThreshold(s string) (t Threshold, err error) {
	what, number, ok := strings.Cut(s, "=")
	if !ok {
		return t, fmt.Errorf("threshold %q: want measure=number, as in right=1", s)
	}
	if t.Measure = strings.ToLower(what); !slices.Contains(Measures, t.Measure) {
		return t, fmt.Errorf("threshold %q: measure %q: want one of %s", s, t.Measure, strings.Join(Measures, ", "))
	}
	if t.Least, err = strconv.ParseFloat(number, 64); err != nil || !(t.Least >= 0 && t.Least <= 1) {
		return t, fmt.Errorf("threshold %q: %q is not a number from 0 to 1", s, number)
	}
	return t, nil
}

// Missed says in words why a row does not meet a threshold, or returns "" if it does. A
// measure for which nothing was asked is 0, so it meets no threshold above 0.
func (t Threshold) Missed(r Row) string {
	v := map[string]float64{"nuggets": r.Nuggets, "answered": r.Answered, "honest": r.Honest, "right": r.Right}[t.Measure]
	if v >= t.Least {
		return ""
	}
	return fmt.Sprintf("%s of %s is %.4f, less than %g", t.Measure, r.Method, v, t.Least)
}
