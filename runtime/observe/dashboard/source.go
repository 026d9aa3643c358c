package dashboard

import (
	"context"
	"encoding/json"
	"time"
)

// Source provides the contents of the pages besides the timeline. Its texts may contain anything.
type Source interface {
	// State returns the current state. It starts nothing.
	State(ctx context.Context) State
	// Configuration returns the current configuration, and its problems.
	Configuration(ctx context.Context) Configuration
	// Lists returns what sessions were listed, and which of it they called.
	Lists(ctx context.Context) (Lists, error)
	// Kept returns a summarized result, as long as it is kept.
	Kept(id string) (Kept, bool)
	// Mask removes secrets from a text.
	Mask(text string) string
}

// State describes the parts behind the server.
type State struct {
	Tools   []Tool
	Servers []Server
	Models  []Model
	Hooks   []Hook
	Pool    Pool
	// Collections are those of the configuration.
	Collections []Collection
}

// Collection is a set of documents that are searched.
type Collection struct {
	Name        string
	Description string
	Status      string // warm, cold, running, not indexed or error
	Version     string
	Published   time.Time
	Documents   int
	Passages    int
	Failed      int // documents that could not be read
	Left        int // files that were left out
	Watched     bool
	Stage       string // of the current run, "" if unknown
	Done, Total int
	Problem     string
	Do          string   // what to do about the problem
	Problems    []string // the latest documents that could not be read
}

// Tool is a tool that clients can reach.
type Tool struct {
	Name        string // as clients call it
	Server      string // "" for one of our own
	Description string
	Shown       bool   // listed itself; others are found by search
	Off         string // why it cannot be called; "" if it can
	Uses        int    // calls so far, including earlier runs
}

// Server is one upstream server.
type Server struct {
	Name    string
	Status  string // connected, disconnected, error, held or disabled
	Reached string // its program or host
	Problem string
	Do      string // what to do about the problem
	Login   string
	Known   bool // whether its tools were ever seen
	Tools   int
	Hidden  int
	Waiting int // of the hidden ones, those to be approved
	Refused []Refused
	Said    []string // last lines of its standard error, if there is a problem
}

// Refused is a tool that cannot be offered.
type Refused struct{ Tool, Why string }

// Model is a model that roles ask.
type Model struct {
	Name     string
	Provider string
	Status   string // ready, resting, unreachable, none
	Found    string // what its server reports about it
	Problem  string
	Do       string
	Roles    []string
	Fallback []string
	Busy     int // requests in progress
	Slots    int // concurrent requests; 0 if not yet known
	In, Out  int // recent tokens per second; 0 if unknown
}

// Hook is a pipeline on the traffic of upstream servers.
type Hook struct {
	Name    string
	Skipped int
	Last    string // latest reason
}

// Pool is the load of the engine's workers.
type Pool struct{ Workers, Busy, Queue, Inside int }

// Configuration describes the current configuration.
type Configuration struct {
	Layers   []string // weakest first
	Settings []Setting
	Problems []Problem
	Held     []string // what waits for its user's approval
	Allow    string   // the command to approve it
	Reloaded time.Time
	Refused  string // the last edit, if it was rejected
	Err      string // why the settings cannot be shown
}

// Setting is one value and its origin.
type Setting struct {
	Path, Value, From string
	Own               bool // written by the user rather than shipped
}

// Problem is a mistake with its place.
type Problem struct {
	Error   bool
	Code    string
	Place   string
	Path    string
	Message string
	Help    string
}

// Kept is a result with its summary. Both are masked.
type Kept struct {
	ID, Server, Tool              string
	Original, Summary             json.RawMessage
	OriginalTokens, SummaryTokens int
	By                            string // "structure", or the name of a model
	At                            time.Time
}
