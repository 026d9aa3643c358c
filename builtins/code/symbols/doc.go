// Package symbols finds where things are defined in source text: functions,
// types, constants, headings and keys, with the container they sit in, the
// lines they span, a one-line signature and the first sentence of their doc
// comment. It also tells which bytes of a file are code, comment or string.
//
// It works on bytes alone: one lexer for all languages blanks strings and
// comments out of the way, brackets are paired, and a small scanner per
// language walks the remaining tokens. Nothing is parsed in full, so a file
// that does not compile still yields what it defines. Time is linear in the
// size of the file and nothing recurses on its depth.
//
// The package must not read files, rank anything or know about requests. Its
// neighbours are builtins/code, which reads files and calls it, and
// builtins/code/rank, which weighs what it finds.
package symbols
