package retrieval

// Part is the score of a document in one of several lists.
type Part struct {
	Score  float64
	Best   float64 // the score is divided by this, mostly the best of its list
	Weight float64
}

// Fuse adds up the scores of a document, each divided by the best of its own list. Scores are added
// rather than ranks: reciprocal ranks lost five points of Hit@1 on files of code.
func Fuse(parts ...Part) float64 {
	sum := 0.0
	for _, p := range parts {
		sum += p.Weight * p.Score / p.Best
	}
	return sum
}

// Descending orders scores from high to low.
func Descending(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}
