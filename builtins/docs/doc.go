// Package docs searches the collections of documents that the configuration names: docs.search
// finds passages, docs.lookup returns a document or a passage of it, docs.similar finds passages
// like a given one. docs.answer, docs.summarize and docs.entities read passages with
// runtime/retrieval/docs/answer, and check each quote against the library before they return it;
// docs.evidence numbers the same passages for a model, whose words are kept as far as the passages
// support them. None of them needs a model.
//
// Its Extractors are those of runtime/retrieval/docs/extractor and one for source code, which is
// read unchanged and split where runtime/lang/symbols finds declarations;
// runtime/retrieval/docs/library indexes with them.
//
// Documents are untrusted. A text is masked as a whole before anything is cut from it, because half
// a secret is not recognized; no instruction in it is followed. The package opens no file:
// collections come from the environment, whose creator chooses them.
package docs
