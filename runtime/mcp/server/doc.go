// Package server is the MCP face: it serves a Backend's tools to MCP clients over stdio, streamable HTTP and unix
// sockets, in both protocol eras at once (the handshake versions 2024-11-05 to 2025-11-25 and the stateless 2026-07-28).
//
// It knows nothing of what the tools do. It must not run pipelines, read files or redact: what a Backend returns has
// passed runtime/safety/egress already. It holds three promises that clients notice: every progress and log note of a call
// arrives before its answer, in order; a cancelled call stops; a call never brings the server down, whatever it is given.
//
// How it is cut:
//
//	backend.go              what is served: Tool, Call, Reply, Backend
//	forwarder.go            and what else may be: resources, prompts, completions
//	server.go, surface.go   the server and its cached view of the backend
//	choose.go               lists that differ from session to session
//	frame.go, answer.go     one JSON-RPC message in, one out
//	era.go                  which protocol era a request belongs to
//	dispatch.go, call.go    methods; one tool call
//	forward.go              one request that another server answers
//	notes.go                progress and log notes of a request
//	hub.go, notice.go       notes of what changed: who hears of them, which may pass
//	subscribe.go            subscriptions to changes, and to resources
//	raw_*.go, pass*.go      what passes as it is: definitions, results, notes and requests of other servers
//	ask.go, sample.go       our requests to clients: their own model is asked while a call is in flight
//	errand.go, errands.go   what is asked of a client of the stateless era, in rounds
//	fault.go, rpc.go        errors in words, with stable codes; errors that pass as they are
//	session.go              what is remembered of a client; its calls in flight
//	lines*.go               newline-delimited JSON: stdio and unix sockets
//	http*.go, sessions.go   streamable HTTP, and its sessions in the handshake era
//	serve.go                the transports by name
//	profile.go, token.go    what a client is served with, by what it asks for or by its token
//
// The protocol's own words (versions, negotiation, discovery, header rules, error shapes) come from mcp-go, which also
// answers every method that is not the backend's. Framing, tool lists and tool calls are our own: mcp-go writes notes and
// responses from different goroutines and loses the last ones, decodes numbers through float64, marshals the whole list
// for each request and keeps one stdio session per process.
//
// A tool may ask the client's own model (Call.Sample) where the client declared sampling in the handshake and its stream
// carries requests: over stdio, unix sockets and, with a stream of events, HTTP sessions. The stateless era has no
// requests to clients. What another server asks during a call (Call.Ask) becomes rounds there: the request ends with the
// question, the call waits, and the client comes again with the answer. Clients go few such rounds for one call, far fewer
// than a research takes; our own sampling is not offered there.
//
// A Backend in front of other servers hands on what they say as it is: definitions (Tool.Raw), results (Reply.Raw), notes
// (Call.Note) and requests to the client (Call.Ask) keep every member and digit. Only what belongs to this connection is
// ours: ids, tokens, and what the client's era wants or does not know. As a Forwarder it also answers for resources,
// prompts and completions, and as a Noticer it tells of their changes.
//
// A Profiler serves some clients other things than others. It is asked for each request, by what its client asks for
// (ProfileHeader, or the token of a Tokener, which is no wish but a bound) and calls itself, so that a changed configuration acts on sessions that are open; each profile has a
// surface of its own. A session cannot ask for another profile than it began with.
//
// Neighbours: runtime/base/toolargs checks arguments, runtime/base/rawjson walks JSON, server/listen opens sockets, server/guard checks
// HTTP requests; cmd/compactor joins a Backend to Serve.
package server
