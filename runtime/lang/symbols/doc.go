// Package symbols finds where things are defined in source text: functions,
// types, constants, headings and keys, with the container they sit in, the
// lines they span, a one-line signature and the first sentence of their doc
// comment. It also tells which bytes of a file are code, comment or string.
//
// It works on bytes alone, in four steps. One lexer for all languages (lex.go)
// blanks strings and comments out of the way; pairer (pair.go) finds the
// partner of every bracket; one type per language, in the file of that name,
// walks the tokens that remain; outline (outline.go) collects what it finds.
// Nothing is parsed in full, so a file that does not compile still yields what
// it defines. Time is linear in the size of the file and nothing recurses on
// its depth.
//
// A language's type sees these and nothing of other languages:
//
//   - cursor (cursor.go) reads single tokens and pairs of brackets
//   - lookahead (lookahead.go, annotation.go) searches around a token, within
//     what a file may spend on that
//   - file (file.go, head.go, doccomment.go) has the scopes that are open and
//     turns the tokens of a definition into an entry of the outline
//   - members (members.go) reads what languages with classes write alike
//
// Data files, documents, notebooks and components have no tokens of their own;
// data.go, document.go and embedded.go read them.
//
// # To add a language
//
//   - lang.go: a constant, its file extensions, names and "#!" programs, and
//     the separator of its containers.
//   - lex_rules.go: what its strings and comments look like. What only it has
//     goes to a type of its own in lex_NAME.go, as in lex_ruby.go.
//   - grammar.go: the words that begin its definitions, where words begin them
//     all, as in Lua. That is all that such a language needs.
//   - NAME.go: else, the type that embeds *file, or members, with scan, which
//     hands the walk a function that looks at one token. shell.go is a short one
//     to copy, rust.go one whose definitions nest. With anchors it may name the
//     words that only stand at top level, which helps in files that are cut
//     off. language.go: the case that makes it.
//   - testdata/golden/NAME.txtar: sample files as people write them; copy
//     shell.txtar, run "go test -run TestGolden -update" and read what was
//     found. A pattern of the language that costs the most goes to hostile in
//     linear_test.go, and the language to the list in bench_test.go.
//
// TestLanguagesAreTested fails until the samples and the pattern are there.
// TestLinear, TestCutAnywhere and FuzzScan then try them broken and repeated:
// whatever looks ahead must call spend, or have a bound with a name.
//
// The package must not read files, rank anything or know about requests. Its
// neighbours are builtins/code, which reads files and calls it, and
// runtime/retrieval/coderank, which weighs what it finds.
package symbols
