// Package vectors ranks passages by vectors that are not made from the collection itself: vectors
// of a model at an endpoint, or of a table of words in a file.
//
// A Tier makes vectors of texts. The indexer asks it for the vectors of passages, and the shelf
// stores them, as bytes with a scale (Rows); a search asks it for the vector of the question. A Leg
// compares the two for runtime/retrieval/docs/index, which fuses it with its own. The score is the
// cosine above the mean of the passages that may be found: vectors of a model are all alike to some
// degree, and only the rest distinguishes passages.
//
// The package opens no connection and stores nothing; its callers decide what answers an endpoint,
// and where vectors are stored.
package vectors
