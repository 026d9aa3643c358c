package retrieval

import "math"

// IDF returns the inverse document frequency of a term that df of n documents
// hold, in the form of BM25 that is never negative.
func IDF(n, df float64) float64 { return math.Log(1 + (n-df+0.5)/(df+0.5)) }

// Norm returns the divisor for the counts of a text of the given length: b is how much long texts
// are held back, 0 not at all, 1 in proportion to the mean length.
func Norm(b, length, mean float64) float64 { return 1 - b + b*length/mean }

// Saturate returns how much tf weighted occurrences of a term count, up to k+1: a second one says
// less than the first, which counts 1.
func Saturate(tf, k float64) float64 { return tf * (k + 1) / (tf + k) }

// Share returns the same as a share of the most that a term can count, 0..1; at k occurrences it is
// a half.
func Share(tf, k float64) float64 { return tf / (k + tf) }

// Field says how one part of a document counts in BM25F: an occurrence of a term in it is worth
// Weight, reduced by the part's length as far as Norm says. The occurrences of all parts are added
// before they saturate together.
type Field struct{ Weight, Norm float64 }

// Gain returns the weight of an occurrence in a part of the given length.
func (f Field) Gain(length, mean float64) float64 { return f.Weight / Norm(f.Norm, length, mean) }
