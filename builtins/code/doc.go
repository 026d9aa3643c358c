// Package code lists the deterministic builtins of research: they search, rank, read and explain a
// source tree without a model.
//
// Files are read only through the roots of each call's Env, and what is quoted of them is booked on
// its ledger before it is returned. The packages that only process text are separate and open no file:
// runtime/lang knows definitions (symbols), what names refer to (relation), the decisive lines of a
// body (keylines), the literals that make up a message (errormsg) and what a user can configure
// (settings); runtime/retrieval finds matching lines (match) and ranks files and definitions
// (coderank).
//
// The packages below this one, each of which imports only those above it in the list, and report not
// explain (deps_test.go holds that):
//
//	source   a file as evidence: loading, parsing, masking, booking; the words of a question; places
//	find     scope, locate, grep, glob, ls, read, symbols: what a tree has and where
//	usage    trace, callers: who uses a definition, what derives from a type, what a body calls
//	explain  analyze, excerpts: what a place does, by its key lines and its callees
//	report   synthesize, report: the answer, and the reply around it
//	leads    messages, coverage, extend, options, overview, patterns, component
//
// All lists the builtins; codetest has source trees for their tests.
//
// # Answers
//
// Scope determines from the question which kinds of answer it wants. A lead answers one kind and
// nothing else: those of package leads, and code.callers. It returns a contract.Result whose
// summary is the answer, its first line with the finding and its place, and without references if it
// found nothing. Analyze explains one place, and follows a call for one step. Synthesize puts leads
// before places, repeats nothing, and cuts to the tokens of the reply. The configuration decides
// which lead runs when, and the order of their answers; no code here knows the graph.
//
// What cannot be determined from text is left out, or reported as uncertain. The same tree and
// question give the same bytes whatever the timing of the workers.
package code
