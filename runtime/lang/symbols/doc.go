// Package symbols finds definitions in source text: functions, types, constants, headings and keys, each with its
// container, its lines, a one-line signature and the first sentence of its doc comment. It also classifies the bytes of
// a file as code, comment or string.
//
// It works on bytes alone, in four steps. One lexer for all languages (lex.go) makes tokens without comments and string
// contents; pairer (pair.go) finds the partner of every bracket; one type per language, in the file of that name, walks
// the remaining tokens; outline (outline.go) collects the definitions. Nothing is parsed in full, so a file that does
// not compile still yields its definitions. Time is linear in the size of the file, and no recursion depends on its
// depth.
//
// The type of a language uses these types and nothing from other languages:
//
//   - cursor (cursor.go) reads single tokens and pairs of brackets
//   - lookahead (lookahead.go, annotation.go) searches around a token, within a budget per file
//   - file (file.go, head.go, doccomment.go) has the open scopes and turns the tokens of a definition into an entry of
//     the outline
//   - members (members.go) reads what languages with classes have in common
//
// Data files, documents, notebooks and components have no tokens of their own; data.go, document.go and embedded.go
// read them.
//
// # To add a language
//
//   - lang.go: a constant, its file extensions, names and "#!" programs, and the separator of its containers.
//   - lex_rules.go: the form of its strings and comments. What is specific to it goes to a type of its own in
//     lex_NAME.go, as in lex_ruby.go.
//   - grammar.go: the words that begin its definitions, if words begin all of them, as in Lua or Zig. Such a language needs
//     nothing more.
//   - NAME.go: otherwise, a type that embeds *file, or members, and has a method scan, which passes a function that
//     reads one token to walk. shell.go is a short example to copy, rust.go one with nested definitions. The method
//     anchors may name words that occur only at top level, which helps in truncated files. language.go: the case that
//     creates the type.
//   - testdata/golden/NAME.txtar: realistic sample files; copy shell.txtar, run "go test -run TestGolden -update" and
//     check the result. Add the most expensive pattern of the language to hostile in linear_test.go, and the language
//     to the list in bench_test.go.
//   - runtime/lang/relation/profiles.go: a row, so that the callers of its functions are found.
//
// TestLanguagesAreTested fails until the samples and the pattern are there. TestLinear, TestCutAnywhere and FuzzScan
// then try them broken and repeated: every search ahead must call spend, or have a named limit.
//
// The package must not read files, rank anything or know about requests. Its neighbors are builtins/code, which reads
// files and calls it, and runtime/retrieval/coderank, which ranks its results.
package symbols
