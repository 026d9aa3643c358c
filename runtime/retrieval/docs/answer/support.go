package answer

import "github.com/compactor-mcp/compactor/runtime/retrieval"

// Threshold is the support under which an answer is withheld. README.md has what
// it costs and what it spares.
const Threshold = 0.33

// bands are where the confidence in an answer changes: README.md has how often each is right.
var bands = retrieval.Bands{Low: 0.62, High: 0.96}

// Confidence returns how far an answer can be believed.
func (a Answer) Confidence() retrieval.Confidence { return bands.Of(a.Support) }

// Signs are what tells whether passages support an answer, each 0..1.
type Signs struct {
	Best       float64 `json:"best"`       // of the question's weight, what one unit holds with the headings above it
	Own        float64 `json:"own"`        // the same without headings and neighbours
	Known      float64 `json:"known"`      // share of the question's words that stand in any passage
	Paired     float64 `json:"paired"`     // share of the words that stand side by side in the question and here together
	Confidence float64 `json:"confidence"` // of the search
	Length     float64 `json:"length"`     // of the question: the longer, the less of it one unit holds
}

// longQuestion is how many terms a question has that is as long as they count.
const longQuestion = 15

// The weights of the signs behind that of none, from logistic regressions: see
// README.md. One alone has short questions answered or long ones, not both.
var (
	supportsShort = []float64{-5.85, 1.72, 1.17, 1.74, 2.67, 2.29, 1.83}
	supportsLong  = []float64{-7.69, 1.58, 2.73, 1.48, 3.84, 4.31, 3.69}
)

// support returns the probability that an answer of such signs is one.
func (s Signs) support() float64 {
	short := brevity(1 + s.Length*longQuestion)
	weights := make([]float64, len(supportsShort))
	for i := range weights {
		weights[i] = short*supportsShort[i] + (1-short)*supportsLong[i]
	}
	return retrieval.Logistic(weights, []float64{1, s.Best, s.Own, s.Known, s.Paired, s.Confidence, s.Length})
}

// read reads the signs off what was rated.
func (r *rater) read(list []rated) Signs {
	var s Signs
	for _, x := range list {
		s.Best = max(s.Best, r.q.share(x.seen))
		s.Own = max(s.Own, x.own)
		s.Paired = max(s.Paired, r.q.paired(x.seen))
	}
	if len(r.q.pairs) == 0 {
		s.Paired = s.Own / 2 // one word has nothing to stand beside
	}
	known := make([]bool, len(r.q.terms))
	for _, of := range r.q.kin {
		for _, k := range of {
			known[k.term] = true
		}
	}
	for _, yes := range known {
		s.Known += is(yes, 1/float64(len(known)))
	}
	s.Length = min(1, float64(len(r.q.terms)-1)/longQuestion)
	for _, p := range r.passages {
		s.Confidence = max(s.Confidence, min(1, p.Confidence))
	}
	return s
}
