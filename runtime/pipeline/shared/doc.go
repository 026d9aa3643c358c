// Package shared lets a client go on with another process than the one that it began with: what a session over HTTP
// remembers, and the long results that were kept for it, are in a store that the processes share.
//
// A Sharer is told of sessions and results by who serves them. A session is written when it begins and when a list was
// made for it, before the answer leaves; all else is written in the background, many at once, so that no call waits.
// What a process looks for is first in its own memory. Two processes that serve one session at once both change it: who
// finds another version in the store adds what it has not written yet to that (session.Merge), so nothing is lost and
// nothing is there twice. A process that is killed loses what it had not written, a second's worth at most.
//
// What is kept is sealed with a key made of the session's id and the access token, and its name is a digest of both: who
// reads the store finds neither an id that opens a session nor what was said in one, and a session reads no result of
// another, on whatever machine. A request of the stateless era has no session; there the id of a result takes its place.
//
// Processes do not speak with one another: there is only the store. It knows no database: runtime/world/store has a Shelf.
// Neighbours: runtime/pipeline/session is what is remembered, runtime/app/service tells of sessions and results.
package shared
