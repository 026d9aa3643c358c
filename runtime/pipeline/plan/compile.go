package plan

import (
	"maps"
	"net/url"
	"slices"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// Compile checks everything in a configuration that refers to something else, and returns
// the plan. The plan is nil if any diagnostic is an error. One call returns all problems.
func Compile(cfg *config.Config, cat catalog.Catalog) (*Plan, diag.List) {
	c := &compiler{
		cfg: cfg, cat: cat,
		plan: &Plan{Config: cfg, Catalog: cat, Tasks: task.All(), Roles: map[string]*Role{}, Pipelines: map[string]*Pipeline{}, Hooks: map[string]*Hook{}},
	}
	c.checkModels()
	c.resolveRoles()
	c.resolveInputs()
	c.compilePipelines()
	c.resolveTools()
	c.checkMenu()
	c.resolveHooks()
	c.compileTests()
	c.checkPool()
	c.diags.Sort()
	if c.diags.HasErrors() {
		return nil, c.diags
	}
	return c.plan, c.diags
}

type compiler struct {
	cfg   *config.Config
	cat   catalog.Catalog
	plan  *Plan
	diags diag.List
	seen  int // number of stages so far
}

// at begins a diagnostic for a path of the configuration.
func (c *compiler) at(code string, path ...string) diag.Diagnostic {
	return diag.Diagnostic{Code: code, Severity: diag.Error, Range: c.cfg.Source.At(path...), Path: config.JoinPath(path...)}
}

// atName begins a diagnostic about the name of an entry, rather than its value.
func (c *compiler) atName(code string, path ...string) diag.Diagnostic {
	return diag.Diagnostic{Code: code, Severity: diag.Error, Range: c.cfg.Source.Name(path...), Path: config.JoinPath(path...)}
}

// maxReported is more problems than a person would read at once.
const maxReported = 1_000

// full reports whether no further problem would be reported.
func (c *compiler) full() bool { return len(c.diags) >= maxReported }

// report adds a problem once: a mistake in a role shows up again in each stage that runs it.
func (c *compiler) report(d diag.Diagnostic) {
	if c.full() {
		return
	}
	for _, have := range c.diags {
		if have.Code == d.Code && have.Range == d.Range && have.Path == d.Path && have.Message == d.Message {
			return
		}
	}
	c.diags = append(c.diags, d)
}

// reportUnknown reports a name that refers to nothing, with the names that exist.
func (c *compiler) reportUnknown(code, what, name string, have []string, path ...string) {
	d := c.at(code, path...)
	d.Message = what + " \"" + name + "\" is not defined"
	if len(have) == 0 {
		d.Message += "; there are none"
	}
	d.Allowed = have
	d.Suggestion = diag.Nearest(name, have)
	c.report(d)
}

func (c *compiler) checkModels() {
	names := slices.Sorted(maps.Keys(c.cfg.Models))
	for _, name := range names {
		c.checkEndpoint(name, c.cfg.Models[name])
		for i, f := range c.cfg.Models[name].Fallback {
			if _, ok := c.cfg.Models[f]; !ok {
				c.reportUnknown("C104", "model", f, names, "models", name, "fallback", strconv.Itoa(i))
			}
		}
	}
}

// checkEndpoint checks the address of a model, without connecting.
func (c *compiler) checkEndpoint(name string, m config.Model) {
	d := c.at("C126", "models", name, "url")
	switch u, err := url.Parse(m.URL); {
	case m.Provider == "none":
		return
	case m.Provider == "replay" && m.URL == "":
		d.Message = "a replay needs the file of its recording"
		d.Help = "set url to the file; make one with: compactor research --record FILE QUESTION"
	case m.Provider == "replay" || m.URL == "":
		return
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "":
		d.Message = "\"" + m.URL + "\" is not an address of a server"
		d.Help = "write it with http:// or https://, such as http://localhost:1234/v1"
	case u.User != nil:
		d.Message = "the address holds a user name or password"
		d.Help = "put the key into an environment variable and name it in key"
	default:
		return
	}
	c.report(d)
}

// checkPool warns if a request's own budget outlives the server's deadline.
func (c *compiler) checkPool() {
	deadline := c.cfg.Pool.Deadline
	if deadline <= 0 {
		return
	}
	patient := map[string]bool{} // pipelines whose clients watch progress and wait
	for _, t := range c.cfg.Tools {
		patient[t.Pipeline] = patient[t.Pipeline] || t.Upstream()
	}
	for _, h := range c.cfg.Hooks { // run within a call, which ends them
		patient[h.Pipeline] = true
	}
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Pipelines)) {
		if t := c.cfg.Pipelines[name].Budget.Time; t > deadline && !patient[name] {
			d := c.at("C122", "pipelines", name, "budget", "time")
			d.Severity = diag.Warning
			d.Message = "budget of " + t.String() + " is longer than pool.deadline, " + deadline.String() + ", which ends the request first"
			c.report(d)
		}
	}
}

