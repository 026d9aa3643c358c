// Package session holds what is known about one client while it is connected: its id, name
// and version, the era of the protocol that it speaks, the questions it asked with the
// places that were found, its conversation so far (the calls of our tools and of upstream
// servers' tools, with arguments and outcome), the tools it was last shown and how often it
// used each. A Store keeps the sessions apart, limits them in number, size and time, and
// forgets one when its client has gone.
//
// A *Session travels with a request: through engine.Request to the expressions of pipelines,
// which see a View of it, and through gateway.Caller and gateway.Result to the hooks. A nil
// *Session belongs to no client: it keeps nothing and shows nothing.
//
// # What is known about a client
//
// In the handshake era (2024-11-05 to 2025-11-25) a session begins with initialize. Its
// client gives its name and version once, and all its requests belong together until it
// disconnects or, over HTTP, ends the session or leaves it unused.
//
// In the stateless era (2026-07-28) the protocol has no sessions. The _meta of a request
// describes its client and, if the request continues a call that had asked something, has
// the answers and the state of that call. There is nothing else over HTTP: a request is a
// session of its own, without an id, that begins empty and holds the calls that were made
// for this one request, in all rounds of it. Nothing is remembered from one request to the
// next, and nothing was shown or used. Over stdio and unix sockets the connection is the
// session, in either era: all messages on it come from the same client.
//
// # What is kept
//
// Names and versions of clients are their own claims and unverified. Arguments come masked:
// the caller of Add masks them first, as a whole, since half a secret is not recognized.
// Results are not kept, only their outcome and size. Over HTTP the id of a session is as
// good as a key and is not disclosed; a View has a digest of it. All limits are in
// bounds.go, and keep a session below 100 kB whatever its client does.
//
// The package runs nothing, knows no tool and masks nothing. Neighbours: runtime/app/service
// opens sessions and adds calls of ours, runtime/gateway those of upstream servers,
// runtime/pipeline/plan declares View to expressions, runtime/app/hook runs pipelines on it.
package session
