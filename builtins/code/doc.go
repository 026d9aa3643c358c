// Package code holds the deterministic builtins of research: they search,
// rank, read and explain a source tree without a model.
//
// Files are reached through the sandbox that each call is given, and what is
// quoted is booked on its ledger before it is read. The matching, parsing and
// ranking themselves live in the packages match, symbols and rank below, which
// open no file.
package code
