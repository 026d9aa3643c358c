package predict

import "fmt"

// task estimates from the sessions whose task shares a word with this one: the mean over the words
// of P(tool is used | word). A word that few sessions had leans on the use in all sessions.
type task struct{}

func (task) Name() string { return "task" }

// The number of average sessions, and of sessions that used nothing, that are added to the sessions
// with a word.
const (
	taskBehind = 2.0
	taskPrior  = 1.0
)

func (task) Predict(s *State, out []float64) {
	list := s.knownWords()
	behind := 0.0 // the part of the estimate that is from all sessions
	for _, w := range list {
		by := w.weight / (w.sessions + taskBehind + taskPrior)
		behind += by * taskBehind
		for to, c := range s.model.words.rows[w.text].to {
			if at := s.place[to]; at >= 0 {
				out[at] += by * s.fadedCount(c.count)
			}
		}
	}
	if behind == 0 || s.model.sessions == 0 {
		return
	}
	for i, id := range s.known {
		if id >= 0 {
			out[i] += behind * s.model.uses[id].sessions / s.model.sessions
		}
	}
}

// taskWord is a word of the task that the model has learnt.
type taskWord struct {
	text     string
	sessions float64 // sessions that had it
	weight   float64 // together 1
}

// knownWords returns the words of the task that earlier sessions had. A word of all sessions says
// less than a word of few, and a word of a single one proves little.
func (s *State) knownWords() []taskWord {
	var out []taskWord
	sum, all := 0.0, s.fadedCount(s.model.sessions)
	for _, w := range s.task {
		if s.model.words.rows[w] == nil {
			continue
		}
		n := s.fadedCount(s.model.asked[w])
		weight := rarity(all, n) * n / (n + taskBehind)
		out = append(out, taskWord{w, n, weight})
		sum += weight
	}
	for i := range out {
		if sum > 0 {
			out[i].weight /= sum
		}
	}
	return out
}

func (task) Why(s *State, tool int) string {
	best, text := 0.0, ""
	for _, w := range s.knownWords() {
		c, ok := cell{}, false
		if s.known[tool] >= 0 {
			c, ok = s.model.words.rows[w.text].to[s.known[tool]]
		}
		if share := w.weight * s.fadedCount(c.count) / (w.sessions + taskBehind); ok && share > best {
			best = share
			text = fmt.Sprintf("used in %d of %d sessions about %q", roundCount(s.fadedCount(c.count)), roundCount(w.sessions), w.text)
		}
	}
	return text
}
