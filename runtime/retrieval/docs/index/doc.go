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
// The package opens no file, keeps no text and knows no model. Cutting documents into passages is
// up to the caller, and so are the rights that a filter enforces. The arithmetic shared by rankings
// is in runtime/retrieval; words are split by runtime/base/words.
package index
