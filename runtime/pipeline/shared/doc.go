// Package shared lets a client continue with another process than the one that it began with: what an HTTP session
// remembers, and the long results kept for it, are in a store that the processes share.
//
// The code that serves sessions and results reports them to a Sharer. A session is written when it begins and when a
// list was made for it, before the answer is sent; all else is written in batches in the background, so that no call
// waits. A process looks in its own memory first. If two processes serve one session at once, both change it: the one
// that finds another version in the store merges its unwritten changes into that (session.Merge), so nothing is lost or
// duplicated. A process that is killed loses what it had not written, at most about a second's worth.
//
// Contents are sealed with a key derived from the session's id and the access token, and names are digests of both: a
// reader of the store finds no id that opens a session and nothing said in one, and no session can read another's
// results, on whatever machine. A request of the stateless era has no session; the id of the result takes its place.
//
// Processes do not talk to each other, and this package knows no database: runtime/world/store has a Shelf. Neighbours:
// runtime/pipeline/session is what is remembered, runtime/app/service reports sessions and results.
package shared
