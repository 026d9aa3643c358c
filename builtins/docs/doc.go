// Package docs searches the collections of documents that the configuration names:
// docs.search finds passages, docs.lookup gives a document or a passage as it stands in
// it, docs.similar finds passages like one. docs.answer, docs.summarize and docs.entities
// read passages by runtime/retrieval/docs/answer, and hold each quote against the library before
// it leaves; docs.evidence numbers the same passages for a model, whose words stand as
// far as the passages bear them out. None of them needs a model.
//
// Its Extractors are those of runtime/retrieval/docs/extractor and one for source code, which is read as
// it is and cut where runtime/lang/symbols finds declarations; runtime/retrieval/docs/library
// indexes with them.
//
// What documents say is written by strangers. A text is masked whole before anything is
// cut from it, for half a secret is not found; nothing in it is followed. The package
// opens no file: collections come through the environment, and which ones is decided
// by who makes it.
package docs
