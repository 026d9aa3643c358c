// Package event is the single stream of what happens while compactor works: requests,
// stages, builtins, calls of models and of upstream servers, cuts, hooks, reloads, runs
// over collections, and what answers from documents are based on, each with the request
// it belongs to and the call that caused it.
//
// A Stream has two kinds of readers. A Subscription is for sinks (a log, metrics,
// traces): it has a bounded queue of its own, an emitter never waits for it, and the
// event after a gap says how many were lost there. A view is a function that is called
// immediately, on the emitter's goroutine, for data that is needed before the next
// step: the counts of a request, the progress its client sees. It must be quick.
//
// The context carries what an event belongs to (see Stream.WithContext and Start), so that emitters
// know nothing about requests. If nothing reads a kind of event, emitting one costs a
// look at the context and nothing else.
//
// Events carry names, counts and codes. Texts in them may hold anything: a reader has
// to mask them before writing them anywhere, as runtime/observe/eventlog does. The
// package imports none of ours.
package event
