package predict

import "fmt"

// frequency estimates by the share of past sessions that used a tool.
type frequency struct{}

func (frequency) Name() string { return "frequency" }

func (frequency) Predict(s *State, out []float64) {
	all := s.times(s.model.sessions) + prior
	for i, id := range s.known {
		if id >= 0 {
			out[i] += s.times(s.model.uses[id].sessions) / all
		}
	}
}

func (frequency) Why(s *State, tool int) string {
	id := s.known[tool]
	if id < 0 {
		return ""
	}
	return fmt.Sprintf("used in %d of %d sessions", whole(s.times(s.model.uses[id].sessions)), whole(s.times(s.model.sessions)))
}
