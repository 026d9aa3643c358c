// Package config turns CUE files into a plain, typed Config in which every
// value knows the file, line and column it was written at.
//
// It is the only package that imports cuelang.org/go: nothing downstream sees
// a CUE value. It checks shape, ranges and defaults; names that refer to other
// things (roles, builtins, models, stages) are checked by runtime/pipeline/plan, which
// knows them all. Loading opens no socket and starts no goroutine.
package config

import (
	"net"
	"net/url"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Config is a whole configuration: the embedded defaults with a user's
// directory on top. It is immutable once loaded.
type Config struct {
	Roots     map[string][]string // kind of root ("code", "thoughts") → directories, relative to the working directory
	Models    map[string]Model
	Roles     map[string]Role
	Pipelines map[string]Pipeline
	Tools     map[string]Tool
	Menu      Menu
	Servers   map[string]Server // upstream MCP servers
	ToolRules []ToolRule        // in order
	// ProjectRules are those of the project's layer, in order. A tool can be used
	// where they and ToolRules both let it: they can take away and never give.
	ProjectRules []ToolRule
	// ProfileRules are those of the profile that was chosen: they can take away and
	// never give.
	ProfileRules []ToolRule
	Profile      string   // that was chosen; "" for none
	LearnFrom    []string // of it
	Profiles     map[string]Profile
	Clients      map[string]Client // by the name that a client says it has, or a glob
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
	// Base is the configuration without the project's layer; nil where there is
	// no such layer.
	Base *Config
}

// Model is one entry of models: an endpoint that roles refer to by name.
type Model struct {
	Provider string // openai, ollama, replay or none
	URL      string
	Model    string
	Key      string   // name of the environment variable that holds the key, never the key
	Fallback []string // names of models tried in turn
	Parallel int      // requests at once to this endpoint; 0 asks it
	Context  int      // tokens; 0 asks the endpoint
	Sampling bool     // with provider none the model of the MCP client may be asked
}

// OnThisMachine reports whether nobody elsewhere answers: by a name that only this
// machine goes by, a recording, or not at all. An address that is left out is the
// usual one, which is here.
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

// Role is a subagent: what it is for, what it may touch, and what answers
// when no model does.
type Role struct {
	Name      string
	Purpose   string
	Prompt    string           // may hold {{ expr }} over the input
	Task      string           // how its model is asked, a name of the task catalog or "off"
	Ground    string           // builtin that answers deterministically; "" for none
	Input     *Schema          // object; nil takes what the grounding builtin or the task takes
	Output    *Schema          // object; nil takes what the grounding builtin or the task returns
	With      map[string]Value // inputs that every stage of this role starts from
	Tools     []string         // builtins (or globs over them) the role's model may call
	Roots     []string         // kinds of root the role may read
	Model     string           // name in Config.Models
	Explore   bool             // its model may call the tools itself
	Recheck   bool             // its model is shown what it says once more
	Evidence  string           // builtin that gives the text behind references; "" for none
	Shorten   string           // builtin that makes what its tools give short; "" cuts it
	Budget    budget.Limits
	Bounds    map[string]Bound // by field of the output
	Verify    []Check          // in source order
	Fallback  *Fallback        // nil takes what the grounding builtin found
	Redaction []string         // patterns of scope "role" that also apply to what this role says
}

// Bound limits one field of what a role returns. Zero is no limit.
type Bound struct {
	Most    int // written as a mere number: bytes of a text, entries of a list
	Entries int // of a list
	Each    int // bytes of each entry of a list
}

// Check is a check of what a role's model says.
type Check struct {
	Name   string
	Fields []string // of the output; none for all that hold texts
	Most   int      // tokens; 0 where the check has no such limit
	Fail   string   // drop, retry or fallback
}

// Fallback is what stands in a model's place: one of Builtin, Value and Error is set.
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
	Each     string // expr, list; the stage runs once an element, which is "item"
	Max      int    // elements of Each at most; what is over is cut and noted
	Join     string // "all": every need must be alive; "any": one is enough
	With     map[string]Value
	Task     string // in place of the role's; "" leaves it
	Budget   budget.Limits
	Timeout  time.Duration
	Retry    int    // further tries after an error
	OnError  string // fail, continue or fallback
	Fallback Value  // expr: the stage's value when OnError is fallback
}

// Value is an input written in CUE: a string is an expr program, anything
// else (number, bool, list, struct) is taken as it stands.
type Value struct {
	Expr    string // set when the CUE value is a string
	Literal any    // set otherwise; nil for no value at all
}

// IsZero reports whether nothing was written.
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
	Command     string   // of compactor, that runs it; "" for none
	Advanced    []string // inputs that only clients of Menu.Advanced are listed
	Least       Least
	// Instructions are for the client's system prompt, where the tool is listed.
	Instructions string
	Input        *Schema // object; nil takes the pipeline's
	Output       *Schema // nil derives it from the pipeline's output
	Annotations  Annotations
}

// Least are the limits below which those of a call are raised; 0 raises nothing.
type Least struct{ TimeMS, Tokens, Files, Bytes int }

// Upstream reports whether the tool is about upstream servers: it is seen only
// where there are some.
func (t Tool) Upstream() bool { return t.Surface == "discovery" || t.Surface == "gateway" }

