package contract

import "strings"

// Worded precedes what a model says about the code: a reader must know which sentences
// a program took from the code and which a model wrote.
const Worded = "\nIn the model's words:"

// Unworded returns a text without the model's words at its end.
func Unworded(text string) string {
	if i := strings.LastIndex(text, Worded); i >= 0 {
		return text[:i]
	}
	return text
}
