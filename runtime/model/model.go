// Package model is how compactor speaks with language models: one port for
// chat and embeddings, and what every adapter of it must keep.
//
// The adapters are packages below this one, each for one protocol. They turn a
// Request into a call and what comes back into a Reply or an *Error; they
// neither retry nor queue, and they judge nothing of what was said. That is
// Limiter's (one server's slots and its back-off), Chain's (fallbacks) and
// runtime/pipeline/agent's.
package model

import (
	"context"
	"encoding/json"
	"time"
)

// Endpoint is one model at one server. It is safe for concurrent use.
type Endpoint interface {
	// Chat asks once. on, where not nil, gets the pieces of the reply as they
	// arrive, from one goroutine. With an error the reply may still hold what
	// had arrived; every error is an *Error or the context's.
	Chat(ctx context.Context, req Request, on func(Delta)) (*Reply, error)
	// Embed gives one vector a text, in their order. A text that does not fit
	// is an error, never cut.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Info tells what the server says of the model. It loads nothing.
	Info(ctx context.Context) (Info, error)
}

// Lister is an endpoint that can tell which models its server has.
type Lister interface {
	List(ctx context.Context) ([]Info, error)
}

// Options are what every adapter is made of.
type Options struct {
	Name   string // in the configuration; for messages
	URL    string // base, such as http://localhost:1234/v1
	Model  string // at the server; "" for the one that is loaded
	Key    string // of the server; "" for none
	Window int    // tokens of the context window; 0 asks the server
	Client Doer   // nil is NewClient()
}

// Request is one question to a model.
type Request struct {
	Messages  []Message
	Tools     []Tool  // what it may call; none asks for text
	Schema    *Schema // what the reply must be; nil for free text
	MaxTokens int     // of the reply; 0 leaves it to the server
}

// Role says who speaks.
type Role string

// The speakers.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool" // what a tool returned
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

// ToolCall is a call that a model asks for. Arguments are as the model wrote
// them and need not be JSON.
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

// Delta is a piece of a reply on its way.
type Delta struct {
	Text      string // of the answer
	Reasoning string // of what was thought before it
}

// Reply is what came back.
type Reply struct {
	Model     string // that answered, as the server names it
	Content   string
	Reasoning string // thoughts the server kept apart; some put the answer here
	Calls     []ToolCall
	Finish    string // stop, length, tool_calls, or "" where the server does not say
	Usage     Usage
}

// Text is the answer: the content or, where that is empty, what came as
// reasoning. Servers put the JSON of a reasoning model there.
func (r *Reply) Text() string {
	if r == nil {
		return ""
	}
	if r.Content == "" {
		return r.Reasoning
	}
	return r.Content
}

// Usage is what one exchange took. Counts are the server's own; 0 is unknown.
type Usage struct {
	In     int           // tokens of the prompt, with those that were cached
	Cached int           // of those, not computed again
	Out    int           // tokens of the reply, thoughts included
	First  time.Duration // until the first piece arrived
	Total  time.Duration
}

// Info is what a server says of a model.
type Info struct {
	Server  string // such as "LM Studio", "Ollama 0.17.4", "llama.cpp"
	Model   string // as the server names it
	Loaded  bool
	Window  int    // tokens of the context that is loaded, or that the next request will load; 0 unknown
	Limit   int    // tokens of context that the model was trained for; 0 unknown
	Slots   int    // requests it serves at once; 0 unknown
	Shared  bool   // the slots share one window, and one that overflows ends them all
	Size    string // such as "4.0B Q4_K_M"; "" unknown
	Can     []Ability
	CanTell bool // whether Can is the server's word; else nothing is known
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
