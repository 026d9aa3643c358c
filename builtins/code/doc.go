// Package code holds the deterministic builtins of research: they search,
// rank, read and explain a source tree without a model.
//
// Files are reached through the sandbox that each call is given, and what is
// quoted is booked on its ledger before it is read. The matching, parsing and
// ranking themselves live in the packages match, symbols and rank below, which
// open no file.
//
// Report is the reply that the research graph ends in. Its sections are what the
// configuration gives code.report beside the report's own inputs: reportShape makes
// its type of them, with a member for each section and the order in which they are
// cut (schema.Trim, which runtime/egress follows), and Report.View shows it
// (runtime/render calls it). A finding is written with its place (contract.Finding),
// so that no later stage looks for that in the text.
package code
