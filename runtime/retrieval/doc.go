// Package retrieval is the arithmetic that rankers share, whatever they rank:
// BM25 and its fields, the sum of several lists, and how far an answer can be
// believed. How text is taken apart is runtime/base/words' part; what is counted, and
// what a field is worth, is the ranker's.
package retrieval
