// Package control lets a person look into a running compactor, turn its upstream
// servers on and off, and have it forget what was deleted, from another terminal: each serve listens on a socket of its
// own, which only processes of the same user reach, and the commands find them all.
//
// It speaks JSON over HTTP on that socket and knows nothing of what it controls but
// the Operator that it is given. No client of MCP reaches it.
package control
