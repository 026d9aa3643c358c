// Package find holds the builtins that say what a tree has and where: code.scope, code.locate,
// code.grep, code.glob, code.ls, code.read and code.symbols.
//
// Locate ranks the tree in two steps: every file is scanned for the words of the question, and the
// best are read in depth; coderank computes the order. RankTree is the same ranking for other stages,
// and a request that ranks for the same words twice scans once.
//
// Each builtin begins in the file of its name. What else is decided where:
//
//	scope.go                 which kinds of answer a question wants
//	search.go, counted.go    ranking the tree; the scan that stages of a request share
//	history.go               ranking again with the help of past commits
//	locate.go, listing.go    which places are listed, how many, and what is said about each
//	subtree.go, globs.go     the part of a tree that a call searches; file patterns
//	streams.go               what the scan knows of a content, kept between questions
//	notes.go                 what an answer says of its own limits
//	grep_quote.go            the lines around a match, masked
//	symbols_name.go          names as users write them: Pool.admit, fs::read
package find
