package predict

import "fmt"

// sequence estimates the next call from the last one, two and three: a Markov chain that backs off
// to shorter contexts with the weights of Witten and Bell (The zero-frequency problem, IEEE Trans.
// Information Theory 37(4), 1991): a context that was followed by many different tools leaves more
// to the shorter one. Repeats of a tool are one step.
type sequence struct{}

func (sequence) Name() string { return "sequence" }

func (sequence) Predict(s *State, out []float64) {
	left := 1.0
	for _, r := range s.contexts() {
		if r.row == nil || left == 0 {
			continue
		}
		total, kinds := s.fadedCount(r.row.total), float64(len(r.row.to))
		all := total + kinds*prior
		for to, c := range r.row.to {
			if at := s.place[to]; at >= 0 {
				out[at] += left * s.fadedCount(c.count) / all
			}
		}
		left *= kinds * prior / all
	}
}

// link is a context with what followed it.
type link struct {
	order int
	row   *row
}

// contexts returns the chains that end here, the longest first.
func (s *State) contexts() []link {
	tail, out := s.trace.tail, []link(nil)
	c := context{-1, -1, -1}
	for i := range tail {
		id, ok := s.model.tools.find(tail[len(tail)-1-i])
		if !ok {
			break
		}
		c[i] = id
		out = append([]link{{i + 1, s.model.chains.rows[c]}}, out...)
	}
	return out
}

func (sequence) Why(s *State, tool int) string {
	tail := s.trace.tail
	for _, l := range s.contexts() {
		if l.row == nil || s.known[tool] < 0 {
			continue
		}
		if c, ok := l.row.to[s.known[tool]]; ok {
			return fmt.Sprintf("followed %s in %d of %d cases", joinNaturally(tail[len(tail)-l.order:]), roundCount(s.fadedCount(c.count)), roundCount(s.fadedCount(l.row.total)))
		}
	}
	return ""
}
