package main

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/term"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// sayServing tells a user at a terminal in one line what runs, where, and how to connect to
// it. Programs get the address alone: those that read standard error as a sentence, supervisors as a line on
// standard output.
func (a *app) sayServing(t server.Transport, addr net.Addr) {
	if _, seen := a.err.(*terminal); !seen {
		fmt.Fprintf(a.err, "compactor: listening on %s\n", addr)
		fmt.Fprintf(a.out, "SERVER_READY {\"transport\": %q, \"addr\": %q}\n", t.Kind, addr)
		return
	}
	at := "MCP over HTTP at http://" + addr.String() + server.Path + "; connect a client to this address"
	if t.Kind == server.Unix {
		at = "MCP over the socket " + addr.String() + "; connect a client to it"
	}
	if t.Token != "" {
		at += " with the bearer token"
	}
	if t.Browser != nil {
		at += "; see what happens with compactor dashboard --open"
	}
	fmt.Fprintf(a.err, "compactor: serving %s; Ctrl+C ends it\n", at)
}

// sayWaiting tells a user who started a server for a chat client by hand what it waits for.
func (a *app) sayWaiting(t server.Transport) {
	in, isFile := a.in.(*os.File)
	if _, seen := a.err.(*terminal); t.Kind != server.Stdio || !seen || !isFile || !term.IsTerminal(int(in.Fd())) {
		return
	}
	fmt.Fprintf(a.err, "compactor: waiting for an MCP client on standard input, as chat clients start it. Add it to one with: compactor install CLIENT; "+
		"or serve http://%s%s with: compactor serve --transport http; Ctrl+C ends it\n", server.DefaultAddr, server.Path)
}
