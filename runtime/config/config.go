package config

import (
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Config is a whole configuration: the embedded defaults with a user's directory on top.
// It is immutable once loaded.
type Config struct {
	Roots     map[string][]string // kind of root ("code", "thoughts") → directories, relative to the working directory
	Models    map[string]Model
	Roles     map[string]Role
	Pipelines map[string]Pipeline
	Tools     map[string]Tool
	Menu      Menu
	Servers   map[string]Server // upstream MCP servers
	ToolRules []ToolRule        // in order
	// ProjectRules are the rules of the project's layer, in order. A tool can be used if
	// both they and ToolRules allow it: they can only restrict, never permit.
	ProjectRules []ToolRule
	// ProfileRules are the rules of the selected profile: they can only restrict, never permit.
	ProfileRules []ToolRule
	Dependencies map[string]Dependency
	Profile      string   // the selected one; "" for none
	LearnFrom    []string // from the selected profile
	Profiles     map[string]Profile
	Clients      map[string]Client // by the name that a client reports, or a glob
	Gateway      Gateway
	Store        Store
	Hooks        map[string]Hook
	Redaction    Redaction
	Sandbox      Sandbox
	Network      Network
	Collections  map[string]Collection
	Cache        Cache
	Artifacts    Artifacts
	Pool         Pool
	Log          Log
	Dashboard    Dashboard
	API          API
	Timeline     Timeline
	Usage        Usage
	Notes        Notes
	Tracing      Tracing
	Tests        map[string]Test

	Source *Source // where each value came from; never nil after Load
	// Base is the configuration without the project's layer; nil if there is no such layer.
	Base *Config
}

// Model is one entry of models: an endpoint that roles refer to by name.
type Model struct {
	Provider string // openai, ollama, replay or none
	URL      string
	Model    string
	Key      string   // name of the environment variable that holds the key, never the key
	Fallback []string // names of models to try in order
	Parallel int      // concurrent requests to this endpoint; 0 asks the endpoint
	Context  int      // tokens; 0 asks the endpoint
	Sampling bool     // with provider none, the model of the MCP client may be asked
}

// OnThisMachine reports whether the model runs on this machine: its address is a local name, or
// it is a recording, or none. An address that is left out means the default one, which is local.
func (m Model) OnThisMachine() bool {
	if m.Provider == "none" || m.Provider == "replay" || m.URL == "" {
		return true
	}
	u, err := url.Parse(m.URL)
	if err != nil || u.User != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// Role is a subagent: what it is for, what it may touch, and what answers if no model does.
type Role struct {
	Name      string
	Purpose   string
	Prompt    string           // may hold {{ expr }} over the input
	Task      string           // task of its model: a name in the task catalog, or "off"
	Ground    string           // builtin that answers deterministically; "" for none
	Input     *Schema          // object; nil for that of the grounding builtin or the task
	Output    *Schema          // object; nil for that of the grounding builtin or the task
	With      map[string]Value // default inputs of every stage with this role
	Tools     []string         // builtins (or globs over them) the role's model may call
	Roots     []string         // kinds of root the role may read
	Model     string           // name in Config.Models
	Explore   bool             // its model may call the tools itself
	Recheck   bool             // its model is asked to confirm its statements
	Evidence  string           // builtin that returns the text behind references; "" for none
	Shorten   string           // builtin that shortens the results of its tools; "" truncates them
	Budget    budget.Limits
	Bounds    map[string]Bound // by field of the output
	Verify    []Check          // in source order
	Fallback  *Fallback        // nil uses the result of the grounding builtin
	Redaction []string         // patterns of scope "role" that also apply to this role's output
}

// Bound limits one field of a role's output. Zero means no limit.
type Bound struct {
	Most    int // written as a plain number: bytes of a text, entries of a list
	Entries int // of a list
	Each    int // bytes of each entry of a list
}

// Check is a check of the replies of a role's model.
type Check struct {
	Name   string
	Fields []string // of the output; none for all that hold texts
	Most   int      // tokens; 0 if the check has no such limit
	Fail   string   // drop, retry or fallback
}

// Fallback replaces the model: exactly one of Builtin, Value and Error is set.
type Fallback struct {
	Builtin string
	With    map[string]Value
	Value   Value
	Error   string // a stable code
	Message string
}

// Pipeline is a graph of stages.
type Pipeline struct {
	Name   string
	Doc    string
	Input  *Schema // object; nil takes the input of the tools that run it
	Budget budget.Limits
	Stages []Stage // in source order
	Output Value   // expr over input and all stages; a bare stage name means its value
}

// Stage runs one role, one builtin or another pipeline.
type Stage struct {
	Name     string
	Role     string // exactly one of Role, Builtin and Pipeline is set
	Builtin  string
	Pipeline string
	Needs    []string
	When     string // expr, bool
	Each     string // expr, list; the stage runs once per element, called "item"
	Max      int    // limit of elements of Each; further ones are cut and noted
	Repeat   Repeat `json:",omitzero"` // left out of digests of stages that do not repeat
	Join     string // "all": every need must be alive; "any": one is enough
	With     map[string]Value
	Task     string // overrides the role's; "" keeps it
	Budget   budget.Limits
	Timeout  time.Duration
	Retry    int    // further attempts after an error
	OnError  string // fail, continue or fallback
	Fallback Value  // expr: the stage's value when OnError is fallback
}

// Values returns all expressions of the stage, in no particular order.
func (s Stage) Values() []Value {
	return append(slices.Collect(maps.Values(s.With)), Value{Expr: s.When}, Value{Expr: s.Each}, Value{Expr: s.Repeat.Limit}, Value{Expr: s.Repeat.Until}, Value{Expr: s.Repeat.Gain}, s.Fallback)
}

// SwitchedOff reports whether a stage with that condition never runs, by the inputs that its pipeline is given: the
// condition is an input, and false is written for it. Anything else may turn out true.
func SwitchedOff(when string, given func(input string) Value) bool {
	input, isInput := strings.CutPrefix(when, "input.")
	if !isInput {
		return false
	}
	v := given(input)
	return v.Expr == "false" || v.Literal == false
}

// Repeat runs a stage in rounds; Max is 0 if it runs once.
type Repeat struct {
	Max   int
	Limit string `json:",omitzero"` // expr, whole number: maximum of one run if it is lower
	Until string // expr, bool: true after the last round
	Gain  string // expr, number: 0 or less after the last round
}

// Value is an input written in CUE: a string is an expr program, anything else (number,
// bool, list, struct) is used literally.
type Value struct {
	Expr    string // set when the CUE value is a string
	Literal any    // set otherwise; nil for no value at all
}

// IsZero reports whether no value was written.
func (v Value) IsZero() bool { return v.Expr == "" && v.Literal == nil }

// Tool is an MCP tool: what a chat model sees, and the pipeline that runs.
type Tool struct {
	Name        string
	Title       string
	Description string
	Pipeline    string
	Enabled     bool
	Surface     string   // always, discovery, gateway, network or collections: see Upstream and Gateway.Shows
	Question    string   // the input that later questions may refine; "" for none
	Group       string   // of the menu; "" is in all
	Command     string   // the compactor command that runs it; "" for none
	Advanced    []string // inputs shown only to clients of Menu.Advanced
	Least       Least
	// Instructions are for the client's system prompt, if the tool is listed.
	Instructions string
	Input        *Schema // object; nil uses the pipeline's
	Output       *Schema // nil derives it from the pipeline's output
	Annotations  Annotations
}

// Least has minimum values to which the limits of a call are raised; 0 raises nothing.
type Least struct{ TimeMS, Tokens, Files, Bytes int }

// Upstream reports whether the tool is about upstream servers: it is shown only if there are any.
func (t Tool) Upstream() bool { return t.Surface == "discovery" || t.Surface == "gateway" }

// Menu determines which tools clients are shown.
type Menu struct {
	Only          []string // groups or tools; empty for all
	Advanced      []string // names of clients, or globs
	OutputSchemas []string // names of clients, or globs
}

// Annotations are claims about MCP's four hints; nil claims nothing.
type Annotations struct{ ReadOnly, Destructive, Idempotent, OpenWorld *bool }

// Hook names the pipeline that runs on upstream traffic.
type Hook struct {
	Pipeline string
	When     string // an expression; "" for always
}

// Redaction holds the user's patterns, which add to the built-in rules.
type Redaction struct{ Patterns map[string]Pattern }

// Pattern is one redaction rule with the example that proves it.
type Pattern struct {
	Regex    string
	Example  string   // must match; checked when loading
	Keywords []string // lower case; the regex runs only near one of them
	Replace  string   // default [REDACTED:name]
	Scope    string   // "all", or "role": only where a role lists it
}

// Sandbox limits what can be opened below the roots.
type Sandbox struct {
	Deny        []string // globs added to the built-in deny list
	Allow       []string // globs removed from it
	MaxFile     int64    // bytes; larger files are skipped and counted
	CrossDevice bool     // follow mounts below a root
	NoIgnore    bool     // read files that .gitignore hides
	ScanTime    time.Duration
}

// Network determines which pages may be read, and how much of them.
type Network struct {
	Hosts     map[string]WebHost // by name; with none, nothing is read
	MaxPage   int64              // bytes
	Timeout   time.Duration      // of one page
	Redirects int
	Pages     int // of one call
}

// Open reports whether any page may be read.
func (n Network) Open() bool { return len(n.Hosts) > 0 }

// WebHost determines what may be read from a host.
type WebHost struct {
	Paths   []string // globs
	Ports   []int    // empty for the default ones
	HTTP    bool     // allow unencrypted access too
	Private bool     // even if its name resolves to this machine or a local network
	Start   []string // addresses
	Follow  int      // number of links to follow from Start
}

// Collection is a set of documents that are indexed and searched.
type Collection struct {
	Roots            []string // directories relative to the working directory, or kinds of roots
	Include, Exclude []string // globs
	Chunk            Chunk
	Reading          Reading
	Watch            bool
	Weights          Weights
	Embeddings       Embeddings
	Static           Static
	Rerank           Rerank
	Expand           Expand
	Allow            []string // names of clients, or globs
	Description      string
}

// Embeddings configures vectors made by a model; Model "" for none.
type Embeddings struct {
	Model, Query, Passage string
	Weight                float64
	Wait                  time.Duration
	Most                  int
}

// Static configures word vectors from a file; Path "" for none.
type Static struct {
	Path   string
	Weight float64
}

// Rerank configures a model that ranks the best passages; Model "" for none.
type Rerank struct {
	Model, Prompt string
	Top, Most     int
	Time          time.Duration
	Weight        float64
}

// Expand configures search words that are added to those of a question.
type Expand struct {
	Feedback      int
	Abbreviations bool
	Rewordings    int
	Weight        float64
}

// Notes configures how quotes that clients pin are kept.
type Notes struct {
	All   bool // clients of a user see each other's notes
	Apart bool // searches of documents do not return notes
	Most  int  // per client; 0 for the schema's default
	Bytes int  // of a quote and its note; 0 for the schema's default
	Keep  time.Duration
}

// Chunk determines the length of passages, in tokens.
type Chunk struct{ Least, Most, Overlap int }

// Reading limits the processing of one document that is not plain text.
type Reading struct {
	MaxFile int64         // bytes
	Time    time.Duration // of the CPU; 4 times as much by the clock
	Memory  int64         // bytes
}

// Weights are the weights of the parts of a search.
type Weights struct{ BM25, LSI, NGram float64 }

// Cache limits what a server keeps between questions.
type Cache struct {
	Memory  int64 // of files, in bytes; 0 keeps nothing
	Indexes int64 // of collections that a server reads before they are searched, in bytes; 0 reads none
	Off     bool  // nothing is kept, not even lists of upstream servers
	// Searches is the size in bytes of document searches that may be kept, and SearchesTTL how long.
	Searches    int64
	SearchesTTL time.Duration
}

// Artifacts is where handoffs are written, relative to the working directory.
type Artifacts struct{ Dir string }

// Pool is the server's one worker pool.
type Pool struct {
	Workers  int           // requests that run at once
	Queue    int           // requests that may wait; further ones are rejected
	Deadline time.Duration // a reply is sent by then, whatever happens
}

// Log determines what a running server logs; "" is omitted.
type Log struct {
	Level  string // off, error, warn, info or debug
	Format string // json or text
	File   string
}

// API determines whether the control API reports to programs.
type API struct{ Off bool }

// Dashboard determines whether pages show what a server does.
type Dashboard struct{ Off bool }

// Usage determines what is kept about the use of upstream tools.
type Usage struct {
	Off                bool
	Clients, Arguments string        // hash, name or none; "" means hash
	Keep               time.Duration // 0 for the schema's default
	Calls              int           // limit; 0 for the schema's default
}

// Timeline determines how long sessions are kept in the store, and how they are named.
type Timeline struct {
	Off      bool // nothing is kept beyond a process
	Keep     time.Duration
	Sessions int
	Unnamed  bool // sessions are not named by their first question
}

// Tracing determines where traces are sent; "" for nowhere.
type Tracing struct{ Endpoint string }

// Test is one config test: an input and what must be true of the reply.
type Test struct {
	Name    string
	Tool    string
	Input   map[string]any
	Files   map[string]string // a small tree, path → content
	Root    string            // or a directory, relative to the test file
	Replies string            // recording for the model's replies, below the configuration; "" asks no model
	Expect  []string          // exprs over result; each must be true
}

// Schema is the type of a tool's input or output; see runtime/base/schema.
type Schema = schema.Schema
