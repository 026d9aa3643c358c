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
// What is not there is answered as not found, with the nearest names. How far an
// answer can be believed is its Confidence.
//
// A Stream is what step one knows of a file whatever the question: its words as
// numbers. A caller that keeps streams between questions has them replayed
// instead of scanning the text, with the same counts.
//
// Words are cut and stemmed by runtime/base/words, and weighed by runtime/retrieval;
// synonyms, stop words and what questions in other languages mean stand in lists.
//
// The package reads no files, starts no goroutines and knows no budgets: that
// is builtins/code's part. Definitions and comments come from
// runtime/lang/symbols. The same tree, question and weights give the same
// result whatever the order in which workers saw the files.
package coderank
