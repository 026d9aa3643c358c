// Package task holds the tasks that a role's model can be given, as values: a name, input
// and output types, the rules, how candidates or text are put into a prompt, how the
// reply is applied, and the checks that come with the task. The list is explicit;
// runtime/pipeline/plan looks names up in it, and runtime/pipeline/agent asks the model.
//
// Files:
//
//	task.go                  the list of tasks, and what a task consists of
//	candidates.go            what is numbered; how much of each candidate's text a prompt shows
//	pointing.go              tasks that point at candidates: choose, explain, answer
//	search.go, expand.go     search words; smaller questions and other wordings
//	judge.go                 ranking candidates
//	summarize.go, facts.go   summaries; the names, numbers and error lines that they must keep
//	about.go                 the calls around a text that is summarized
//	free.go                  output that the role defines; the form that shows it to the model
//	case.go, blank.go        shortening what a prompt shows; dropping blanks that a reply copied from the form
//	claim.go, confirm.go     whether the text shown supports a model's sentence; asking the model again
//	improve.go               adding sentences to the findings, moving a reference up
//	check.go, verify.go      checks of a reply; what is removed when one fails
//
// Everything here is a pure function of its arguments: no model, no clock, no files. A
// model's reply comes in as a map that fits the requested shape, and what goes out fits
// the task's output, whatever that map contains.
package task
