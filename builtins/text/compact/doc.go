// Package compact shortens the result of a tool to a bound in bytes, by its structure and without a model.
//
// What a later call needs are names: identifiers, paths, numbers, addresses, each with something it belongs to. So a
// text is read as units (lines, pieces of long lines, records, members), each unit is worth what it names for the
// first time and what its form says (an error, a heading, a definition), and the units that are worth most for their
// length are kept in their order, below the headings and declarations they stand under. Records become one table with
// its columns named once, trees become lines of members, search hits are grouped by file, lines that are alike are
// counted, failures of tests and errors of compilers are kept whole, frames of libraries are counted. What is kept is
// kept as it was written: a number is never printed anew. What was left out is said in notes that cannot be taken for
// the text.
//
// README.md has the kinds, the file of each, and the figures.
//
// It reads no file, asks no model and keeps no state. Masking comes before it, and what becomes of the original is for
// others: runtime/gateway/pages keeps it.
package compact
