// Package upstream is one MCP server of somebody else as something that can be asked: it is started when it is first
// needed, spoken to in the protocol era it knows, and closed when nobody asks any more.
//
// Results, errors and notes come back as the bytes that were sent. Two layers:
//
//   - Server holds the connections: start in single flight, pool, idle close, back-off, circuit breaker, health.
//   - conn is one connection over a wire: requests, answers, notes and the server's own requests in order.
//
// Beside them Starts has the programs of all servers start a few at a time.
//
// mcp-go's client settles the protocol version and era of each connection (handshake.go) and its mcp package gives the
// names, headers and versions of the protocol. The bytes are carried by three wires of this package instead of
// mcp-go's transports, because a proxy in front of servers that nobody vouches for needs what those do not give:
//
//   - notes and error data pass as written (mcp-go decodes them, which rounds large numbers);
//   - one message is bounded, and held in memory once (mcp-go reads lines and events of any length, four copies each);
//   - an answer counts only under the id that was asked (over HTTP mcp-go takes any);
//   - a server's request over HTTP+SSE is answered (mcp-go drops it, and the server waits for ever);
//   - HTTP 404 with a JSON-RPC error is that error (mcp-go reports a lost session);
//   - a program that does not read its input holds up nobody but itself (mcp-go writes under a lock, without a limit).
//
// A server that may ask its client (Spec.Allow) is spoken to in the era of the caller, if it speaks that and the caller
// can be asked; a server of one era puts its questions to callers of either. In the handshake era a question over a common
// stream names no request, so a connection carries the calls of one caller at a time (lease.go): nobody is asked because
// of a call that is not his.
//
// Nothing of env values, header values, credentials in URLs, arguments or results is ever logged or put into an error.
package upstream
