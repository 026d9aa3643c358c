package server

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
)

// Backend is what a Server serves. All methods may be called concurrently. A backend that serves tools alone embeds
// ToolsOnly and writes the first four.
type Backend interface {
	// Tools lists the tools in the order clients shall see. The order should not change without need: it is part of the
	// prompt that a model has already read. Choose may list fewer to a session. ctx ends with the server.
	Tools(ctx context.Context) []Tool
	// Instructions returns a short text for the client's system prompt; "" for none.
	Instructions() string
	// Call runs one tool. The context ends when the client cancels or the server stops; Call must then return soon,
	// with what it has or with the context's error. A panic is recovered and reported as an internal error.
	Call(ctx context.Context, c Call) (Reply, error)
	// OnChange registers a function to be called after Tools or Instructions changed, without holding a lock that Tools
	// needs. Its argument is the session concerned, or "" for all. stop ends the registration.
	OnChange(changed func(session string)) (stop func())

	// Chooses reports whether different tools may be listed to different sessions. It is called together with Tools.
	Chooses() bool
	// Choose returns the names of the tools to list to a session, in order. It is called for each list. A tool that is
	// left out can still be called.
	Choose(ctx context.Context, s Session) []string
	// Presented is called with each list of tools that a client requested. names does not change afterwards.
	Presented(s Session, names []string)
	// Await returns when all tools can be listed, or the named one can be called. It has a time limit, and returns at
	// once if nothing is missing. changed reports that Tools has changed since the last OnChange. The error says why
	// the named tool is unavailable.
	Await(ctx context.Context, tool string) (changed bool, err error)
	// Missing reports whether Await without a name may take a while.
	Missing() bool
	// Elsewhere is called for a tool that is not in the list. The error is what the client's model reads in place of
	// "unknown tool": how to call it, or why it cannot be called; nil if there is nothing to say. args are as sent.
	Elsewhere(ctx context.Context, name string, args json.RawMessage) error
	// ShowsOutput decides whether a client receives the output schemas of the backend's own tools.
	ShowsOutput(c Client) bool
	// ShowsAdvanced decides whether a client sees all inputs of the backend's own tools, or those of Tool.Plain.
	ShowsAdvanced(c Client) bool
	// Echo returns what an error may repeat of a client's input, which may contain a secret.
	Echo(text string) string

	// Offers returns what there is besides tools. It is called together with Tools, at the start and after each change.
	Offers() Offers
	// Forward answers one request about something that Offers names with its whole result, an object: see Forward.
	Forward(ctx context.Context, f Forward) (json.RawMessage, error)
	// OnNotice registers a function that passes on a note that belongs to no request. The function does not wait for
	// clients and may be called from any goroutine. stop ends the registration.
	OnNotice(tell func(Notice)) (stop func())

	// SessionEnded is called once for each session that is over; ids are not reused.
	SessionEnded(session string)
	// Sharer returns what lets several servers serve the same sessions; nil if they do not.
	Sharer() SessionSharer
	// Profile returns the name of the profile for a client. asked is what the client requests, by header or by token,
	// nil if nothing; client is its name. The error, which the client reads, says which profiles can be requested.
	Profile(asked *Asked, client string) (string, error)
	// As returns the backend for the clients of a profile: all its other methods are about that profile. nil means that
	// all profiles are served alike.
	As(profile string) Backend
	// Holders returns those who have access tokens of a profile: over HTTP such a token decides the profile. nil if
	// there are none.
	Holders() guard.Holders
}

// ToolsOnly has the other methods of a Backend that serves the same tools to every client, and nothing else.
type ToolsOnly struct{}

func (ToolsOnly) Chooses() bool                                            { return false }
func (ToolsOnly) Choose(context.Context, Session) []string                 { return nil }
func (ToolsOnly) Presented(Session, []string)                              {}
func (ToolsOnly) Await(context.Context, string) (changed bool, err error)  { return false, nil }
func (ToolsOnly) Missing() bool                                            { return false }
func (ToolsOnly) Elsewhere(context.Context, string, json.RawMessage) error { return nil }
func (ToolsOnly) ShowsOutput(Client) bool                                  { return true }
func (ToolsOnly) ShowsAdvanced(Client) bool                                { return true }
func (ToolsOnly) Echo(text string) string                                  { return text }
func (ToolsOnly) Offers() Offers                                           { return Offers{} }
func (ToolsOnly) Forward(context.Context, Forward) (json.RawMessage, error) {
	return nil, errors.New("nothing is forwarded")
}
func (ToolsOnly) OnNotice(func(Notice)) (stop func())    { return func() {} }
func (ToolsOnly) SessionEnded(string)                    {}
func (ToolsOnly) Sharer() SessionSharer                  { return nil }
func (ToolsOnly) Profile(*Asked, string) (string, error) { return "", nil }
func (ToolsOnly) As(string) Backend                      { return nil }
func (ToolsOnly) Holders() guard.Holders                 { return nil }

// Session identifies the session that a request belongs to.
type Session struct {
	ID        string // the same for all requests of a client's session; "" over HTTP in the stateless era
	Client    Client
	Stateless bool // the request is of the stateless era
}

