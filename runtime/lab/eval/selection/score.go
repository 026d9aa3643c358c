package selection

import (
	"math"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// Run is the result of a replay.
type Run struct {
	Split  Split             `json:"split"`
	Folds  int               `json:"folds"`
	Shown  []int             `json:"shown"`
	Pool   int               `json:"pool"`
	Also   int               `json:"also,omitempty"` // sessions of others that were learnt from
	Fitted []predict.Weights `json:"fitted,omitempty"`
	// Weights are those that suit all that is learnt from, if they were to be fitted.
	Weights predict.Weights `json:"weights,omitempty"`
	Scores  []*Score        `json:"scores"`
	Kept    []*Kept         `json:"kept"` // by length of Shown
	Rules   []RuleUse       `json:"rules,omitempty"`

	times []time.Duration // of each prediction
}

// Score says how well the lists of one method and length did for the sessions of a source.
type Score struct {
	Source   string `json:"source"` // "" for all
	Method   string `json:"method"`
	Shown    int    `json:"shown"`
	Sessions int    `json:"sessions"`
	Steps    int    `json:"steps"`     // calls after the first of a session
	NewSteps int    `json:"new_steps"` // those of them with a tool that the session had not used

	All   Mean `json:"all"`   // share of steps whose tool was shown
	New   Mean `json:"new"`   // share of new steps
	Cover Mean `json:"cover"` // share of a session's tools, its first one left out, shown just before their first use; mean over sessions
	Start Mean `json:"start"` // share of a session's tools shown before any call; mean over sessions
}

// Mean is a mean that is still being added to.
type Mean struct {
	sum float64
	n   int
}

func (m *Mean) add(x float64) { m.sum += x; m.n++ }

// Value returns the mean, NaN without values.
func (m Mean) Value() float64 { return m.sum / float64(m.n) }

// tally is what one session adds, by length of the list.
type tally struct {
	distinct map[string]bool
	seen     map[string]bool
	shown    []int
	by       []tallied
}

// tallied is what a session adds at one length.
type tallied struct {
	steps, fresh, all, new int
	start                  Mean
}

func newTally(s Session, shown []int) *tally {
	t := &tally{distinct: map[string]bool{}, seen: map[string]bool{}, shown: shown, by: make([]tallied, len(shown))}
	for _, tool := range s.Tools {
		t.distinct[tool] = true
	}
	return t
}

// countCall looks for the tool of a call among the tools that were shown before it.
func (t *tally) countCall(tool string, list []string) {
	at := slices.Index(list, tool)
	if at < 0 {
		at = math.MaxInt
	}
	for k, length := range t.shown {
		if len(t.seen) == 0 {
			t.countStart(k, list[:min(length, len(list))])
			continue
		}
		hit, b := int(boolCount(at < length)), &t.by[k]
		b.steps++
		b.all += hit
		if !t.seen[tool] {
			b.fresh++
			b.new += hit
		}
	}
	t.seen[tool] = true
}

// countStart looks for all tools of the session on its first list.
func (t *tally) countStart(k int, list []string) {
	hits := 0
	for _, tool := range list {
		if t.distinct[tool] {
			hits++
		}
	}
	t.by[k].start.add(float64(hits) / float64(len(t.distinct)))
}

func boolCount(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// addSession adds a session to the scores of its source and of all.
func (r *Run) addSession(method, source string, t *tally) {
	for k, b := range t.by {
		for _, of := range slices.Compact([]string{"", source}) {
			s := r.scoreFor(of, method, t.shown[k])
			s.Sessions++
			s.Steps += b.steps
			s.NewSteps += b.fresh
			s.All.sum, s.All.n = s.All.sum+float64(b.all), s.All.n+b.steps
			s.New.sum, s.New.n = s.New.sum+float64(b.new), s.New.n+b.fresh
			if b.fresh > 0 {
				s.Cover.add(float64(b.new) / float64(b.fresh))
			}
			s.Start.add(b.start.Value())
		}
	}
}

// scoreFor returns the score of a source, method and length, and adds it if it is new.
func (r *Run) scoreFor(source, method string, shown int) *Score {
	for _, s := range r.Scores {
		if s.Source == source && s.Method == method && s.Shown == shown {
			return s
		}
	}
	s := &Score{Source: source, Method: method, Shown: shown}
	r.Scores = append(r.Scores, s)
	return s
}
