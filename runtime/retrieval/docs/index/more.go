package index

import "math"

// More is text that is searched for in addition to a question: words of an earlier question, or
// words that mean the same. A word that the question has, too, counts as its own.
type More struct {
	Text   string
	Weight float64 // weight of an occurrence, where one in the question counts 1
	From   string  // why it is searched for, as breakdowns show it
}

// loggedAll extends logged to fractions: a number below 1 counts as itself.
func loggedAll(n float64) float64 {
	if n < 1 {
		return n
	}
	return 1 + math.Log(n)
}
