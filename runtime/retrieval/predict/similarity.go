package predict

import (
	"math"
	"strings"
)

// similarity estimates from the words that a tool's server, name, description and parameters share
// with the task: the squared cosine of their vectors, rare words counting more, divided by the sum
// over all tools not used yet.
type similarity struct{}

func (similarity) Name() string { return "similarity" }

func (similarity) Predict(s *State, out []float64) {
	alike := s.taskSimilarity()
	sum := 0.0
	for i, x := range alike {
		if !s.inUse[i] {
			sum += x * x
		}
	}
	for i, x := range alike {
		if x > 0 && !s.inUse[i] {
			out[i] += x * x / sum
		}
	}
}

// taskSimilarity returns how much each tool shares with the task: the cosine of their words.
func (s *State) taskSimilarity() []float64 {
	out := make([]float64, s.Len())
	s.catalog.addCosines(s.taskVector(), s.catalog.words, out)
	return out
}

// affinity estimates the server that a session without calls will use, by each server's tool that
// is most like the task, and shares that chance out among the server's tools. Once servers are in
// use, these tell more.
type affinity struct{}

func (affinity) Name() string { return "affinity" }

// unlike is the part of a tool without any word of the task in the chance of its server.
const unlike = 0.05

func (affinity) Predict(s *State, out []float64) {
	if s.trace.calls > 0 {
		return
	}
	alike := s.taskSimilarity()
	best, sum := make([]float64, len(s.catalog.members)), 0.0
	for server, members := range s.catalog.members {
		for _, i := range members {
			best[server] = max(best[server], alike[i]*alike[i])
		}
		sum += best[server]
	}
	for server, members := range s.catalog.members {
		if best[server] == 0 {
			continue
		}
		all := 0.0
		for _, i := range members {
			all += unlike + alike[i]
		}
		for _, i := range members {
			out[i] += best[server] / sum * (unlike + alike[i]) / all
		}
	}
}

func (affinity) Why(s *State, tool int) string {
	alike, at := s.taskSimilarity(), s.catalog.server[tool]
	nearest := tool
	for _, i := range s.catalog.members[at] {
		if alike[i] > alike[nearest] {
			nearest = i
		}
	}
	return "its server has a tool with " + quoteWords(s.catalog.commonWords(s.taskVector(), s.catalog.words[nearest])) + " of the task"
}

// ordinary is the minimum number of past sessions for a word that more than half of them had in
// their task to count as one that says nothing about this one.
const ordinary = 10

// taskVector returns the vector of the task over the words of the catalog.
func (s *State) taskVector() []float64 {
	all := s.fadedCount(s.model.sessions)
	if all < ordinary {
		return s.catalog.denseVector(s.task)
	}
	var telling []string
	for _, w := range s.task {
		if 2*s.fadedCount(s.model.asked[w]) <= all {
			telling = append(telling, w)
		}
	}
	return s.catalog.denseVector(telling)
}

// denseVector returns the vector of words, of length 1, indexed by the number of the word.
func (c *Catalog) denseVector(list []string) []float64 {
	var out []float64
	length := 0.0
	for _, w := range list {
		if n, ok := c.numbers[w]; ok {
			if out == nil {
				out = make([]float64, len(c.weights))
			}
			out[n] = c.weights[n]
			length += out[n] * out[n]
		}
	}
	for i := range out {
		out[i] /= math.Sqrt(length)
	}
	return out
}

// addCosines adds to out the cosine of each tool's vector with a query.
func (c *Catalog) addCosines(query []float64, tools [][]term, out []float64) {
	if query == nil {
		return
	}
	for i, terms := range tools {
		sum := 0.0
		for _, t := range terms {
			sum += t.weight * query[t.word]
		}
		out[i] += sum
	}
}

func (similarity) Why(s *State, tool int) string {
	return "has " + quoteWords(s.catalog.commonWords(s.taskVector(), s.catalog.words[tool])) + " of the task"
}

// commonWords returns the words of a tool that a query has.
func (c *Catalog) commonWords(query []float64, terms []term) []string {
	var out []string
	if query == nil {
		return nil
	}
	for w, n := range c.numbers {
		for _, t := range terms {
			if t.word == n && query[n] > 0 {
				out = append(out, w)
			}
		}
	}
	return sortWords(out)
}

// likeness estimates from the words that a tool's name shares with the names of the tools that were
// used.
type likeness struct{}

func (likeness) Name() string { return "likeness" }

func (likeness) Predict(s *State, out []float64) {
	s.catalog.addCosines(s.usedVector(), s.catalog.own, out)
}

// usedVector returns the mean of the vectors of the tools that were used.
func (s *State) usedVector() []float64 {
	var out []float64
	for _, u := range s.used {
		if u.at < 0 {
			continue
		}
		if out == nil {
			out = make([]float64, len(s.catalog.weights))
		}
		for _, t := range s.catalog.own[u.at] {
			out[t.word] += u.weight * t.weight
		}
	}
	return out
}

func (likeness) Why(s *State, tool int) string {
	return "named like what was used: " + strings.Join(s.catalog.commonWords(s.usedVector(), s.catalog.own[tool]), ", ")
}
