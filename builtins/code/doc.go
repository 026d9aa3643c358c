// Package code holds the deterministic builtins of research: they search, rank, read and explain a
// source tree without a model.
//
// Files are reached through the sandbox that each call is given, and quoted bytes are booked on its
// ledger before they are read. The packages that only process text are separate and open no file:
// runtime/lang knows definitions (symbols), what names refer to (relation), the decisive lines of a
// body (keylines), the literals that make up a message (errormsg) and what a user can configure
// (settings); runtime/retrieval finds matching lines (match) and ranks files and definitions
// (coderank).
//
// # Answers
//
// Scope determines from the question which kinds of answer it wants. A lead answers one kind and
// nothing else: CallersOf, Messages, Options, Extend, Coverage, Overview, Patterns. It returns a
// contract.Result whose summary is the answer, its first line with the finding and its place, and
// without references if it found nothing. Analyze explains one place by its comment, its key lines
// and its relations, and follows a call for one step (hops.go). Synthesize puts leads before
// places, repeats nothing, and cuts to the tokens of the reply. The configuration decides which
// lead runs when, and the order of their answers; no code here knows the graph.
//
// What cannot be determined from text is left out, or reported as uncertain. The same tree and
// question give the same bytes whatever the timing of the workers.
//
// # Reports
//
// Report builds the reply that ends the research graph. The configuration gives code.report one
// input per section, in addition to the report's own inputs: reportShape derives the report's type
// from them, with a member for each section and the order in which they are cut (schema.Trim, which
// runtime/safety/egress follows), and Report.View shows it (called by runtime/pipeline/render). A
// finding carries its place (contract.Finding), so that no later stage has to look for it in the
// text.
//
// # Files
//
// Each builtin begins in the file of its name: code.grep in grep.go. What else is decided where:
//
//	scope.go, subject.go, followup.go    which kinds of answer a question wants; its subject; follow-up questions
//	search.go, counted.go, portions.go   ranking the tree for a question; how much of huge files is parsed
//	history.go                           ranking again with the help of past commits
//	locate.go, listing.go                which places are listed, how many, and what is said about each
//	analyze.go, mechanism.go, hops.go    explaining a place: key lines, and the calls worth following
//	callees.go, users.go, failures.go    what a definition calls, where it is used, how it fails
//	definers.go, resolve.go              which definition a call into another file refers to
//	callers*.go, implementers.go         the names whose callers are asked for, the list of uses; subtypes of a type
//	trace*.go, uses*.go, sites.go        finding the uses of a name in the tree, and the definition each refers to
//	aliases.go, denial.go                uses under other names; evidence against "nothing calls this"
//	component*.go                        what a name or path refers to: a definition, file, directory or package
//	coverage*.go, testcase.go            which tests are about a subject; what counts as a test
//	extend*.go, extension.go             what to implement, which example to follow, where to register it
//	messages*.go                         which literal produced a message, where it is raised and when
//	options*.go                          which option is meant, its default, where it is read
//	overview*.go, patterns*.go           what a tree is and where to begin; examples that differ from each other
//	synthesize*.go, report*.go           the answer, and the reply around it; what is cut first (report_trim.go)
//	globs.go, places.go, similar.go      file patterns; paths as callers write them; suggestions for wrong paths
//	page.go, quote.go, evidence.go       masking, shortening and booking what is quoted
//	survey.go, parsed*.go, cache.go      what later stages and later requests reuse
package code
