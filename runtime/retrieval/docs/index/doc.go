// Package index finds passages of documents by what is asked, without a model.
//
// A Builder takes passages and gives an Index: postings of words and of sequences
// of characters, compressed, and the latent space of the collection. Search runs
// three legs over it, BM25, latent semantic indexing and character n-grams, each
// on the passages that a filter allows and on no others, and fuses them: a leg's
// score divided by its best, times its weight, added up. A hit says what each leg
// gave it, and on demand which words and sequences; the figures add up to the
// score. Other legs, a table of vectors or an endpoint, come in by the port Leg.
//
// An index is written as one file with a version and a checksum, and a file that
// is not whole is refused when it is read, never later. README.md has the formulas
// with their sources, and what was measured.
//
// The package opens no file, keeps no text and knows no model. How documents are
// cut into passages is their caller's part, and so are the rights that a filter
// stands for. The arithmetic that rankings share is runtime/retrieval's; words are
// runtime/base/words'.
package index
