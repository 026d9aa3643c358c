// Package coderank orders the files and definitions of a tree for a question.
//
// Nothing is indexed. A question is parsed first (Parse), and only its terms
// are counted while the tree is scanned, so memory follows the matches, not the
// tree. The work has two steps, and the caller reads the files for both:
//
//  1. every file is counted (Collector.Scan); the merge knows how rare each
//     term is and names the files worth a closer look (Ranker.Candidates);
//  2. those few are read by definition (Collector.Read) and ranked
//     (Ranker.Rank): BM25F over the fields of files, BM25 over definitions,
//     definitions and files that the question names, and a demotion of tests,
//     documents, vendored and generated files unless they are what is asked for.
//
// A name that does not occur is reported as not found, with the nearest names. Confidence says how
// far an answer can be trusted.
//
// A Stream holds what step one knows of a file independently of the question: its words as numbers.
// A caller that keeps streams between questions can replay them instead of scanning the text; the
// counts are the same.
//
// Files:
//
//	query.go, parse.go, sections.go        reading a question: its words and names; prose and pasted code apart
//	named.go, vote.go                      files and stack frames that a question names; finding them in the tree
//	intent.go                              the kind of answer wanted: a place, tests, callers, an option
//	followup.go, again.go                  questions that lean on an earlier one; the same words, another intent
//	foreign.go, lists.go                   questions in other languages; the word lists
//	finish.go, thesaurus.go, everyday.go   which terms are kept; synonyms, code words for everyday ones
//	weights.go, ranker.go                  the constants; how much a term weighs, which files are demoted
//	plan.go, collect.go                    what is counted for a question; counting it in a file
//	matcher.go, sieve.go, blocks*.go       finding terms and names in a text, 64 bytes at a time
//	bloom.go                               names that a file cannot hold
//	stream.go, replay.go                   a file's words as numbers; counting from these
//	bucket.go                              which files are tests, documents, vendored, generated
//	candidates.go                          which files are read by definition
//	tested.go, past.go                     evidence from tests and from commit messages
//	read.go, segment.go                    counting within definitions, names, comments and strings
//	score.go, shape.go                     scores of files; definitions named by two words of the question
//	rank.go, places.go, result.go          the answer: its files, why each is there, where to look in it
//	definitions.go, calls.go               ranking the definitions of all files; calls between them
//	confidence.go, trust.go                how far to trust an answer made of files, or of definitions
//	absent.go, near.go                     when nothing is found, and the nearest names
//
// Words are split and stemmed by runtime/base/words, and weighted by runtime/retrieval; synonyms,
// stop words and the translations of foreign words are in lists.
//
// The package reads no files, starts no goroutines and knows no budgets: that
// is builtins/code's part. Definitions and comments come from
// runtime/lang/symbols. The same tree, question and weights give the same
// result whatever the order in which workers saw the files.
package coderank
