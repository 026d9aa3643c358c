// Package notes keeps pins: quotes of documents that a user wants to find again, with a note on
// each.
//
// A pin names a document of a collection and the bytes of its quote in one version of it. Make
// rejects a quote that is not there. Stand compares pins with their documents as they are now: for
// a changed document it reports where the quote went, or that it is gone, and then it is not a
// quote any more. Pins of a collection that the caller may not search are not listed, not counted
// and not named.
//
// Pins are records of their own, in a Book (runtime/world/store implements one): none of them is in
// the index of a collection (runtime/retrieval/docs/index), so the pins of a client change no
// search. The package masks nothing and decides no right: builtins/docs and runtime/app/service do.
package notes
