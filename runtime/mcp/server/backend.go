package server

import (
	"context"
	"encoding/json"
)

// Backend is what a Server serves. All methods may be called from many goroutines at once.
type Backend interface {
	// Tools lists the tools in the order clients shall see. The order should not change without need: it is part of the
	// prompt that a model has already read. A Chooser may list fewer to a session. ctx ends with the server.
	Tools(ctx context.Context) []Tool
	// Instructions is a short text for the client's system prompt; "" for none.
	Instructions() string
	// Call runs one tool. The context ends when the client cancels or the server stops; Call must then return soon, with
	// what it has or with the context's error. A panic is caught and reported as an internal error.
	Call(ctx context.Context, c Call) (Reply, error)
	// OnChange registers a function to be called after Tools or Instructions changed, with no lock held that Tools needs:
	// for the session that is named, or for all, "". stop ends the registration.
	OnChange(changed func(session string)) (stop func())
}

// Session says whose request it is.
type Session struct {
	ID        string // the same for all requests of one client's session; "" over HTTP in the stateless era
	Client    Client
	Stateless bool // the request is of the stateless era
}

// Chooser is a Backend that may list to one session what it does not list to another.
type Chooser interface {
	// Chooses reports whether it does. It is read with Tools.
	Chooses() bool
	// Choose gives the names of the tools that a session is listed, in order. It is asked for each list. What is left out
	// can be called all the same.
	Choose(ctx context.Context, s Session) []string
}

// Presenter is a Backend that wants to know what its clients were shown.
type Presenter interface {
	// Presented is told of each list of tools that a client asked for. names are not changed any more.
	Presented(s Session, names []string)
}

// Waiter is a Backend whose tools come in by and by.
type Waiter interface {
	// Await returns when the tools can be listed, or the one that is named can be called; with a bound, and at once where
	// nothing is missing. changed says that Tools is another than when OnChange was last told. The error is why the tool
	// that is named cannot be had.
	Await(ctx context.Context, tool string) (changed bool, err error)
	// Missing reports whether Await of all tools may take a while.
	Missing() bool
}

// Echoer is a Backend that says how an error may repeat what a client sent: a client may have sent a secret.
type Echoer interface {
	Echo(text string) string
}

// OutputChooser is a Backend that says which clients are sent the output schemas of its own tools. All are where it does
// not say.
type OutputChooser interface {
	ShowsOutput(c Client) bool
}

// AdvancedChooser is a Backend that says which clients are listed all inputs of its own tools; others are listed those
// of Tool.Plain. All are where it does not say.
type AdvancedChooser interface {
	ShowsAdvanced(c Client) bool
}

// Director is a Backend that knows how a tool is called which is not in its list, or why it cannot be. The error is
// what the client's model reads in place of "unknown tool"; nil where there is nothing to say. args are as sent.
type Director interface {
	Elsewhere(ctx context.Context, name string, args json.RawMessage) error
}

// SessionEnder is a Backend that keeps something of sessions. It is told once of each session that is over;
// ids are not used again.
type SessionEnder interface {
	SessionEnded(session string)
}

// SessionSharer is a Backend by which several servers serve the same sessions over HTTP, of the handshake era. None of its
// methods takes long.
type SessionSharer interface {
	// ShareSession has other servers find a session, with what they need to know of it. It is asked again when that is
	// another.
	ShareSession(ctx context.Context, s Session, state json.RawMessage)
	// ResumeSession gives the state of a session that another server began; nil for none. An error says that it cannot be
	// known now.
	ResumeSession(ctx context.Context, id string) (state json.RawMessage, err error)
	// RefreshSession takes over what other servers know of a session, before a list is made for it.
	RefreshSession(ctx context.Context, id string)
	// ShownTo are the names of the tools that a session was last listed, by whatever server.
	ShownTo(id string) []string
	// SessionUsed notes that a session is in use.
	SessionUsed(id string)
	// EndSession ends a session everywhere, at its client's wish.
	EndSession(ctx context.Context, id string)
	// OnEnded registers who is told of sessions that were ended at other servers.
	OnEnded(ended func(session string)) (stop func())
}

