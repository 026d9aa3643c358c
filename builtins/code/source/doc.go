// Package source reads the files of a tree as evidence, and the questions about them.
//
// A File is parsed, a MaskedFile is quoted. Load returns a File with its definitions, for the stages
// that explain; what they tell of it is booked with File.Book. It comes from the caches if an earlier
// stage or request has parsed the same content. OpenMasked returns a MaskedFile, whose lines are
// masked before they are shown, for the stages that quote. No function here decides what is a good
// answer.
//
// Errors about a path carry the code of the sandbox, such as PATH_NOT_FOUND, and ResolvePath suggests
// similar paths; an invalid argument is INVALID_INPUT.
//
//	file.go, budget.go       loading files; how much of huge files is parsed
//	parsed.go                what later stages and later requests reuse
//	masked.go, quote.go      masking what is quoted; shortening it, and naming its place
//	places.go, similar.go    paths as callers write them; suggestions for wrong paths
//	survey.go                which files may contain a name
//	followup.go, focus.go    follow-up questions; what a question wants to know about a place
//	lines.go                 comment and import lines, whole words
package source
