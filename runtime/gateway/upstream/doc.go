// Package upstream connects to one foreign MCP server: it starts the server when it is first needed, speaks the
// protocol era that the server knows, and closes it when it is no longer used.
//
// Results, errors and notes are returned as the bytes that were sent. There are two layers:
//
//   - Server holds the connections: single-flight start, pool, idle close, back-off, circuit breaker, health.
//   - conn is one connection over a wire: requests, answers, notes and the server's own requests in order.
//
// In addition, Starts limits how many programs of all servers start at a time.
//
// mcp-go's client settles the protocol version and era of each connection (handshake.go) and its mcp package provides
// the names, headers and versions of the protocol. The bytes are carried by three wires of this package instead of
// mcp-go's transports, because a proxy for servers that may misbehave needs what those do not offer:
//
//   - notes and error data pass as written (mcp-go decodes them, which rounds large numbers);
//   - a message is limited in size and held once (mcp-go reads lines and events of any length, four copies each);
//   - an answer counts only under the id that was asked (over HTTP mcp-go takes any);
//   - a server's request over HTTP+SSE is answered (mcp-go drops it, and the server waits forever);
//   - HTTP 404 with a JSON-RPC error is that error (mcp-go reports a lost session);
//   - a program that does not read its input blocks only itself (mcp-go writes under a lock, without a limit).
//
// A server that may ask its client (Spec.Allow) is addressed in the era of the caller, if it speaks that era and the
// caller can be asked; a server of one era can ask callers of either. In the handshake era a question over a common
// stream names no request, so a connection carries the calls of one caller at a time (lease.go): no caller is asked
// because of another's call.
//
// Environment values, header values, credentials in URLs, arguments and results are never logged or put into an error.
//
// Files:
//
//	spec.go                             how a server is reached, and what it may ask
//	server.go                           one start shared by all callers; closing when idle; loss of a connection
//	start.go, starts.go                 whose turn it is to start
//	connect.go, handshake.go, eras.go   settling the protocol era; eras that a server turned out not to speak
//	pool.go, lease.go                   which connection carries a request, and whose calls share one
//	do.go                               time limits of a request; retrying one that did not run
//	breaker.go                          back-off, and refusing calls after repeated failures
//	alive.go                            giving up a connection that has gone silent
//	conn.go, message.go, scan.go        requests and answers on a connection; which messages are valid
//	params.go                           _meta and headers added to a request
//	list.go                             fetching all pages of a list
//	edition.go                          when a tool list counts as changed; whether a call may still be sent
//	ask.go, rounds.go                   the server's requests to its client, in the handshake era and the stateless one
//	notes.go, logs.go                   notes about a request; log lines that name none
//	changed.go                          change notifications and subscriptions, also after a reconnect
//	wire_stdio.go, lines.go             messages to and from a program
//	wire_http.go, wire_sse.go, sse.go   streamable HTTP, and HTTP with server-sent events
//	web.go, session.go, status.go       HTTP in common: tokens, redirects; sessions lost; refusals explained
//	health.go                           the state of a server, and what it printed
//	errors.go, reason.go, mask.go       failures in words, with advice and without secrets
package upstream
