// Package api implements the HTTP control API: the state of a compactor process, its configuration, client sessions,
// the tools that were listed and used, and compactor's own tools for programs that do not speak MCP.
//
// A single table (operations) defines all endpoints. Both the request routing and the OpenAPI description are derived
// from it, so they cannot disagree. Bodies are size-limited and reject unknown fields, errors are problems (RFC 9457)
// with stable codes, and pages of other sites cannot call the API.
//
// The package depends on a Source, not on the store, the gateway or sessions. runtime/mcp/guard has already
// authorized the caller; operations that change state need a token even so. Neighbours: runtime/app/service
// implements Source, runtime/observe/dashboard shows the same data to people.
package api
