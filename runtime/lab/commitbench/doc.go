// Package commitbench asks a configured tool questions whose answers are known,
// taken from a repository's own past, and hands the replies to runtime/lab/eval.
// No question is written by hand.
//
// # How questions are derived
//
// History. The newest commits that led to the head are examined, except merges,
// until four times as many are usable as are wanted. A commit is usable if
//
//   - it modifies one to four source files that exist in its parent, adds at
//     most one and deletes or renames none. The caller decides what is source:
//     no test, document, example, script, build, generated or vendored file.
//     Other files may change as well;
//   - it changes 3 to 600 lines in them, added and removed together;
//   - its subject is not about a bump, typo, merge, release or revert, nor about
//     documents, tests, continuous integration, a chore, style, a refactoring
//     or a renaming, and has five words or more once cleaned;
//   - the question does not name a gold file by path, by base name with its
//     extension, or by its last two path parts.
//
// The question is the subject and the prose of the message, without prefixes
// ("fix(scope):", "pkg/foo:", "[TAG]", "#12 --"), numbers of issues, links,
// mentions, trailers, thanks, code blocks, traces, headings, tables and the list
// of commits that a squash leaves, cut at 600 characters. The gold files are the
// source files that were modified, the most changed first. The tree that is
// searched is the parent's, without its history, so that nothing in it reveals
// the change.
//
// The commits to ask about are drawn from the usable ones by a digest of seed
// and name, at most three with the same first gold file: the same repository and
// seed give the same questions, and a new commit changes few of them.
//
// A line belongs to the innermost function or type around it. A reference is in
// the right lines if its line belongs to the same definition as a changed line
// of the parent, or is the first line of a function around that definition; for
// a change outside of all definitions, if it is within three lines. So a
// reference to one method of a class is not right if another was changed.
//
// Definition. Exported functions and types whose name is defined exactly once
// in the head's tree, at most one per file: "where is X defined?". The line may
// be off by three. The names come from the same scanner that the shipped tools
// use, so this measures the search, not the scanner.
//
// Absent. The halves of two such names, joined into a name that occurs nowhere
// in the head's tree, even if case and all characters other than letters and
// digits are ignored. The right answer names no place.
//
// # What a figure is worth
//
// A message says what was changed, not what a user would ask, and gold is what
// the author touched: a good answer may be a file that needed no change. So
// compare configurations on the same questions, not a figure with 1.
// With 40 questions a difference under 15 points of a hit rate may be chance.
//
// # What does not belong here
//
// Ranking, languages and builtins: functions of the caller say what a source file
// is and where its definitions are. Scoring: that is runtime/lab/eval. Only
// runtime/world/githistory runs git. Files are written only below one temporary
// directory, which is removed when a run ends, even if it is cut short.
package commitbench
