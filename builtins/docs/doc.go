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
//
// Files:
//
//	search.go, snippet.go       finding passages, and with what confidence; the excerpt shown for a hit
//	explain.go, view.go         the scores of a hit by kind of signal; hits as text for a model
//	followup.go, wordings.go    words taken from earlier questions; other wordings to search for
//	source.go                   collecting the passages to answer from; checking citations against the library
//	answer.go                   answering, or abstaining; how much of a model's text the passages support
//	summarize.go, entities.go   summaries; names and values
//	evidence.go                 passages numbered for a model's prompt
//	cite.go                     answers as research results, with documents and lines as references
//	lookup.go                   a document, or a part of it
//	pin.go, pinned.go           keeping and listing pins; adding them to searches and answers
//	mask.go, clean.go           masking secrets that cross a passage's borders; what may be quoted byte for byte
//	extract.go                  splitting source code at its declarations
//	audit.go                    what the events of a request say about searches and answers
package docs
