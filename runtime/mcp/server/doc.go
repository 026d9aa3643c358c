// Package server serves a Backend's tools to MCP clients over stdio, streamable HTTP and unix sockets, in both protocol
// eras at once (the handshake versions 2024-11-05 to 2025-11-25 and the stateless 2026-07-28).
//
// It knows nothing about what the tools do. It must not run pipelines, read files or redact: what a Backend returns has
// already passed runtime/safety/egress. It guarantees three things that clients notice: all progress and log notes of a
// call arrive before its response, in order; a cancelled call stops; no call, whatever its input, crashes the server.
//
// Files:
//
//	backend.go              what is served: Tool, Call, Reply, Backend
//	offers.go               what may be served besides tools: resources, prompts, completions
//	server.go, surface.go   the server and its cached view of the backend
//	choose.go               tool lists that differ between sessions
//	frame.go, answer.go     one JSON-RPC message in, one out
//	era.go                  which protocol era a request belongs to
//	dispatch.go, call.go    methods; one tool call
//	forward.go              a request that another server answers
//	notes.go                progress and log notes of a request
//	hub.go, notice.go       change notes: who receives them, and which may pass
//	subscribe.go            subscriptions to changes, and to resources
//	raw_*.go, pass*.go      what is passed on verbatim: definitions, results, notes and requests of other servers
//	ask.go, sample.go       requests to the client, such as for its model, while a call is in flight
//	errand.go, errands.go   the same for clients of the stateless era, in rounds
//	fault.go, rpc.go        errors in words, with stable codes; errors that are passed on verbatim
//	session.go              the state of a client; its calls in flight
//	lines*.go               newline-delimited JSON: stdio and unix sockets
//	http*.go, sessions.go   streamable HTTP, and its sessions in the handshake era
//	serve.go                the transports by name
//	profile.go, token.go    what a client is served, by the profile it requests or by its token
//
// The protocol's own words (versions, negotiation, discovery, header rules, error shapes) come from mcp-go, which also
// answers every method that is not the backend's. Framing, tool lists and tool calls are our own: mcp-go writes notes
// and responses from different goroutines and loses the last ones, decodes numbers through float64, marshals the whole
// list for each request and keeps one stdio session per process.
//
// A tool may call the client's own model (Call.Sample) if the client declared sampling in the handshake and its stream
// can carry requests: over stdio, over unix sockets, and in HTTP sessions with an event stream. The stateless era has
// no requests to clients. There, what another server asks during a call (Call.Ask) becomes rounds: the response
// contains the question, the call waits, and the client sends the request again with the answer. Clients allow only a
// few rounds per call, far fewer than a research task needs, so our own sampling is not offered there.
//
// A Backend in front of other servers passes on their words verbatim: definitions (Tool.Raw), results (Reply.Raw),
// notes (Call.Note) and requests to the client (Call.Ask) keep every member and digit. Only what belongs to this
// connection is replaced: ids, tokens, and what the client's era requires or does not know. Such a backend also answers
// for resources, prompts and completions (Backend.Offers, Backend.Forward) and reports their changes (Backend.OnNotice).
//
// A Backend may serve different things to different clients (Backend.Profile, Backend.As). Profile is called for each
// request, with the client's name and the requested profile (of ProfileHeader, or of a token of Backend.Holders, which is
// binding), so a changed configuration
// applies to open sessions. Each profile has its own surface. A session keeps the profile it began with.
//
// Neighbours: runtime/base/toolargs checks arguments, runtime/base/rawjson walks JSON, runtime/mcp/listen opens
// sockets, runtime/mcp/guard checks HTTP requests; cmd/compactor connects a Backend to Serve.
package server
