// Package eventlog writes the event stream as lines: JSON for programs, text for
// people. It is the stream's first sink, and the handler for log/slog, so that what
// the program logs and what happens stand in one order.
//
// # Levels
//
//   - error: a configuration that was refused, an error that is compactor's own fault
//   - warn: a model that failed, a hook that was skipped, an upstream server that is
//     not called any more, a collection that could not be indexed, events that were lost
//   - info: requests, calls of upstream servers, cuts, reloads, new versions of collections
//   - debug: all else: stages, builtins, calls of models, searches, answers, states of
//     upstream servers, and what begins or is on its way
//
// What the program logs has the level it was logged with.
//
// # Secrets
//
// Every text of a line is masked before it is written, by the redactor in force and
// with the names of members in mind. Identifiers of our own making (event.ID) are
// not: they look like secrets and are none.
//
// # Trouble
//
// A line is written on a goroutine of its own. What is emitted while a slow disk or
// terminal holds it up waits in a bounded queue, then is dropped, counted, and said
// with the next line. A file that cannot be written is said once, and lines are lost
// until it can.
package eventlog
