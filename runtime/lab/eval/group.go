package eval

import (
	"math"
	"slices"
)

// Group holds the figures of some results. A figure that is undefined for the group is nil.
type Group struct {
	Name     string   `json:"name"`
	N        int      `json:"n"`
	Hit1     *float64 `json:"hit1,omitempty"`
	Hit5     *float64 `json:"hit5,omitempty"`
	Hit10    *float64 `json:"hit10,omitempty"`
	MRR      *float64 `json:"mrr,omitempty"`
	Recall10 *float64 `json:"recall10,omitempty"`
	LinesOf  int      `json:"linesOf,omitempty"` // cases whose lines are known
	Line1    *float64 `json:"line1,omitempty"`
	Line5    *float64 `json:"line5,omitempty"`
	Line10   *float64 `json:"line10,omitempty"`
	Right    *float64 `json:"right,omitempty"`

	NotFound   int     `json:"notFound"`   // answers without a place
	Unresolved int     `json:"unresolved"` // references that do not resolve
	Failed     int     `json:"failed"`
	Tokens     int     `json:"tokens"`          // median
	TokensP95  int     `json:"tokensP95"`       // 95th percentile
	GoldPer1k  float64 `json:"goldPer1kTokens"` // right files for each 1,000 tokens
	Seconds    float64 `json:"seconds"`         // median
	SecondsP95 float64 `json:"secondsP95"`      // 95th percentile
}

// The groups within history.
const (
	ProseOnly      = "prose"
	WithIdentifier = "identifier"
)

// member says which results a group has.
type member struct {
	name string
	has  func(Result) bool
}

var members = []member{
	{History, func(r Result) bool { return r.Kind == History }},
	{ProseOnly, func(r Result) bool { return r.Kind == History && r.Prose() }},
	{WithIdentifier, func(r Result) bool { return r.Kind == History && r.hasTag(TagIdentifier) }},
	{Definition, func(r Result) bool { return r.Kind == Definition }},
	{Absent, func(r Result) bool { return r.Kind == Absent }},
}

// Groups returns the figures by group; groups without a result are left out.
func Groups(all []Result) []Group {
	var out []Group
	for _, m := range members {
		if list := filterResults(all, m.has); len(list) > 0 {
			out = append(out, groupFigures(m.name, list))
		}
	}
	return out
}

func filterResults(all []Result, has func(Result) bool) []Result {
	var list []Result
	for _, r := range all {
		if has(r) {
			list = append(list, r)
		}
	}
	return list
}

func groupFigures(name string, list []Result) Group {
	g := Group{Name: name, N: len(list)}
	for field, of := range map[**float64]string{&g.Hit1: "hit1", &g.Hit5: "hit5", &g.Hit10: "hit10", &g.MRR: "mrr",
		&g.Recall10: "recall10", &g.Line1: "line1", &g.Line5: "line5", &g.Line10: "line10", &g.Right: "right"} {
		m, _ := measureOf(of)
		if v, n := m.mean(list); n > 0 {
			*field = &v
			if of == "line1" {
				g.LinesOf = n
			}
		}
	}
	var tokens, seconds []float64
	found, spent := 0, 0
	for _, r := range list {
		tokens, seconds = append(tokens, float64(r.Tokens)), append(seconds, r.Seconds)
		found, spent = found+r.Found, spent+r.Tokens
		g.Unresolved += r.Unresolved
		if r.Failed != "" {
			g.Failed++
		} else if !r.Answered {
			g.NotFound++
		}
	}
	g.Tokens, g.TokensP95 = int(Percentile(tokens, .5)), int(Percentile(tokens, .95))
	g.Seconds, g.SecondsP95 = Percentile(seconds, .5), Percentile(seconds, .95)
	if spent > 0 {
		g.GoldPer1k = 1000 * float64(found) / float64(spent)
	}
	return g
}

// Percentile returns the smallest value that a share (0..1) of all values do not exceed; the
// median of an even number of values is the mean of the two in the middle.
func Percentile(list []float64, share float64) float64 {
	if len(list) == 0 {
		return 0
	}
	v := slices.Sorted(slices.Values(list))
	if share == .5 && len(v)%2 == 0 {
		return (v[len(v)/2-1] + v[len(v)/2]) / 2
	}
	return v[min(len(v)-1, max(0, int(math.Ceil(share*float64(len(v))))-1))]
}

// Level says what the answers of one confidence were worth. An answer is right if a gold file
// is among the first five.
type Level struct {
	Confidence string  `json:"confidence"`
	N          int     `json:"n"`
	Hit1       float64 `json:"hit1"`
	Hit5       float64 `json:"hit5"`
}

// Levels lists the confidences of all answers that should name a place, the
// surest first.
func Levels(all []Result) []Level {
	by := map[string][]Result{}
	for _, r := range all {
		if r.Kind != Absent && r.Answered {
			by[r.Confidence] = append(by[r.Confidence], r)
		}
	}
	var out []Level
	for _, name := range []string{"high", "med", "low", ""} {
		if list := by[name]; len(list) > 0 {
			one, _ := hitMean(list, 1)
			five, _ := hitMean(list, 5)
			if name == "" {
				name = "not said"
			}
			out = append(out, Level{Confidence: name, N: len(list), Hit1: one, Hit5: five})
		}
	}
	return out
}

func hitMean(list []Result, k int) (float64, int) { return measure{of: hitAt(k)}.mean(list) }