// Tool is one tool as clients see it.
type Tool struct {
	Name        string          // 1 to 128 of A-Z a-z 0-9 _ - .
	Title       string          // for people; may be empty
	Description string          // for models
	Input       json.RawMessage // JSON schema of the arguments, an object; empty: no arguments
	Output      json.RawMessage // JSON schema of Reply.Structured; empty: none is promised
	Plain       json.RawMessage // the inputs that every client is listed, where Input takes more than these; empty: all
	Annotations Annotations
	Hidden      bool // can be called but is not listed

	// Raw is the whole definition as clients shall see it, a JSON object whose name is Name; of Title, Description, Output
	// and Annotations nothing is sent then, and Input, if there is one, is only what arguments are checked by. Empty: the definition is made of the fields above. Only space between its
	// tokens may be lost.
	Raw json.RawMessage
	// Unchecked hands the arguments to Call as they were sent: the backend checks and mends them itself. Names that are
	// given twice are refused all the same.
	Unchecked bool
}

// Annotations are the hints a client may base a confirmation on. They are sent even where they are the protocol's
// defaults (Idempotent only of a tool that changes something): a missing one would be read as "destructive, touches the
// outside world".
type Annotations struct {
	ReadOnly    bool // changes nothing
	Destructive bool // may change or delete what exists
	Idempotent  bool // a second call with the same arguments changes nothing more
	OpenWorld   bool // reaches beyond this machine's declared roots
}

// Call is one tool call, its arguments checked against the tool's schema and mended (see runtime/base/toolargs).
type Call struct {
	Tool string
	// Args is an object without duplicate names; of an unchecked tool any JSON value without them, {} when there is none.
	Args    json.RawMessage
	Params  json.RawMessage // the request's params as sent, with what else they hold: see Meta
	Session string          // the same for all calls of one client's session; "" over HTTP in the stateless era
	Client  Client
	// Stateless says that the client is of the stateless era: it may be answered with a result of input_required.
	Stateless bool
	LogLevel  string // the least that Log and Note pass on, as in Log.Level; "" when the client wants no log notes
	// Progress sends a progress note if the client asked for them. It is never nil, may be called from any goroutine and
	// may block while the client reads slowly; after Call has returned it does nothing.
	Progress func(Progress)
	// Watched says that the client asked for progress: it sees that a long call lives.
	Watched bool
	// Log sends a log note to the client if it wants this level. It behaves like Progress.
	Log func(Log)
	// Sample asks the client's own model and waits for its answer; nil when the client does not offer that, as in the
	// stateless era. It may be called from any goroutine, and more than once at a time. It ends with the error of its
	// context or of the call's, a *SampleError when the client or its user refuses, or any other when the response cannot
	// be had or read. Await it before Call returns: afterwards the client is not told to give up.
	Sample func(context.Context, SampleRequest) (SampleReply, error)
	// Note passes on a note of another server: see NoteFunc. It is never nil and behaves like Progress.
	Note NoteFunc
	// Ask passes on a request of another server to the client: see AskFunc. It is nil where no client can be asked and
	// otherwise behaves like Sample. In the stateless era the client is asked in rounds: the call goes on while the client
	// is away with a question, for minutes if need be, and notes are dropped meanwhile.
	Ask AskFunc
}

// Client is what a client says of itself, unverified; empty when it says nothing.
type Client struct {
	Name         string
	Version      string
	Capabilities []string // declared names, such as "sampling", sorted
	// Declared is the object of capabilities as sent; empty when there is none, or when it is larger than 64 KiB.
	Declared json.RawMessage
}

// Progress is how far a call is. Done must grow from note to note of one call; its unit is the backend's.
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
	// Raw is the whole result as another server gave it, an object; when set, the other fields are not used. What the
	// client's era wants is added if it is missing (resultType, the server's name in _meta), what it does not know is left
	// out (resultType, a structuredContent that is no object). A client of the handshake era cannot be told input_required:
	// it gets an error.
	Raw json.RawMessage
	// Text goes to content. When it is empty, the JSON of Structured does.
	Text string
	// Structured goes to structuredContent; nil if there is none. In the handshake era only an object can be sent.
	Structured json.RawMessage
	// Content, a JSON array of MCP content items, takes the place of Text when set: results of other servers pass as
	// they are.
	Content json.RawMessage
	// IsError says that the text explains a failure to the model.
	IsError bool
}
