package contract

import "strings"

// Worded stands before what a model says of the code: a reader must know which
// sentences a program took from the code and which a model made of it.
const Worded = "\nIn the model's words:"

// Unworded is a text without what a model said behind it.
func Unworded(text string) string {
	if i := strings.LastIndex(text, Worded); i >= 0 {
		return text[:i]
	}
	return text
}
