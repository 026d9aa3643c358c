// Package notes keeps pins: quotes of documents that somebody wants to find again, with
// a note on each.
//
// A pin names a document of a collection and the bytes of its quote in one version of
// it. Add takes none that does not stand there. List holds each pin against the document
// as it is now: one whose document changed says where the quote went, or that it is gone,
// and is then no quote any more. What belongs to a collection that the caller may not
// search is not listed, not counted to him and not named.
//
// Pins are records of their own, in a Book (runtime/world/store has one): none of them is in
// the index of a collection (runtime/retrieval/docs/index), so what a client pins changes nobody's
// search. The package masks nothing and decides no right: builtins/docs and
// runtime/app/service do.
package notes
