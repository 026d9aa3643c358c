// Package control lets a person inspect a running compactor from another terminal, turn its upstream servers on and
// off, and have it forget deleted records. Each serve process listens on its own socket, which only processes of the
// same user can reach, and the commands find all of them.
//
// It speaks JSON over HTTP on that socket and knows only the Operator, nothing else of what it controls. MCP clients
// cannot reach it.
package control
