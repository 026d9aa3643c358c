package plan

import (
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// Plan is a configuration ready to run. It is immutable and safe for concurrent use; a
// reload makes a new one.
type Plan struct {
	Config    *config.Config
	Catalog   catalog.Catalog
	Tasks     task.Catalog
	Roles     map[string]*Role
	Pipelines map[string]*Pipeline
	Hooks     map[string]*Hook      // pipelines that run on upstream traffic, by name of the hook
	Tools     []*Tool               // enabled tools, by name
	Closed    []*Tool               // enabled tools that are left out until network names a host, or there is a collection
	Checks    map[string][]*Program // expectations of each config test
}

// Tool returns the enabled tool with the given name.
func (p *Plan) Tool(name string) (*Tool, bool) {
	for _, t := range p.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// The commands that a tool can run for.
const (
	Research = "research" // asks a question about code
	Ask      = "ask"      // asks a question that documents and code may answer
)

// Command returns the enabled tool that runs for a compactor command.
func (p *Plan) Command(name string) (*Tool, bool) {
	i := slices.IndexFunc(p.Tools, func(t *Tool) bool { return t.Command == name })
	if i < 0 {
		return nil, false
	}
	return p.Tools[i], true
}

// Reaching returns the enabled tools whose pipelines can run builtins with these
// capabilities, by name.
func (p *Plan) Reaching(caps catalog.Caps) []*Tool {
	var out []*Tool
	for _, t := range p.Tools {
		if t.Reach&caps == caps {
			out = append(out, t)
		}
	}
	return out
}

// ToolsFor returns the tools shown to clients whose pipelines can run builtins with these
// capabilities, by name.
func (p *Plan) ToolsFor(caps catalog.Caps) []*Tool {
	return slices.DeleteFunc(p.Reaching(caps), func(t *Tool) bool { return !p.OnMenu(t, true) })
}

// ToolNames lists the enabled tools, sorted.
func (p *Plan) ToolNames() []string {
	names := make([]string, len(p.Tools))
	for i, t := range p.Tools {
		names[i] = t.Name
	}
	return names
}

// Role is a role with its names resolved.
type Role struct {
	config.Role
	Task     task.Task       // how its model is asked; without a name if it asks none
	Ground   catalog.Builtin // answers deterministically; without a name if there is none
	In, Out  *schema.Schema  // input and output of a stage
	Prompt   *Template
	Bounds   map[string]Bound // by field of Out
	Checks   []Check          // of its model's replies: those of the task, then the role's own
	Fallback Fallback         // without Builtin, Value and Code it is the result of Ground
	Evidence catalog.Builtin  // returns the text behind references; without a name if there is none
	Shorten  catalog.Builtin  // shortens results of its tools; without a name if there is none
	Tools    []Grant          // tools that its model may call, by name

	faulty bool // already reported: consequential mistakes are not
}

// Asks reports whether the role asks a model.
func (r *Role) Asks() bool { return r.Task.Name != "" }

// Grant is one permitted builtin and the line of the configuration that permits it.
type Grant struct {
	Builtin catalog.Builtin
	By      string // the name or glob as written
}

// Kind tells what a stage runs.
type Kind string

// The kinds of stage.
const (
	RoleStage     Kind = "role"
	BuiltinStage  Kind = "builtin"
	PipelineStage Kind = "pipeline"
)

// Pipeline is a graph of stages, ordered so that every stage follows those it needs.
// Stages without a path between them run concurrently.
type Pipeline struct {
	Name   string
	Doc    string
	Input  *schema.Schema
	Budget budget.Limits
	Stages []*Stage
	Output *Program
	Result *schema.Schema // type of Output; Any if unknown

	ReadsSession bool // one of its own expressions reads the session; nested pipelines have their own flag
}

// Whole returns the name of the stage whose value is the output unchanged, or "" if the output is computed.
func (p *Pipeline) Whole() string {
	if o := p.Output; len(o.Reads) == 1 && o.Source == o.Reads[0]+".value" {
		return o.Reads[0]
	}
	return ""
}

// NeedsNoWorker reports whether no stage needs a worker.
func (p *Pipeline) NeedsNoWorker() bool {
	for _, s := range p.Stages {
		switch {
		case s.Role != nil || s.Each != nil || s.Repeat != nil:
			return false
		case s.Kind == PipelineStage && !s.Pipeline.NeedsNoWorker(), s.Kind != PipelineStage && !s.Builtin.NeedsNoWorker():
			return false
		}
	}
	return true
}

// DependsOnSession reports whether the output can differ between sessions for the same input.
func (p *Pipeline) DependsOnSession() bool {
	return p.ReadsSession || slices.ContainsFunc(p.Stages, func(s *Stage) bool { return s.Kind == PipelineStage && s.Pipeline.DependsOnSession() })
}

// Stage returns the stage with the given name, or nil.
func (p *Pipeline) Stage(name string) *Stage {
	for _, s := range p.Stages {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Stage is one node of a pipeline. Only one of Role, Builtin (depending on Kind) and
// Pipeline is meaningful.
type Stage struct {
	Name     string
	Kind     Kind
	Role     *Role
	Builtin  catalog.Builtin // of a role stage: the role's grounding builtin
	Pipeline *Pipeline
	Needs    []string // declared or, if none are, derived from the expressions; sorted by position
	When     *Program // nil means always
	Each     *Program // nil means once
	Max      int
	Repeat   *Repeat // nil means once
	JoinAll  bool
	With     map[string]*Program
	Budget   budget.Limits
	Timeout  time.Duration
	Retry    int
	OnError  string
	Fallback *Program
	Out      *schema.Schema // of one run or round; a stage with Each returns a list of such outcomes
	Asks     int            // number of roles with a model on the longest path from here to the end, including all rounds of this stage
	Read     bool           // an expression of the pipeline reads its outcome
	Final    bool           // composes the reply (the output reads it, or it reads no file, and it does not repeat): it may use the reserved time
}

// The values of Stage.OnError.
const (
	OnErrorFail     = "fail"
	OnErrorContinue = "continue"
	OnErrorFallback = "fallback"
)

// Tool is an MCP tool ready to be listed and called.
type Tool struct {
	config.Tool
	Pipeline *Pipeline
	Input    *schema.Schema
	Output   *schema.Schema // Type Any if none is published
	Hints    Hints
	Reach    catalog.Caps // capabilities of everything that its pipeline can run
}

// Runs returns the name of the role, builtin or pipeline that the stage runs.
func (s *Stage) Runs() string {
	switch {
	case s.Kind == PipelineStage:
		return s.Pipeline.Name
	case s.Role != nil:
		return s.Role.Name
	}
	return s.Builtin.Name
}

// Title returns one line about the stage for a waiting person.
func (s *Stage) Title() string {
	switch {
	case s.Kind == PipelineStage:
		return s.Pipeline.Doc
	case s.Role != nil:
		return s.Role.Purpose
	}
	return s.Builtin.Doc
}
