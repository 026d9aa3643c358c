package index

import "math"

// More are words that a search asks beside its question: those of a question before
// it, or words that mean the same. A word that the question has too counts as its own.
type More struct {
	Text   string
	Weight float64 // what one occurrence counts, where one in the question counts 1
	From   string  // why it is asked, as breakdowns say it
}

// loggedAll is logged for what need not be a whole number: below 1 it counts itself.
func loggedAll(n float64) float64 {
	if n < 1 {
		return n
	}
	return 1 + math.Log(n)
}
