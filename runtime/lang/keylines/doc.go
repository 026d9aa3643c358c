// Package keylines selects from the text of a definition the lines that matter: guards with what they return or throw,
// calls, constants, lines with the words of a query, and the relevant sentences of its comment.
//
// It works on lines and brackets, not on a grammar: the end of a statement, a condition and an exit from a function
// look alike in most languages. A Text holds one file with comments and strings separated (symbols.Split), and splits
// the lines of a definition into statements; Lines selects among them; Comment selects from the doc comment. Time is
// linear in the size of the file, except for the selection, which is bounded by maxStatements.
//
// The package must not read files, nor know of other files than the current one. Its caller tells which calls lead to
// definitions of the tree.
package keylines
