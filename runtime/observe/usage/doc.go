// Package usage records which upstream tools the sessions of clients were offered and called,
// so that later sessions can be shown the tools that they will want.
//
// The code that serves sessions and calls reports them to a Tracker. It never blocks: events
// are put in a bounded queue, and a Log writes them in batches a little later. What does not
// fit is counted, and reported with its times. A process that is killed loses the batch that it
// had not written yet, about a second's worth, and another reports until when its calls are
// kept: at once if it runs on the same machine, otherwise a few minutes later.
//
// Batches are numbered, so that other running processes can read on.
//
// Over HTTP a client of the stateless era has no session: requests of clients with one name in
// one profile, in quick succession, count as one session.
//
// Ids of sessions are made by this package; names of clients and arguments are kept as keyed
// digests, or as configured; results are never kept.
//
// It knows no database: runtime/world/store has a Log. Neighbours: runtime/app/service reports
// calls to it, runtime/gateway/selection learns from what is kept.
package usage
