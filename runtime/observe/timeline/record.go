// Package timeline keeps what happened in the sessions of clients: requests, stages, calls of models and of
// upstream servers, searches of documents and the answers made of them, in order and with the cause of each. It
// reads the event stream as a sink and never slows down emitters.
//
// recent.go records the events and span.go makes spans of them, with their times; shelf.go writes them to
// runtime/world/store. runtime/observe/dashboard shows them.
//
// Texts in a record are masked before they are kept.
package timeline

import (
	"context"
	"time"
)

// Session is one conversation of a client.
type Session struct {
	ID       string    `json:"id"`
	Client   string    `json:"client,omitempty"` // as it names itself
	Started  time.Time `json:"started"`
	Last     time.Time `json:"last"`
	Title    string    `json:"title,omitempty"` // its first question, or else the tools that it called first
	Requests int       `json:"requests"`
	Models   int       `json:"model_calls"`
	Upstream int       `json:"upstream_calls"`
	Failed   int       `json:"failed"`
	TokensIn int       `json:"tokens_in"` // of models
	TokensTo int       `json:"tokens_out"`
	Saved    int       `json:"tokens_saved"`        // by summaries
	Shown    []string  `json:"shown,omitempty"`     // tools that its client was last listed, the first of them
	ShownAll int       `json:"shown_all,omitempty"` // number of those tools; 0 if unknown
}

// Span is one thing that happened in a session.
type Span struct {
	Session string            `json:"session"`
	Trace   string            `json:"trace"`
	ID      string            `json:"id"`
	Parent  string            `json:"parent,omitempty"`
	Kind    string            `json:"kind"`              // request, stage, round, builtin, model, upstream, cut, hook, reload, index, retrieval, rerank, compose
	Purpose string            `json:"purpose,omitempty"` // of a model call: investigation, summarization, …
	Name    string            `json:"name,omitempty"`
	Stage   string            `json:"stage,omitempty"`
	Role    string            `json:"role,omitempty"`
	Server  string            `json:"server,omitempty"`
	Tool    string            `json:"tool,omitempty"`
	Started time.Time         `json:"started"`
	Elapsed time.Duration     `json:"elapsed"` // 0 while it runs
	Running bool              `json:"running,omitempty"`
	Outcome string            `json:"outcome,omitempty"`
	Code    string            `json:"code,omitempty"`
	Message string            `json:"message,omitempty"`
	Error   string            `json:"error,omitempty"`
	In      int               `json:"tokens_in,omitempty"`
	Out     int               `json:"tokens_out,omitempty"`
	Bytes   int               `json:"bytes,omitempty"`
	Attrs   map[string]string `json:"attrs,omitempty"` // of a summarized call: result, original_tokens, summary_tokens, by; of a search: query, passages; of an answer: citations
}

// Saving is what summaries saved in one step of time.
type Saving struct {
	From     time.Time `json:"from"`
	Original int       `json:"original_tokens"`
	Given    int       `json:"summary_tokens"`
	Results  int       `json:"results"`
}

// Query selects sessions, newest first.
type Query struct {
	Text  string    // in the title, the client, a server, a tool or an error; "" for all
	Since time.Time // zero for all
	Limit int       // 0 for 50
	After string    // the session after which the page begins
}

// Reader provides the data for views of the timeline. It is safe for concurrent use.
type Reader interface {
	Sessions(ctx context.Context, q Query) ([]Session, error)
	// Session returns one session, with its spans in the order in which they began.
	Session(ctx context.Context, id string) (Session, []Span, error)
	// Savings returns the steps from a time until now, oldest first.
	Savings(ctx context.Context, since time.Time, step time.Duration) ([]Saving, error)
	// Watch returns the spans of one session, or of all for "", as they begin and end,
	// until the context ends. A slow reader loses spans but never delays anything.
	Watch(ctx context.Context, session string) <-chan Span
}
