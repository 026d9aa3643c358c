// Package retrieval has the arithmetic that rankers share, whatever they rank: BM25 and its fields,
// the sum of several lists, and how far an answer can be trusted. Splitting text is up to
// runtime/base/words; the choice of what is counted, and the weight of a field, is up to the
// ranker.
package retrieval
