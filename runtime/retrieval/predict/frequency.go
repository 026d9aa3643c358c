package predict

import "fmt"

// frequency estimates by the share of past sessions that used a tool.
type frequency struct{}

func (frequency) Name() string { return "frequency" }

func (frequency) Predict(s *State, out []float64) {
	all := s.fadedCount(s.model.sessions) + prior
	for i, id := range s.known {
		if id >= 0 {
			out[i] += s.fadedCount(s.model.uses[id].sessions) / all
		}
	}
}

func (frequency) Why(s *State, tool int) string {
	id := s.known[tool]
	if id < 0 {
		return ""
	}
	return fmt.Sprintf("used in %d of %d sessions", roundCount(s.fadedCount(s.model.uses[id].sessions)), roundCount(s.fadedCount(s.model.sessions)))
}
