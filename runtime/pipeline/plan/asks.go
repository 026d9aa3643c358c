package plan

import "slices"

// countAsks counts the roles that ask a model on the longest path from each stage to the end,
// so that the first does not use up the others' time.
func (g *graph) countAsks() {
	after := map[string]int{}
	for _, s := range slices.Backward(g.p.Stages) {
		s.Asks = after[s.Name] + s.ownAsks()
		if s.Repeat != nil {
			s.Asks += s.ownAsks() * (s.Repeat.shares(0) - 1)
		}
		for _, n := range s.Needs {
			after[n] = max(after[n], s.Asks)
		}
	}
}

// maxShares limits the rounds for which time is kept: most end long before their maximum.
const maxShares = 2

// shares returns the number of rounds that share the time after the given number of them.
func (r *Repeat) shares(rounds int) int { return min(r.Max-rounds, maxShares) }

// AsksFrom returns Asks after the given number of rounds.
func (s *Stage) AsksFrom(rounds int) int {
	return s.Asks - s.ownAsks()*(s.Repeat.shares(0)-s.Repeat.shares(rounds))
}

// ownAsks returns the number of roles in a row that ask a model within the stage itself.
func (s *Stage) ownAsks() int {
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
