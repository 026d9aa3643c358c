// Package library keeps a collection of documents and finds passages in it.
//
// An Indexer reads the files of a collection in five stages: discover, extract, chunk, embed and
// upsert. The result of a stage is stored under the key "collection:content hash:stage" and is not
// computed again, so a process that is killed at any moment loses no finished work and repeats
// none: the next one continues. A file that did not change costs a look at its inode. Readers see
// one version of the collection until the next is complete; that is then published whole, and
// contents that no document has any more are deleted. The same files give the same version,
// whatever happened on the way to it.
//
// A Library reads: Search finds passages by runtime/retrieval/docs/index, LookUp returns a document
// or a passage of it, Similar finds passages like one. A passage names its document, its bytes in
// the extracted text and its version.
//
// Results caches the results of searches for the same question of the same version.
//
// Files:
//
//	indexer.go               a run: its progress and report, and when a version is published
//	pattern.go               include and exclude patterns
//	read.go, extract.go      which files are read, skipped or kept after a failure; making text and chunks
//	grow.go, merge.go        building the missing segments of the index; when segments are merged
//	learn.go                 when the latent space is learnt again
//	vectors.go, compare.go   requesting and reading vectors; letting the database compare them
//	document.go, tags.go     documents, passages and their ids; tags
//	shelf.go                 what is stored, and what a store must do
//	library.go, warm.go      loading a version into memory; looking up a document
//	search.go, judge.go      a search: its steps, other wordings, added words, a model's verdicts
//	filter.go, takes.go      which passages and documents a query may find
//	set.go, lines.go         searching several collections; finding a document by name; counting its lines
//	results.go               which searches are cached
//	digest.go                comparing the contents of two indexes
//
// The package opens files only through runtime/safety/sandbox and knows no database: a Shelf keeps
// the records, and runtime/world/store implements one. Turning a kind of file into text is up to an
// extractor, of runtime/retrieval/docs/extract. The package decides no right and masks nothing:
// runtime/app/service decides who may search a collection, runtime/safety/egress masks secrets.
package library
