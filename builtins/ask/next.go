package ask

import (
	"context"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// NextIn is the input of ask.next.
type NextIn struct {
	Parts  []Planned `json:"parts" doc:"parts of the question"`
	Steps  []Step    `json:"steps" doc:"steps taken so far, in order"`
	Enough string    `json:"enough" doc:"confidence from which a part is answered" default:"med" enum:"low,med,high"`
}

// Planned is a part of a question, and where it may be looked up.
type Planned struct {
	Part
	Sources []string `json:"sources" doc:"where to look, in this order"`
}

// Step is what was looked up where.
type Step struct {
	Part       string `json:"part" doc:"text of the part of the question"`
	Source     string `json:"source" doc:"one of its sources"`
	Confidence string `json:"confidence" doc:"how far to trust what it found; none if that is nothing" enum:"none,low,med,high"`
}

// NextOut is the step to take.
type NextOut struct {
	Part    string             `json:"part" doc:"text of the part; empty if nothing is left to do"`
	Source  string             `json:"source" doc:"where to look"`
	Ask     string             `json:"ask" doc:"what to ask there"`
	Earlier []contract.Earlier `json:"earlier" doc:"questions that it may build on, oldest first"`
}

// levels are the levels of confidence, the lowest first.
var levels = []string{"none", string(contract.Low), string(contract.Med), string(contract.High)}

// levelOf returns the index of a confidence in levels; 0 if it is unknown.
func levelOf(confidence string) int { return max(0, slices.Index(levels, confidence)) }

// next returns ask.next, which chooses the next step: of the parts that are not answered the one with the fewest steps,
// so that each part is looked up once before any is a second time, in the first of its sources that was not asked.
func next() catalog.Builtin {
	return catalog.New("ask.next", "choose the next step towards an answer: which part of the question to look up where", 0,
		func(_ context.Context, _ *catalog.Env, in NextIn) (NextOut, error) { return in.chooseStep(), nil }).Immediate()
}

func (in NextIn) chooseStep() NextOut {
	out := NextOut{Earlier: []contract.Earlier{}}
	fewest := -1
	for _, p := range in.Parts {
		asked, level := in.askedFor(p)
		if level >= levelOf(in.Enough) {
			continue
		}
		at := slices.IndexFunc(p.Sources, func(s string) bool { return !slices.Contains(asked, s) })
		if at < 0 || fewest >= 0 && len(asked) >= fewest {
			continue
		}
		fewest = len(asked)
		out.Part, out.Source, out.Ask, out.Earlier = p.Text, p.Sources[at], p.Ask, append(out.Earlier[:0], p.Earlier...)
	}
	return out
}

// askedFor returns the sources that were asked for a part, in order, and the level of the best answer.
func (in NextIn) askedFor(p Planned) (sources []string, level int) {
	for _, s := range in.Steps {
		if s.Part == p.Text {
			sources, level = append(sources, s.Source), max(level, levelOf(s.Confidence))
		}
	}
	return sources, level
}
