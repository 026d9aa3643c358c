package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// Upstreams is a builtin's view of the upstream MCP servers, on behalf of one call.
// runtime/gateway implements it.
type Upstreams interface {
	// Servers lists the servers by name.
	Servers() []UpstreamServer
	// Tools returns the catalog as it is known. It waits for servers of which nothing is
	// known, of the given names or all, once and for a few seconds at most; those that
	// have not answered by then are Pending.
	Tools(ctx context.Context, servers ...string) *UpstreamTools
	// Known is Tools without waiting: servers of which nothing is known are still asked, and are Pending.
	Known(ctx context.Context) *UpstreamTools
	// Find resolves a tool's name as a model may write it: the listed name, server.tool, or
	// the tool's own name if only one server has it. The error names the nearest matches.
	Find(ctx context.Context, name, server string) (*UpstreamTool, error)
	// Execute runs one tool. It checks the arguments against the tool's schema first.
	Execute(ctx context.Context, name, server string, args json.RawMessage) (*contract.ToolResult, error)
	// Fetch reads part of a result that was kept for this session: only the originals,
	// and never those of another session.
	Fetch(ctx context.Context, w Fetch) (*contract.ToolResult, error)
	// PassThrough returns Upstreams for callers that shorten long results themselves: no result is cut into
	// pages. Results that the configuration summarizes are summaries here too.
	PassThrough() Upstreams
}

// Fetch says which part of a kept result to read: at most one of a page, a range of its
// lines or items, the matches of a query, and the target of a JSON path.
type Fetch struct {
	ID                 string
	Page               int
	Range, Query, Path string
}

// UpstreamServer describes the current state of one server.
type UpstreamServer struct {
	Name        string
	Description string
	State       string // idle, starting, ready, failing, open or held; unknown before the first look
	Problem     string // one line; empty if there is none
	Tools       int    // tools that can be seen and run
	Hidden      int    // tools withheld by rules or trust
	Known       bool   // its list of tools has been fetched
}

// Status returns the state as one of three words: connected, disconnected or error.
func (s UpstreamServer) Status() string {
	switch s.State {
	case "ready":
		return "connected"
	case "failing", "open":
		return "error"
	}
	return "disconnected"
}

// UpstreamTools is the catalog at one time. It is never changed, so what is derived from
// it stays valid as long as it does.
type UpstreamTools struct {
	List    []*UpstreamTool // by server, then in the server's own order
	Pending []string        // servers whose tools are not known

	once    sync.Once
	derived any
}

// Derive returns the result of build for this catalog, calling build only once.
func (t *UpstreamTools) Derive(build func(*UpstreamTools) any) any {
	t.once.Do(func() { t.derived = build(t) })
	return t.derived
}

// Withheld replaces a description that the user has not approved.
const Withheld = "(not shown until its user has approved it)"

// UpstreamTool is one tool of an upstream server.
type UpstreamTool struct {
	Server      string
	Name        string // at the server
	Renamed     string // its name in the configuration, in place of Name; "" for Name
	Listed      string // what clients call it
	Title       string
	Description string // without invisible characters
	About       string // description of the server
	Params      []UpstreamParam
	Input       json.RawMessage // JSON schema
	Output      json.RawMessage // JSON schema or nil
	Hints       string          // such as "read-only" or "destructive"; empty if the tool gives none
	Tags        []string
	Keywords    []string
	Hash        string                   // of its definition as fetched
	Enabled     bool                     // may be seen and run
	Why         string                   // why it is enabled or not, in words
	Trust       string                   // trusted, pending or quarantined
	Flags       []string                 // what was removed from its texts
	Uses        func() int               // calls so far by clients of the profile and of those that it learns from
	Calls       func() int               // calls so far by everyone: shown to the person who owns the tools, never to a client
	Examples    func() []json.RawMessage // arguments that calls may have; nil for none
}

// Called returns the name without the server's: the one in the configuration, or the tool's own.
func (t *UpstreamTool) Called() string { return cmp.Or(t.Renamed, t.Name) }

// UpstreamParam is one argument of a tool.
type UpstreamParam struct {
	Name        string
	Type        string // short, such as "string[]", "open|closed" or "{page: string} | null"
	Description string
	Enum        []string // of its values, or of a list's items
	Required    bool     // must be given: it has no default
}
