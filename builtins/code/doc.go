// Package code holds the deterministic builtins of research: they search,
// rank, read and explain a source tree without a model.
//
// Files are reached through the sandbox that each call is given, and what is
// quoted is booked on its ledger before it is read. What only reads text stands below
// and opens no file: runtime/lang knows definitions (symbols), what names refer to
// (relation), the lines of a body that decide (keylines), the literals that make a
// message (errormsg) and what a user can set (settings); runtime/retrieval finds
// matching lines (match) and orders files and definitions (coderank).
//
// # Answers
//
// Scope reads the kinds of answer off a question. A lead answers one kind and
// nothing else: CallersOf, Messages, Options, Extend, Coverage, Overview, Patterns.
// It returns a contract.Result whose summary is the answer, its first line with the
// finding and its place, and no reference where it found nothing. Analyze tells of
// one place by its comment, its key lines and its relations, and follows a call for one
// step (hops.go). Synthesize puts leads before places, says nothing twice, and cuts
// to the tokens of the reply. Which lead runs when, and in what order they are told,
// is the configuration's to say; no code here knows the graph.
//
// What cannot be told from text is left out, or said to be uncertain. The same tree
// and question give the same bytes whatever the workers' timing.
//
// # Reports
//
// Report is the reply that the research graph ends in. Its sections are what the
// configuration gives code.report beside the report's own inputs: reportShape makes
// its type of them, with a member for each section and the order in which they are
// cut (schema.Trim, which runtime/safety/egress follows), and Report.View shows it
// (runtime/pipeline/render calls it). A finding is written with its place (contract.Finding),
// so that no later stage looks for that in the text.
package code
