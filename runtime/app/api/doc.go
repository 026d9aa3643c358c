// Package api is the control API over HTTP: how a compactor is, its configuration, the
// sessions of clients, the tools they were listed and used, and its own tools for
// programs that do not speak MCP.
//
// One table (operations) says what there is. What routes requests and what describes
// them in OpenAPI is read off it, so that the description cannot say anything else.
// Bodies are bounded and closed, errors are problems (RFC 9457) with stable codes, and
// no page of another site may call it.
//
// It knows a Source and no store, gateway or session. Who may call is decided before,
// by runtime/mcp/guard; what changes something needs a token all the same. Neighbours:
// runtime/app/service is the Source, runtime/observe/dashboard shows the same to people.
package api
