// Package model is compactor's interface to language models: one port for chat and
// embeddings, and the rules that every adapter has to follow.
//
// The adapters are packages below this one, each for one protocol. They turn a Request
// into a call and the response into a Reply or an *Error; they neither retry nor queue,
// and do not evaluate what was said. That is up to Limiter (the slots and the back-off
// of one server), Chain (fallbacks) and runtime/pipeline/agent.
package model

import (
	"context"
	"encoding/json"
	"time"
)

// Endpoint is one model on one server. It is safe for concurrent use.
type Endpoint interface {
	// Chat sends the request once. on, if not nil, receives the pieces of the reply as
	// they arrive, from one goroutine. With an error, the reply may still hold what had
	// arrived; every error is an *Error or the context's.
	Chat(ctx context.Context, req Request, on func(Delta)) (*Reply, error)
	// Embed returns one vector per text, in their order. A text that does not fit is an
	// error, never cut.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Info returns what the server reports about the model. It loads nothing.
	Info(ctx context.Context) (Info, error)
}

// Lister is an endpoint that can list the models of its server.
type Lister interface {
	List(ctx context.Context) ([]Info, error)
}

// Options are the parameters of every adapter.
type Options struct {
	Name   string // in the configuration; for messages
	URL    string // base, such as http://localhost:1234/v1
	Model  string // on the server; "" for the one that is loaded
	Key    string // API key of the server; "" for none
	Window int    // tokens of the context window; 0 asks the server
	Client Doer   // nil means NewClient()
}

// Request is one question to a model.
type Request struct {
	Messages  []Message
	Tools     []Tool  // tools it may call; with none it writes text
	Schema    *Schema // required form of the reply; nil for free text
	MaxTokens int     // of the reply; 0 leaves it to the server
}

// Role identifies the speaker.
type Role string

// The speakers.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool" // the result of a tool
)

// Message is one turn of a conversation.
type Message struct {
	Role    Role
	Content string
	Calls   []ToolCall // of an assistant's turn
	CallID  string     // of a tool's turn: the call it answers
	Tool    string     // of a tool's turn: its name
}

// Tool is something that a model may call.
type Tool struct {
	Name        string // letters, digits and _; a dot is not understood everywhere
	Description string
	Parameters  json.RawMessage // JSON schema of an object
}

// ToolCall is a call that a model requests. Arguments are as the model wrote them and
// need not be JSON.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
}

// Schema is the form of a reply, for servers that can enforce one.
type Schema struct {
	Name string // letters, digits, _ and -
	JSON json.RawMessage
}

// Delta is a piece of a reply that is still arriving.
type Delta struct {
	Text      string // of the answer
	Reasoning string // of the thoughts before it
}

// Reply is a model's response.
type Reply struct {
	Model     string // the model that answered, as the server names it
	Content   string
	Reasoning string // thoughts that the server separates; some put the answer here
	Calls     []ToolCall
	Finish    string // stop, length, tool_calls, or "" if the server does not say
	Usage     Usage
}

// Text returns the answer: the content or, if that is empty, the reasoning. Servers put
// the JSON of a reasoning model there.
func (r *Reply) Text() string {
	if r == nil {
		return ""
	}
	if r.Content == "" {
		return r.Reasoning
	}
	return r.Content
}

// Usage is the cost of one exchange. Counts are the server's own; 0 means unknown.
type Usage struct {
	In     int           // tokens of the prompt, including cached ones
	Cached int           // prompt tokens that were cached, not computed again
	Out    int           // tokens of the reply, including thoughts
	First  time.Duration // until the first piece arrived
	Total  time.Duration
}

// Info is what a server reports about a model.
type Info struct {
	Server  string // such as "LM Studio", "Ollama 0.17.4", "llama.cpp"
	Model   string // as the server names it
	Loaded  bool
	Window  int    // tokens of the loaded context, or of the one that the next request will load; 0 unknown
	Limit   int    // tokens of context that the model was trained for; 0 unknown
	Slots   int    // concurrent requests it serves; 0 unknown
	Shared  bool   // the slots share one window, and one that overflows ends them all
	Size    string // such as "4.0B Q4_K_M"; "" unknown
	Can     []Ability
	CanTell bool // whether Can comes from the server; if not, nothing is known
}

// Ability is something that a model can do.
type Ability string

// The abilities that matter here.
const (
	CanChat  Ability = "chat"
	CanTools Ability = "tools"
	CanThink Ability = "thinking"
	CanEmbed Ability = "embedding"
)
