package eval

import "slices"

// Place is a parsed reference.
type Place struct {
	Path string
	Line int // 0 for a file as a whole
}

// Answer is the reply to a question.
type Answer struct {
	References []Place
	Confidence string
	Tokens     int     // of the whole reply
	Seconds    float64 // wall clock
	Unresolved int     // references to no file, or past its end
	Failed     string  // why there is no reply
}

// Result is a case with its outcome.
type Result struct {
	Case
	Rank       int      `json:"rank"`               // of the first gold file among the files named; 0 when none is
	LineRank   int      `json:"lineRank,omitempty"` // of the first reference into the right lines; 0 when none is
	Found      int      `json:"found"`              // gold files among the first ten
	References []string `json:"references"`         // of the answer, the first ten
	Answered   bool     `json:"answered"`           // some place is named
	Confidence string   `json:"confidence,omitempty"`
	Tokens     int      `json:"tokens"`
	Seconds    float64  `json:"seconds"`
	Unresolved int      `json:"unresolved"`
	Failed     string   `json:"failed,omitempty"`
}

// depth is how many files count for found and recall, and how many references are kept.
const depth = 10

// Score scores the answer to a case.
func Score(c Case, a Answer) Result {
	r := Result{Case: c, References: []string{}, Answered: len(a.References) > 0, Confidence: a.Confidence,
		Tokens: a.Tokens, Seconds: a.Seconds, Unresolved: a.Unresolved, Failed: a.Failed}
	if r.Gold == nil {
		r.Gold = []string{}
	}
	known := c.Known()
	var files []string
	for i, p := range a.References {
		if i < depth {
			r.References = append(r.References, p.String())
		}
		if r.LineRank == 0 && p.Line > 0 && inRanges(known[p.Path], p.Line) {
			r.LineRank = i + 1
		}
		if slices.Contains(files, p.Path) {
			continue
		}
		files = append(files, p.Path)
		if slices.Contains(c.Gold, p.Path) {
			if r.Rank == 0 {
				r.Rank = len(files)
			}
			if len(files) <= depth {
				r.Found++
			}
		}
	}
	return r
}

func inRanges(ranges []Range, line int) bool {
	return slices.ContainsFunc(ranges, func(r Range) bool { return r[0] <= line && line <= r[1] })
}

// measure computes one figure of a result. It is undefined for some results.
type measure struct {
	name string
	of   func(Result) (float64, bool)
	less bool // less is better
}

func hitWithin(rank, k int) float64 {
	if rank > 0 && rank <= k {
		return 1
	}
	return 0
}

func hitAt(k int) func(Result) (float64, bool) {
	return func(r Result) (float64, bool) { return hitWithin(r.Rank, k), r.Kind != Absent }
}

func lineAt(k int) func(Result) (float64, bool) {
	return func(r Result) (float64, bool) {
		return hitWithin(r.LineRank, k), r.Kind != Absent && len(r.Known()) > 0
	}
}

// measures lists all figures that are averaged over results, under the names that thresholds
// and comparisons use.
var measures = []measure{
	{name: "hit1", of: hitAt(1)}, {name: "hit5", of: hitAt(5)}, {name: "hit10", of: hitAt(10)},
	{name: "mrr", of: func(r Result) (float64, bool) {
		if r.Rank == 0 {
			return 0, r.Kind != Absent
		}
		return 1 / float64(r.Rank), r.Kind != Absent
	}},
	{name: "recall10", of: func(r Result) (float64, bool) {
		return float64(r.Found) / float64(max(1, len(r.Gold))), r.Kind != Absent
	}},
	{name: "line1", of: lineAt(1)}, {name: "line5", of: lineAt(5)}, {name: "line10", of: lineAt(10)},
	{name: "right", of: func(r Result) (float64, bool) {
		if r.Answered || r.Failed != "" {
			return 0, r.Kind == Absent
		}
		return 1, r.Kind == Absent
	}},
	{name: "tokens", of: func(r Result) (float64, bool) { return float64(r.Tokens), true }, less: true},
}

func measureOf(name string) (measure, bool) {
	i := slices.IndexFunc(measures, func(m measure) bool { return m.name == name })
	if i < 0 {
		return measure{}, false
	}
	return measures[i], true
}

// mean returns the measure's mean over the results for which it is defined, and their number.
func (m measure) mean(list []Result) (float64, int) {
	sum, n := 0.0, 0
	for _, r := range list {
		if v, ok := m.of(r); ok {
			sum += v
			n++
		}
	}
	if n == 0 {
		return 0, 0
	}
	return sum / float64(n), n
}
