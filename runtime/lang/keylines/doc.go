// Package keylines reads from the text of a definition what decides in it: guards
// with what they return or throw, calls, constants and the lines that hold the
// words of a question, and the sentences of its comment that bear on it.
//
// It works on lines and brackets, not on a grammar: what ends a statement, what is
// a condition and what leaves a function look alike in most languages. A Text
// holds one file with its comments and strings told apart (symbols.Split);
// Statements cuts the lines of a definition into statements; Lines chooses among
// them; Comment gathers the doc comment. Time is linear in the size of the file
// but for the choice, which is bounded by maxStatements.
//
// The package must not read files or know of other files than the one at hand.
// Which calls lead to definitions of the tree, its caller tells it.
package keylines
