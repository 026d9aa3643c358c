// Package leads holds the builtins that answer one kind of question each: code.messages,
// code.coverage, code.extend, code.options, code.overview, code.patterns, and code.component.
//
// A lead is given the question, most also what code.locate found. It gathers candidates, reads them
// within a budget of bytes, ranks them by the words they share with the question, and tells the best
// in the tokens it has. It returns a contract.Result, without references if it has no answer; it
// never guesses from a low score. code.component is given a name or a path instead, and returns what
// that refers to.
//
//	messages*.go                which literal produced a message, where it is raised and when
//	coverage*.go, testcases.go  which tests are about a subject; the tests in a file
//	extend*.go, extension.go    what to implement, which example to follow, where to register it
//	options*.go                 which option is meant, its default, where it is read
//	overview*.go, paragraph.go  what a tree is and where to begin
//	patterns*.go                examples that differ from each other
//	subject.go                  the words that say what a question is about
//	component*.go               what a name or path refers to: a definition, file, directory or package
package leads
