// Package usage keeps which upstream tools the sessions of clients were offered and
// called, so that later ones can be shown the tools that they will want.
//
// A Tracker is told of sessions and calls by who serves them. It never waits: what
// comes is queued, bounded, and written by a Log many at once and a little later. What
// did not fit is counted, and said with its times. A process that was killed loses the
// batch that it had not written yet, a second's worth, and another says until when its
// calls are kept: at once where it runs on the same machine, else a few minutes later.
//
// Each batch has a number, by which others that are running read on.
//
// Over HTTP a client of the stateless era has no session: what clients of one name do in
// one profile, one thing soon after the other, is taken for one.
//
// Ids of sessions are of this package's making; names of clients and arguments are
// kept as keyed digests, or as the configuration says; results are never kept.
//
// It knows no database: runtime/world/store has a Log. Neighbours: runtime/app/service tells it
// of calls, runtime/gateway/selection learns from what is kept.
package usage
