// Package library keeps a collection of documents and finds passages in it.
//
// An Indexer reads the files of a collection in five stages: discover, extract,
// chunk, embed and upsert. What a stage made is kept under the key
// "collection:content hash:stage" and is not made again, so a process that is killed
// at any moment loses no finished work and repeats none: the next one goes on. A file
// that did not change costs a look at its inode. Readers see one version of the
// collection until the next is whole; then all of it is put in place at once, and what
// no document has any more is let go. The same files give the same version, whatever
// happened on the way to it.
//
// A Library reads: Search finds passages by runtime/retrieval/docs/index, LookUp gives a document
// or a passage as it stands in it, Similar finds passages like one. A passage names its
// document, its bytes in the extracted text and the version that it is of.
//
// Results keeps what was found for who asks the same again of the same version.
//
// The package opens no file but through runtime/safety/sandbox and knows no database: a Shelf
// keeps the records, and runtime/world/store has one. How a kind of file becomes text is an
// extractor's part, of runtime/retrieval/docs/extract. It decides no right and masks nothing: who
// may search a collection is runtime/app/service's part, secrets are runtime/safety/egress'.
package library
