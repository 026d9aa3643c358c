// Package session holds what is known of one client while it is there: its id,
// name and version, the era of the protocol that it speaks, the questions it asked
// with the places that were found, its conversation so far (the calls of tools,
// ours and those of upstream servers, with arguments and outcome), the tools it was
// last shown and how often it used which. A Store keeps the sessions apart, bounds
// them in number, size and time, and forgets one when its client has gone.
//
// A *Session travels with a request: through engine.Request to the expressions of
// pipelines, which see a View of it, and through gateway.Caller and gateway.Result
// to the hooks. A nil *Session is nobody's: it keeps nothing and shows nothing.
//
// # What there is of a client
//
// In the handshake era (2024-11-05 to 2025-11-25) a session begins with initialize.
// Its client says its name and version once, and all its requests belong together
// until it disconnects or, over HTTP, ends the session or leaves it unused.
//
// In the stateless era (2026-07-28) the protocol has no sessions. A request carries
// in its _meta what its client says of itself, and, where it goes on with a call
// that had asked something, the answers and the state of that call. This is all
// there is over HTTP: a request is a session of its own, without an id, that begins
// empty and holds the calls that were made for this one request, in all rounds of
// it. Nothing is remembered from one request to the next, and nothing was shown or
// used. Over stdio and unix sockets the connection is the session, in either era:
// who wrote to it before is who writes now.
//
// # What is kept
//
// Names and versions of clients are their own words and unverified. Arguments come
// masked: who adds a call masks it first, whole, since half a secret is not found.
// Results are not kept, only what they came to and how large they were. The id of a
// session is as good as a key over HTTP and does not leave; a View has a digest of
// it. All bounds are in bounds.go, and keep a session below 100 kB whatever its
// client does.
//
// It runs nothing, knows no tool and masks nothing. Neighbours: runtime/app/service
// opens sessions and adds calls of ours, runtime/gateway those of upstream servers,
// runtime/pipeline/plan declares View to expressions, runtime/app/hook runs pipelines on it.
package session
