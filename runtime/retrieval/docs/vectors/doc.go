// Package vectors ranks passages by vectors that are not made of the collection itself:
// those of a model at an endpoint, or of a table of words in a file.
//
// A Tier makes vectors of texts. The indexer asks it for those of passages, and the shelf
// keeps them, as bytes with a scale (Rows); a search asks it for that of the question. A
// Leg compares the two for runtime/retrieval/docs/index, which fuses it with its own. The score is
// the cosine over the mean of the passages that may be found: vectors of a model are all
// alike to some degree, and only the rest tells passages apart.
//
// The package opens no connection and keeps nothing; who answers an endpoint, and where
// vectors stay, its callers decide.
package vectors
