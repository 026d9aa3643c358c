package plan

import "slices"

// countAsks counts the roles that ask a model on the longest path from each stage to the end,
// so that the first does not use up the others' time.
func (g *graph) countAsks() {
	after := map[string]int{}
	for _, s := range slices.Backward(g.p.Stages) {
		rounds := 1
		if s.Repeat != nil {
			rounds = s.Repeat.Max
		}
		s.Asks = after[s.Name] + s.AsksOf(rounds)
		for _, n := range s.Needs {
			after[n] = max(after[n], s.Asks)
		}
	}
}

// AsksOf returns the number of roles in a row that ask a model in rounds of the stage. Time is kept for one more round,
// not for all: few come to their maximum.
func (s *Stage) AsksOf(rounds int) int { return min(rounds, 2) * s.OwnAsks() }

// OwnAsks returns the number of roles in a row that ask a model within one run of the stage.
func (s *Stage) OwnAsks() int {
	switch {
	case s.Role != nil && s.Role.Asks():
		return 1
	case s.Pipeline == nil:
		return 0
	}
	most := 0
	for _, in := range s.Pipeline.Stages {
		most = max(most, in.Asks)
	}
	return most
}
