// Package index finds passages of documents for a question, without a model.
//
// A Builder takes passages and gives an Index: postings of words and of sequences of characters,
// compressed, and the latent space of the collection. Search runs three legs over it, BM25, latent
// semantic indexing and character n-grams, each on the passages that a filter allows and on no
// others, and fuses them: a leg's score divided by its best, times its weight, added up. A hit
// reports the score of each leg, and on demand of which words and sequences; the figures add up to
// the score. Other legs, a table of vectors or an endpoint, are added through the interface Leg.
//
// An index is written as one file with a version and a checksum, and an incomplete file is rejected
// when it is read, never later. README.md has the formulas with their sources, and measurements.
//
// Files:
//
//	passage.go, analyze.go             the fields of a passage; its words and sequences of characters
//	builder.go, table.go, posting.go   adding passages; how their postings are kept
//	segment.go, merge.go, index.go     storing, merging and assembling segments
//	pack.go                            the stored form: version, checksum, damage
//	search.go, pick.go                 fusing legs, breakdowns, confidence; finding the best passages
//	leg.go, more.go                    what a leg does; what is searched for, and words added to a question
//	bm25.go, ngram.go                  the legs over words and over sequences of characters
//	space.go, learn.go                 latent semantic indexing: vectors and scores; learning the space
//	vectors.go, coarse.go              vectors as bytes; fast products of limited error
//	expand.go                          words of the best passages, and abbreviations, for a second search
//	having.go, set.go                  passages that have given words; sets of passages
//	normal.go                          when two questions are the same
//	settings.go                        parameters, their defaults and ranges
//
// The package opens no file, keeps no text and knows no model. Cutting documents into passages is
// up to the caller, and so are the rights that a filter enforces. The arithmetic shared by rankings
// is in runtime/retrieval; words are split by runtime/base/words.
package index