// resolveInputs gives each pipeline without an input of its own the fields of the tools that run it.
func (c *compiler) resolveInputs() {
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Pipelines)) {
		p := c.cfg.Pipelines[name]
		in := p.Input
		if in == nil {
			in = c.inputOfTools(name)
		}
		c.plan.Pipelines[name] = &Pipeline{Name: name, Doc: p.Doc, Input: in, Budget: p.Budget, Result: &schema.Schema{}}
	}
}

func (c *compiler) inputOfTools(pipeline string) *schema.Schema {
	union := &schema.Schema{Type: schema.Object}
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Tools)) {
		t := c.cfg.Tools[name]
		if t.Pipeline != pipeline || t.Input == nil {
			continue
		}
		for _, f := range t.Input.Fields {
			have := union.Field(f.Name)
			switch {
			case have == nil:
				union.Fields = append(union.Fields, f)
			case !accepts(have.Schema, f.Schema):
				d := c.at("C119", "tools", name, "input", f.Name)
				d.Message = "input " + f.Name + " is " + describe(f.Schema) + ", but another tool of pipeline " + pipeline + " has it as " + describe(have.Schema)
				d.Help = "give pipelines." + pipeline + " an input of its own"
				c.report(d)
			}
		}
	}
	return union
}

func (c *compiler) resolveTools() {
	names := slices.Sorted(maps.Keys(c.cfg.Pipelines))
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Tools)) {
		t := c.cfg.Tools[name]
		p, ok := c.plan.Pipelines[t.Pipeline]
		if !ok {
			c.reportUnknown("C105", "pipeline", t.Pipeline, names, "tools", name, "pipeline")
			continue
		}
		tool := &Tool{Tool: t, Pipeline: p, Input: t.Input, Output: t.Output}
		if other, twice := c.plan.Command(t.Command); twice && t.Command != "" && t.Enabled {
			d := c.at("C144", "tools", name, "command")
			d.Message = "command \"" + t.Command + "\" runs tool " + other.Name + " as well"
			d.Help = "write tools: " + other.Name + ": command: \"\" where this one is to take its place"
			c.report(d)
		}
		if tool.Input == nil {
			tool.Input = p.Input
		}
		if tool.Output == nil {
			tool.Output = p.Result
		} else if !accepts(tool.Output, p.Result) {
			d := c.at("C120", "tools", name, "output")
			d.Message = "output is declared as " + describe(tool.Output) + ", but pipeline " + p.Name + " gives " + describe(p.Result)
			c.report(d)
		}
		c.toolInput(name, tool)
		tool.Hints = c.hintsOf(tool)
		closed := t.Surface == "network" && !c.cfg.Network.Open() || t.Surface == "collections" && len(c.cfg.Collections) == 0
		if !closed {
			c.checkReaders(tool.Pipeline)
		}
		switch {
		case t.Enabled && closed:
			c.plan.Closed = append(c.plan.Closed, tool)
		case t.Enabled:
			c.plan.Tools = append(c.plan.Tools, tool)
		}
	}
}

// toolInput checks that the pipeline takes what clients may send.
func (c *compiler) toolInput(name string, t *Tool) {
	for _, f := range t.Input.Fields {
		want := t.Pipeline.Input.Field(f.Name)
		if want == nil && t.Pipeline.Input.Open == nil {
			c.reportUnknown("C106", "input", f.Name, t.Pipeline.Input.Names(), "tools", name, "input", f.Name)
		}
	}
	for i, f := range t.Advanced {
		if t.Input.Field(f) == nil && t.Input.Open == nil {
			c.reportUnknown("C106", "input", f, t.Input.Names(), "tools", name, "advanced", strconv.Itoa(i))
		}
	}
	if f := t.Input.Field(t.Question); f == nil && t.Question != "" && t.Input.Open == nil && c.cfg.Source.Origin("tools", name, "question") != "default" {
		c.reportUnknown("C106", "input", t.Question, t.Input.Names(), "tools", name, "question")
	} else if f != nil && f.Schema.Type != schema.String && c.cfg.Source.Origin("tools", name, "question") != "default" {
		d := c.at("C106", "tools", name, "question")
		d.Message = "input " + t.Question + " is " + describe(f.Schema) + ", and a question is a string"
		c.report(d)
	}
	for _, f := range t.Pipeline.Input.Fields {
		if f.Required && f.Schema.Default == nil && t.Input.Field(f.Name) == nil && c.cfg.Pipelines[t.Pipeline.Name].Input != nil {
			d := c.at("C106", "tools", name, "input")
			d.Message = "pipeline " + t.Pipeline.Name + " needs input " + f.Name + ", which the tool does not ask for"
			c.report(d)
		}
	}
}
