package predict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// cooccurrence estimates from the sessions that used the same tools as this one: the mean of
// P(tool comes later | a was used) over the tools a used so far.
type cooccurrence struct{}

func (cooccurrence) Name() string { return "cooccurrence" }

func (cooccurrence) Predict(s *State, out []float64) {
	for _, u := range s.used {
		if u.id < 0 || s.model.after.rows[u.id] == nil {
			continue
		}
		by := u.weight * s.fade / (s.fadedCount(s.model.uses[u.id].sessions) + prior)
		for to, c := range s.model.after.rows[u.id].to {
			if at := s.place[to]; at >= 0 {
				out[at] += by * c.count
			}
		}
	}
}

func (cooccurrence) Why(s *State, tool int) string {
	best, text := 0.0, ""
	for _, u := range s.used {
		if u.id < 0 || s.known[tool] < 0 || s.model.after.rows[u.id] == nil {
			continue
		}
		c, ok := s.model.after.rows[u.id].to[s.known[tool]]
		all := s.fadedCount(s.model.uses[u.id].sessions)
		if share := u.weight * s.fadedCount(c.count) / (all + prior); ok && share > best {
			best = share
			text = fmt.Sprintf("came after %s in %d of %d sessions", u.name, roundCount(s.fadedCount(c.count)), roundCount(all))
		}
	}
	return text
}

// Companion is a tool that was used in the same sessions as another.
type Companion struct {
	Tool     string
	Count    float64   // sessions that used both, older ones counting less
	After    float64   // of these, sessions that used it later than the other
	Distance float64   // calls between the first uses of both, on average
	Last     time.Time // start of the latest of these sessions; zero if unknown
}

// With lists the tools used in the same sessions as a tool, the most frequent first.
func (m *Model) With(tool string, now time.Time) []Companion {
	id, known := m.tools.find(validName(tool))
	if !known {
		return nil
	}
	by := map[int32]cell{}
	add := func(other int32, c cell) {
		sum := by[other]
		by[other] = cell{sum.count + c.count, sum.distance + c.distance, max(sum.last, c.last)}
	}
	later := map[int32]cell{}
	if r := m.after.rows[id]; r != nil {
		later = r.to
	}
	for other, c := range later {
		add(other, c)
	}
	for other, r := range m.after.rows {
		if c, is := r.to[id]; is {
			add(other, c)
		}
	}
	fade := m.fade(now)
	var out []Companion
	for other, c := range by {
		out = append(out, Companion{m.tools.names[other], c.count * fade, later[other].count * fade, c.distance / c.count, timeOf(c.last)})
	}
	slices.SortFunc(out, func(a, b Companion) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Tool, b.Tool))
	})
	return out
}
