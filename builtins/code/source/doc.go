// Package source reads the files of a tree as evidence, and the words of a question about them.
//
// A File is parsed, a Page is quoted. Load returns a File with its definitions, for the stages that
// explain; what they tell of it is booked with File.Book. OpenPage returns a Page, whose lines are
// masked before they are shown, for the stages that quote. Both come from the caches if an earlier
// stage or request has parsed the same content. No function here decides what is a good answer.
//
// Errors about a path carry the code of the sandbox, such as PATH_NOT_FOUND, and suggest similar
// paths; an invalid argument is INVALID_INPUT.
//
//	file.go, portions.go       loading files; how much of huge files is parsed
//	parsed.go, cache.go        what later stages and later requests reuse
//	page.go, quote.go          masking, shortening and booking what is quoted
//	places.go, similar.go      paths as callers write them; suggestions for wrong paths
//	survey.go                  which files may contain a name
//	subject.go, followup.go    the subject of a question; follow-up questions
//	focus.go                   what a question wants to know about a place
//	testcase.go, settings.go   the tests in a file; the settings that a body reads
//	lines.go, crlf.go          comment and import lines; patterns that match any line ending
package source
