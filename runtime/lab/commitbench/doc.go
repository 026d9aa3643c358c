// Package commitbench asks a configured tool questions whose answers are known,
// taken from a repository's own past, and hands the replies to runtime/lab/eval.
// Nobody writes a question.
//
// # How questions are derived
//
// History. The newest commits that led to the head are looked at, merges left
// out, until four times as many are usable as are wanted. A commit is usable
// when
//
//   - it modifies one to four source files that exist in its parent, adds at
//     most one and deletes or renames none. Source is what the caller says it
//     is: no test, document, example, script, build, generated or vendored
//     file. Other files may change beside them;
//   - it changes 3 to 600 lines in them, added and removed together;
//   - its subject is not that of a bump, typo, merge, release, revert, of
//     documents, tests, continuous integration, a chore, style, a refactoring
//     or a renaming, and has five words or more once cleaned;
//   - the question does not name a gold file by path, by base name with its
//     extension, or by its last two path parts.
//
// The question is the subject and the prose of the message. Cut away are
// prefixes ("fix(scope):", "pkg/foo:", "[TAG]", "#12 --"), numbers of issues,
// links, mentions, trailers, thanks, code blocks, traces, headings, tables and
// the list of commits that a squash leaves, and all past 600 characters. Gold
// are the source files that were modified, the most changed first. The tree
// that is searched is that of the parent, without its history, so that nothing
// in it can know of the change.
//
// Of the usable commits those asked are drawn by a digest of seed and name, at
// most three with the same first gold file: the same repository and seed give
// the same questions, and a new commit changes few of them.
//
// A line belongs to the innermost function or type around it. A reference is in
// the right lines when its line belongs to what a changed line of the parent
// belongs to, or is the first line of a function around that; for a change
// outside of all definitions, when it is within three lines. So a reference to
// one method of a class is not right when another was changed.
//
// Definition. Exported functions and types whose name is defined exactly once
// in the head's tree, at most one a file: "where is X defined?". The line is
// right within three. The names come from the very scanner that the shipped
// tools use, so this measures the search, not the scanner.
//
// Absent. The halves of two such names, joined to a name that occurs nowhere in
// the head's tree, in any case and with anything but letters and digits between
// its letters. The right answer names no place.
//
// # What a figure is worth
//
// A message says what was changed, not what a user would ask, and gold is what
// the author touched: a good answer may be a file that needed no change. So
// compare configurations on the same questions rather than a figure with 1.
// With 40 questions a difference under 15 points of a hit rate may be chance.
//
// # What may not come in
//
// No ranking, no language and no builtin: what a source file is and where its
// definitions are come in as functions. No scoring: that is runtime/lab/eval. Git is
// run by runtime/world/githistory alone. Nothing is written but below one temporary
// directory, which is removed when a run ends, also when it is cut short.
package commitbench
