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
// Words are split and stemmed by runtime/base/words, and weighted by runtime/retrieval; synonyms,
// stop words and the translations of foreign words are in lists.
//
// The package reads no files, starts no goroutines and knows no budgets: that
// is builtins/code's part. Definitions and comments come from
// runtime/lang/symbols. The same tree, question and weights give the same
// result whatever the order in which workers saw the files.
package coderank