// Menu is what clients are shown of the tools.
type Menu struct {
	Only          []string // groups or tools; none for all
	Advanced      []string // names of clients, or globs
	OutputSchemas []string // names of clients, or globs
}

// Annotations are what is claimed of MCP's four hints; nil claims nothing.
type Annotations struct{ ReadOnly, Destructive, Idempotent, OpenWorld *bool }

// Hook names the pipeline that runs on upstream traffic.
type Hook struct {
	Pipeline string
	When     string // an expression; "" for always
}

// Redaction holds the user's patterns beside the built-in rules.
type Redaction struct{ Patterns map[string]Pattern }

// Pattern is one redaction rule with the example that proves it.
type Pattern struct {
	Regex    string
	Example  string   // must match; checked at load
	Keywords []string // lower case; the regex runs only near one of them
	Replace  string   // default [REDACTED:name]
	Scope    string   // "all", or "role": only where a role lists it
}

// Sandbox bounds what can be opened below the roots.
type Sandbox struct {
	Deny        []string // globs added to the built-in deny list
	Allow       []string // globs taken from it
	MaxFile     int64    // bytes; larger files are skipped and counted
	CrossDevice bool     // follow mounts below a root
	NoIgnore    bool     // read what .gitignore hides
	ScanTime    time.Duration
}

// Network says whose pages may be read, and how much of them.
type Network struct {
	Hosts     map[string]WebHost // by name; none reads nothing
	MaxPage   int64              // bytes
	Timeout   time.Duration      // of one page
	Redirects int
	Pages     int // of one call
}

// Open reports whether any page may be read.
func (n Network) Open() bool { return len(n.Hosts) > 0 }

// WebHost is what of a host may be read.
type WebHost struct {
	Paths   []string // globs
	Ports   []int    // none: the usual ones
	HTTP    bool     // in the clear too
	Private bool     // also where its name leads to this machine or a local network
	Start   []string // addresses
	Follow  int      // links of those
}

// Collection is documents that are indexed and searched.
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

// Embeddings are vectors that a model makes; Model "" for none.
type Embeddings struct {
	Model, Query, Passage string
	Weight                float64
	Wait                  time.Duration
	Most                  int
}

// Static are vectors of words in a file; Path "" for none.
type Static struct {
	Path   string
	Weight float64
}

// Rerank is a judge of the best passages; Model "" for none.
type Rerank struct {
	Model, Prompt string
	Top, Most     int
	Time          time.Duration
	Weight        float64
}

// Expand are words that are asked beside those of a question.
type Expand struct {
	Feedback      int
	Abbreviations bool
	Rewordings    int
	Weight        float64
}

// Notes says what is kept of quotes that clients pin.
type Notes struct {
	All   bool // clients of a user see each other's
	Apart bool // searches of documents bring none
	Most  int  // of a client; 0: as the schema says
	Bytes int  // of a quote and of its note; 0: as the schema says
	Keep  time.Duration
}

// Chunk says how long passages are, in tokens.
type Chunk struct{ Least, Most, Overlap int }

// Reading bounds the reading of one document that is no text.
type Reading struct {
	MaxFile int64         // bytes
	Time    time.Duration // of a processor
	Memory  int64         // bytes
}

// Weights are what the legs of a search count.
type Weights struct{ BM25, LSI, NGram float64 }

// Cache bounds what a server keeps between questions.
type Cache struct {
	Memory  int64 // of files, in bytes; 0 keeps nothing
	Indexes int64 // of collections that a server reads before they are searched, in bytes; 0 reads none
	Off     bool  // nothing is kept, nor lists of upstream servers
	// Searches is what may be kept of searches of documents, in bytes, and SearchesTTL
	// how long.
	Searches    int64
	SearchesTTL time.Duration
}

// Artifacts is where handoffs are written, relative to the working directory.
type Artifacts struct{ Dir string }

// Pool is the server's one worker pool.
type Pool struct {
	Workers  int           // requests that run at once
	Queue    int           // requests that may wait; one more is refused
	Deadline time.Duration // a reply is out by then, whatever happens
}

// Log says what a running server writes of what it does; "" is left out.
type Log struct {
	Level  string // off, error, warn, info or debug
	Format string // json or text
	File   string
}

// API says whether programs are told by the control API.
type API struct{ Off bool }

// Dashboard says whether pages show what a server does.
type Dashboard struct{ Off bool }

// Usage says what is kept of the use of upstream tools.
type Usage struct {
	Off                bool
	Clients, Arguments string        // hash, name or none; "" is hash
	Keep               time.Duration // 0: as the schema says
	Calls              int           // at most; 0: as the schema says
}

// Timeline says how long sessions are kept in the store, and what names them.
type Timeline struct {
	Off      bool // nothing is kept beyond a process
	Keep     time.Duration
	Sessions int
	Unnamed  bool // no session is named by its first question
}

// Tracing says where traces are sent; nowhere for "".
type Tracing struct{ Endpoint string }

// Test is one config test: an input and what must hold of the reply.
type Test struct {
	Name    string
	Tool    string
	Input   map[string]any
	Files   map[string]string // a small tree, path → content
	Root    string            // or a directory, relative to the test file
	Replies string            // recording that models answer from, below the configuration; "" asks none
	Expect  []string          // expr over result, each must be true
}

// Schema is the type of a tool's input or output; see runtime/base/schema.
type Schema = schema.Schema
