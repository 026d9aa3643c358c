// Package match finds the lines of a byte slice that a pattern matches, the way grep does, at about the speed of
// memory.
//
// A line is the text between two newlines. It keeps a carriage return, so `$` matches only at the newline:
// text with CRLF endings needs `\r?$`. A last line without a newline counts; a newline at the very end opens
// no further line. A pattern sees one line at a time, hence `^`, `$`, `\A` and `\z` are the line's ends and
// no pattern crosses lines. Which lines match, and where the first match lies, is exactly what regexp reports
// for each line on its own, also for invalid UTF-8 and NUL bytes.
//
// Why it is fast: running regexp over a whole file costs about 100 ns a byte for an alternation, so it is avoided:
//
//   - requirement.go derives from the parsed pattern a set of words, sequences of byte classes, at least one of
//     which is in every matching line;
//   - finder.go looks for these words by sampling two bytes out of every one to eight, whether they are one literal,
//     hundreds, ignore case, or are classes such as `[0-9]{4}`;
//   - a pattern that is nothing but its words is then done; for any other, automaton.go, a DFA built as far as the
//     text needs it, decides the candidate line, or reads the whole text if no word is rare enough to help;
//   - regexp is used only to locate the match in a matching line, and takes over if the DFA would not fit.
//
// The package touches no file and starts no goroutine. A Matcher is immutable; what changes is in a Scanner, one for
// each goroutine. builtins/code reads the files and calls it.
package match
