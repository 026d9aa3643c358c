// Package compact shortens the result of a tool to a limit in bytes, by its structure and without a model.
//
// A later call needs names: identifiers, paths, numbers and addresses, each with the thing it belongs to. A text is
// therefore split into units (lines, pieces of long lines, records, members). The worth of a unit comes from what it
// names for the first time and from its form (an error, a heading, a definition). The units with the most worth for
// their length are kept in order, below their headings and declarations. Records become one table with its columns
// named once, trees become lines of members, search hits are grouped by file, similar lines are counted, test failures
// and compiler errors are kept whole, library frames are counted. What is kept is kept verbatim: no number is ever
// reformatted. Notes in a form that cannot be mistaken for the text say what was left out.
//
// README.md lists the kinds, the file that handles each, and the measurements.
//
// The package reads no file, calls no model and keeps no state. Secrets are masked before it runs, and the original is
// kept elsewhere, in runtime/gateway/pages.
package compact
