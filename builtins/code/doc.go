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
package code
