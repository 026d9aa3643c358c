// Package eventlog writes the event stream as lines: JSON for programs, text for people. It
// is the stream's first sink, and the handler for log/slog, so that log records of the
// program and events are in one order.
//
// # Levels
//
//   - error: a configuration that was rejected, an error that is compactor's own fault
//   - warn: a model that failed, a hook that was skipped, an upstream server that is
//     no longer called, a collection that could not be indexed, events that were lost
//   - info: requests, calls of upstream servers, cuts, reloads, new versions of collections
//   - debug: everything else: stages, builtins, calls of models, searches, answers,
//     states of upstream servers, and beginnings and intermediate steps
//
// Records that the program logs keep their level.
//
// # Secrets
//
// Every text of a line is masked before it is written, by the current redactor, which also
// considers the names of members. Identifiers that we make ourselves (event.ID) are not
// masked: they look like secrets but are not.
//
// # Failures
//
// Lines are written by a goroutine of their own. While a slow disk or terminal blocks it,
// events wait in a bounded queue; beyond that they are dropped, counted, and reported with
// the next line. A file that cannot be written is reported once, and lines are lost until
// it can.
package eventlog
