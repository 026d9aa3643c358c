package service

import "strings"

// oneParagraph joins the lines of a CUE text block: a description is prose for a model,
// and line breaks only cost tokens.
func oneParagraph(s string) string { return strings.Join(strings.Fields(s), " ") }
