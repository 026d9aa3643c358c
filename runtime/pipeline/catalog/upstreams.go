package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// Upstreams is what a builtin sees of the upstream MCP servers, on behalf of
// one call. runtime/gateway implements it.
type Upstreams interface {
	// Servers lists the servers by name.
	Servers() []UpstreamServer
	// Tools is the catalog as it is known. Servers of which nothing is known, of
	// these names or all, are waited for, once and for a few seconds at most;
	// those that have not answered by then are Pending.
	Tools(ctx context.Context, servers ...string) *UpstreamTools
	// Known is Tools without waiting: servers of which nothing is known are asked
	// all the same, and Pending.
	Known(ctx context.Context) *UpstreamTools
	// Find resolves a tool's name as a model may write it: listed name,
	// server.tool, or the tool's own name where only one server has it. The error
	// names the nearest.
	Find(ctx context.Context, name, server string) (*UpstreamTool, error)
	// Execute runs one tool. Arguments are checked against its schema first.
	Execute(ctx context.Context, name, server string, args json.RawMessage) (*contract.ToolResult, error)
	// Fetch reads a part of a result that was kept for the session: its originals
	// alone, and no other session's.
	Fetch(ctx context.Context, w Fetch) (*contract.ToolResult, error)
	// Whole is the same for who makes long results short by himself: none is cut into
	// pages. What the configuration has made a summary of is one all the same.
	Whole() Upstreams
}

// Fetch says what of a kept result is read: at most one of a page, a range of its
// lines or items, what a query finds in it, and what a JSON path leads to.
type Fetch struct {
	ID                 string
	Page               int
	Range, Query, Path string
}

// UpstreamServer is one server as it stands.
type UpstreamServer struct {
	Name        string
	Description string
	State       string // idle, starting, ready, failing, open or held; unknown before the first look
	Problem     string // one line; empty where there is none
	Tools       int    // that can be seen and run
	Hidden      int    // that rules or trust keep back
	Known       bool   // its list of tools has been fetched
}

// Status is the state in one of three words: connected, disconnected or error.
func (s UpstreamServer) Status() string {
	switch s.State {
	case "ready":
		return "connected"
	case "failing", "open":
		return "error"
	}
	return "disconnected"
}

// UpstreamTools is the catalog at one time. It is never changed: what is
// derived from it can be kept as long as it is.
type UpstreamTools struct {
	List    []*UpstreamTool // by server, then in the server's own order
	Pending []string        // servers whose tools are not known

	once    sync.Once
	derived any
}

// Derive returns what build made of the catalog, once.
func (t *UpstreamTools) Derive(build func(*UpstreamTools) any) any {
	t.once.Do(func() { t.derived = build(t) })
	return t.derived
}

// Withheld stands for a description that nobody has approved.
const Withheld = "(not shown until its user has approved it)"

// UpstreamTool is one tool of an upstream server.
type UpstreamTool struct {
	Server      string
	Name        string // at the server
	Renamed     string // what the configuration calls it in place of Name; "" for Name
	Listed      string // what clients call it
	Title       string
	Description string // cleaned of what cannot be seen
	About       string // description of the server
	Params      []UpstreamParam
	Input       json.RawMessage // JSON schema
	Output      json.RawMessage // JSON schema or nil
	Hints       string          // such as "read-only" or "destructive"; empty where it says nothing
	Tags        []string
	Keywords    []string
	Hash        string                   // of its definition as it was fetched
	Enabled     bool                     // may be seen and run
	Why         string                   // in words, why it is enabled or not
	Trust       string                   // trusted, pending or quarantined
	Flags       []string                 // what was taken out of its texts
	Uses        func() int               // calls so far by clients of the profile and of those that it learns from
	Calls       func() int               // calls so far by all: for the person whose tools these are, and no client
	Examples    func() []json.RawMessage // arguments of calls as they may be; nil for none
}

// Called is its name without the server's: its own, or what the configuration calls it.
func (t *UpstreamTool) Called() string { return cmp.Or(t.Renamed, t.Name) }

// UpstreamParam is one argument of a tool.
type UpstreamParam struct {
	Name        string
	Type        string // short, such as "string[]", "open|closed" or "{page: string} | null"
	Description string
	Enum        []string // of its values, or of a list's items
	Required    bool     // must be given: it has no default
}
