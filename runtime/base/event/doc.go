// Package event is the one stream of what happens while compactor works:
// requests, stages, builtins, calls of models and of upstream servers, cuts,
// hooks, reloads, runs over collections, and what answers from documents rest on, each with the request it belongs to and what caused it.
//
// A Stream has two kinds of readers. A Subscription is for sinks (a log, metrics,
// traces): it has a bounded queue of its own, an emitter never waits for it, and
// the event behind a gap says how many were lost there. A view is a function that
// is called at once, on the goroutine of the emitter, for what has to be known
// before the next step: the counts of a request, the progress its client sees. It
// must be quick.
//
// Whom an event belongs to travels in the context (see Into and Start), so that
// those who emit know nothing of requests. Where nobody wants a kind of event,
// emitting one costs a look at the context and nothing else.
//
// Events carry names, counts and codes. Texts in them may hold anything: who
// writes them anywhere masks them first, as runtime/observe/eventlog does. The
// package imports none of ours.
package event
