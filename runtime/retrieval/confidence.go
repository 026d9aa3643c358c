package retrieval

import "math"

// Confidence says how far an answer can be trusted.
type Confidence string

// The levels of confidence.
const (
	Low    Confidence = "low"
	Medium Confidence = "med"
	High   Confidence = "high"
)

// Bands are the values at which confidence changes: below Low it is low, from High on it is high.
type Bands struct{ Low, High float64 }

// Of returns the confidence for a value.
func (b Bands) Of(x float64) Confidence {
	switch {
	case x < b.Low:
		return Low
	case x < b.High:
		return Medium
	}
	return High
}

// Logistic returns the probability, 0..1, that an answer with these signs is right: weights are the
// coefficients of a logistic regression, in the order of the signs.
func Logistic(weights, signs []float64) float64 {
	z := 0.0
	for i, x := range signs {
		z += weights[i] * x
	}
	return 1 / (1 + math.Exp(-z))
}