// SessionSharer lets several servers serve the same sessions over HTTP, in the handshake era. Its methods return quickly.
type SessionSharer interface {
	// ShareSession makes a session available to other servers, with the state they need to serve it. It is called again
	// when the state changes.
	ShareSession(ctx context.Context, s Session, state json.RawMessage)
	// ResumeSession returns the state of a session that another server began; nil if there is none. An error says that
	// this is unknown at the moment.
	ResumeSession(ctx context.Context, id string) (state json.RawMessage, err error)
	// RefreshSession takes over what other servers know about a session, before a list is made for it.
	RefreshSession(ctx context.Context, id string)
	// ShownTo returns the names of the tools that a session was last shown, by any server.
	ShownTo(id string) []string
	// SessionUsed notes that a session is in use.
	SessionUsed(id string)
	// EndSession ends a session on all servers, at its client's request.
	EndSession(ctx context.Context, id string)
	// OnEnded registers a function to be called for sessions that were ended on other servers.
	OnEnded(ended func(session string)) (stop func())
}

// Tool is one tool as clients see it.
type Tool struct {
	Name        string          // 1 to 128 of A-Z a-z 0-9 _ - .
	Title       string          // for people; may be empty
	Description string          // for models
	Input       json.RawMessage // JSON schema of the arguments, an object; empty: no arguments
	Output      json.RawMessage // JSON schema of Reply.Structured; empty: none is promised
	Plain       json.RawMessage // the inputs that every client sees, if Input has more; empty: all of Input
	Annotations Annotations
	Hidden      bool // can be called but is not listed

	// Raw is the whole definition as clients shall see it, a JSON object whose name is Name. Title, Description, Output
	// and Annotations are not sent then, and Input, if set, is only used to check arguments. Empty: the definition is
	// made from the fields above. Only space between its tokens may be lost.
	Raw json.RawMessage
	// Unchecked passes the arguments to Call as they were sent: the backend checks and repairs them itself. Duplicate
	// names are rejected anyway.
	Unchecked bool
}

// Annotations are the hints a client may base a confirmation on. They are sent even if they are the protocol's defaults
// (Idempotent only for a tool that changes something): a missing one would be read as "destructive, touches the outside
// world".
type Annotations struct {
	ReadOnly    bool // changes nothing
	Destructive bool // may change or delete what exists
	Idempotent  bool // a second call with the same arguments changes nothing more
	OpenWorld   bool // reaches beyond this machine's declared roots
}

// Call is one tool call, with arguments checked against the tool's schema and repaired (see runtime/base/toolargs).
type Call struct {
	Tool string
	// Args is an object without duplicate names; for an unchecked tool any JSON value without them, {} if there is
	// none.
	Args    json.RawMessage
	Params  json.RawMessage // the request's params as sent, with everything else in them: see Meta
	Session string          // the same for all calls of a client's session; "" over HTTP in the stateless era
	Client  Client
	// Stateless says that the client is of the stateless era: its result may be input_required.
	Stateless bool
	LogLevel  string // lowest level that Log and Note pass on, as in Log.Level; "" if the client wants no log notes
	// Progress sends a progress note if the client requested them. It is never nil, may be called from any goroutine
	// and may block while the client reads slowly; after Call has returned it does nothing.
	Progress func(Progress)
	// Watched says that the client requested progress: it can see that a long call is alive.
	Watched bool
	// Log sends a log note to the client if it wants this level. It behaves like Progress.
	Log func(Log)
	// Sample calls the client's own model and waits for its answer; nil if the client does not offer that, as in the
	// stateless era. It may be called concurrently. It fails with the error of its context or of the call's, with a
	// *SampleError if the client or its user refuses, or with any other error if there is no readable response. It must
	// return before Call does: afterwards the client is not told to stop.
	Sample func(context.Context, SampleRequest) (SampleReply, error)
	// Note passes on a note of another server: see NoteFunc. It is never nil and behaves like Progress.
	Note NoteFunc
	// Ask passes on a request of another server to the client: see AskFunc. It is nil if the client cannot be asked and
	// otherwise behaves like Sample. In the stateless era the client is asked in rounds: the call continues while the
	// client deals with a question, possibly for minutes, and notes are dropped meanwhile.
	Ask AskFunc
}

// Client is what a client says about itself, unverified; empty if it says nothing.
type Client struct {
	Name         string
	Version      string
	Capabilities []string // declared names, such as "sampling", sorted
	// Declared is the object of capabilities as sent; empty if there is none, or if it is larger than 64 KiB.
	Declared json.RawMessage
}

// Progress is the progress of a call. Done must grow from note to note of one call; its unit is the backend's.
type Progress struct {
	Done    float64
	Total   float64 // 0: unknown
	Message string  // one line
}

// Log is one log note to the client. Level is one of debug, info, notice, warning, error, critical, alert, emergency.
type Log struct {
	Level   string
	Message string
}

// Reply is the result of a call.
type Reply struct {
	// Raw is the whole result as another server returned it, an object; if set, the other fields are ignored. What the
	// client's era requires is added if missing (resultType, the server's name in _meta), what it does not know is left
	// out (resultType, a structuredContent that is not an object). A client of the handshake era cannot handle
	// input_required: it gets an error.
	Raw json.RawMessage
	// Text goes to content. If it is empty, the JSON of Structured does.
	Text string
	// Structured goes to structuredContent; nil if there is none. In the handshake era only an object can be sent.
	Structured json.RawMessage
	// Content, a JSON array of MCP content items, replaces Text if set: results of other servers are passed on
	// verbatim.
	Content json.RawMessage
	// IsError says that the text explains a failure to the model.
	IsError bool
}
