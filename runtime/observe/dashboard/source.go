package dashboard

import (
	"context"
	"encoding/json"
	"time"
)

// Source is what the pages show besides the timeline. Its texts may hold anything.
type Source interface {
	// State is how everything is at this moment. It starts nothing.
	State(ctx context.Context) State
	// Configuration is what is in force, and what is wrong with it.
	Configuration(ctx context.Context) Configuration
	// Lists is what sessions were listed, and what they called of it.
	Lists(ctx context.Context) (Lists, error)
	// Kept is a result that was summarized, as long as it is kept.
	Kept(id string) (Kept, bool)
	// Mask takes the secrets out of a text.
	Mask(text string) string
}

// State is how the parts behind the server are.
type State struct {
	Tools   []Tool
	Servers []Server
	Models  []Model
	Hooks   []Hook
	Pool    Pool
	// Collections are those of the configuration.
	Collections []Collection
}

// Collection is documents that are searched.
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
	Stage       string // of what runs, "" where that is not known
	Done, Total int
	Problem     string
	Do          string   // about the problem
	Problems    []string // the newest documents that could not be read
}

// Tool is one that clients can reach.
type Tool struct {
	Name        string // as clients call it
	Server      string // "" for one of our own
	Description string
	Shown       bool   // listed itself; others are found by search
	Off         string // why it cannot be called; "" where it can
	Uses        int    // calls so far, in earlier runs too
}

// Server is one upstream server.
type Server struct {
	Name    string
	Status  string // connected, disconnected, error, held or disabled
	Reached string // its program or host
	Problem string
	Do      string // about the problem
	Login   string
	Known   bool // whether its tools were ever seen
	Tools   int
	Hidden  int
	Waiting int // of the hidden ones, those to be approved
	Refused []Refused
	Said    []string // last lines of its standard error, where there is a problem
}

// Refused is a tool that cannot be offered.
type Refused struct{ Tool, Why string }

// Model is one that roles ask.
type Model struct {
	Name     string
	Provider string
	Status   string // ready, resting, unreachable, none
	Found    string // what its server says of it
	Problem  string
	Do       string
	Roles    []string
	Fallback []string
	Busy     int // requests under way
	Slots    int // at once; 0 is not known yet
	In, Out  int // tokens a second, lately; 0 is not known
}

// Hook is a pipeline on the traffic of upstream servers.
type Hook struct {
	Name    string
	Skipped int
	Last    string // why, the last time
}

// Pool is the workers of the engine.
type Pool struct{ Workers, Busy, Queue, Inside int }

// Configuration is what is in force.
type Configuration struct {
	Layers   []string // of the weakest first
	Settings []Setting
	Problems []Problem
	Held     []string // what waits for its user's word
	Allow    string   // the command for that
	Reloaded time.Time
	Refused  string // the last edit, where it was not taken over
	Err      string // why the settings cannot be shown
}

// Setting is one value and where it comes from.
type Setting struct {
	Path, Value, From string
	Own               bool // somebody wrote it, who is not us
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
