package answer

import "github.com/compactor-mcp/compactor/runtime/retrieval"

// Threshold is the support below which an answer is withheld. README.md has its costs and benefits.
const Threshold = 0.33

// bands are the supports at which the confidence in an answer changes: README.md has how often each is right.
var bands = retrieval.Bands{Low: 0.62, High: 0.96}

// Confidence returns how far an answer can be trusted.
func (a Answer) Confidence() retrieval.Confidence { return bands.Of(a.Support) }

// Signs tell whether passages support an answer, each 0..1.
type Signs struct {
	Best       float64 `json:"best"`       // share of the question that one unit holds with the headings above it
	Own        float64 `json:"own"`        // the same without headings and neighbours
	Known      float64 `json:"known"`      // share of the question's words that occur in any passage
	Paired     float64 `json:"paired"`     // share of the words adjacent in the question that occur together here
	Confidence float64 `json:"confidence"` // of the search
	Length     float64 `json:"length"`     // of the question: the longer, the less of it one unit holds
}

// longQuestion is the number of terms, after the first, from which on questions count as equally long.
const longQuestion = 15

// The weights of a constant and the signs, from logistic regressions: see README.md. A single list
// answers short questions or long ones, not both.
var (
	supportsShort = []float64{-5.85, 1.72, 1.17, 1.74, 2.67, 2.29, 1.83}
	supportsLong  = []float64{-7.69, 1.58, 2.73, 1.48, 3.84, 4.31, 3.69}
)

// maxUndefined is the maximum support of an answer to what something is that does not say so: its confidence is low.
var maxUndefined = bands.Low - 0.02

// support returns the probability that an answer with these signs is right.
func (s Signs) support() float64 {
	short := brevity(1 + s.Length*longQuestion)
	weights := make([]float64, len(supportsShort))
	for i := range weights {
		weights[i] = short*supportsShort[i] + (1-short)*supportsLong[i]
	}
	return retrieval.Logistic(weights, []float64{1, s.Best, s.Own, s.Known, s.Paired, s.Confidence, s.Length})
}

// readSigns derives the signs from the rated units.
func (r *rater) readSigns(list []rated) Signs {
	var s Signs
	for _, x := range list {
		s.Best = max(s.Best, r.q.share(x.seen))
		s.Own = max(s.Own, x.own)
		s.Paired = max(s.Paired, r.q.pairedShare(x.seen))
	}
	if len(r.q.pairs) == 0 {
		s.Paired = s.Own / 2 // a single word has no neighbour
	}
	known := make([]bool, len(r.q.terms))
	for _, of := range r.q.kin {
		for _, k := range of {
			known[k.term] = true
		}
	}
	for _, yes := range known {
		s.Known += worthIf(yes, 1/float64(len(known)))
	}
	s.Length = min(1, float64(len(r.q.terms)-1)/longQuestion)
	for _, p := range r.passages {
		s.Confidence = max(s.Confidence, min(1, p.Confidence))
	}
	return s
}
