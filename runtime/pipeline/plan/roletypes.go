package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// resolveAnswer resolves how a role comes to its answer: the task of its model, the types around
// it, limits and checks, and the answer without a model. at is the path at which the task
// is named: in the role, or in a stage that runs it.
func (c *compiler) resolveAnswer(r *Role, name string, at []string) {
	var ok bool
	r.Prompt = &Template{Source: r.Role.Prompt}
	if r.Task, ok = c.findTask(name, at); !ok || r.faulty || r.Role.Ground != "" && r.Ground.Name == "" { // already reported
		r.faulty, r.In, r.Out = true, r.Ground.In, firstSchema(r.Ground.Out, &schema.Schema{})
		return
	}
	if r.Role.Input != nil && r.Ground.Name != "" {
		r.Ground = r.Ground.Lenient()
	}
	r.In = firstSchema(r.Role.Input, r.Ground.In, r.Task.In, &schema.Schema{Type: schema.Object})
	r.Out = firstSchema(r.Role.Output, r.Ground.Out, r.Task.Out, &schema.Schema{})
	if hasUnknown(r.Role.Output) { // already reported
		r.faulty, r.Prompt = true, c.compileTemplate(r)
		return
	}
	if !c.checkAnswerable(r, at) {
		r.faulty = true
		return
	}
	c.roleInput(r, at)
	c.roleOutput(r, at)
	c.resolveBounds(r)
	c.resolveChecks(r)
	c.resolveFallback(r)
	r.Prompt = c.compileTemplate(r)
}

// hasUnknown reports whether a type has a part about which nothing is known, as a mistake in
// the type leaves behind.
func hasUnknown(t *schema.Schema) bool {
	if t == nil {
		return false
	}
	if t.Type == schema.Any || hasUnknown(t.Items) {
		return true
	}
	return slices.ContainsFunc(t.Fields, func(f schema.Field) bool { return hasUnknown(f.Schema) })
}

func firstSchema(list ...*schema.Schema) *schema.Schema {
	for _, s := range list {
		if s != nil {
			return s
		}
	}
	return nil
}

// findTask returns the task with the given name; the zero Task for off.
func (c *compiler) findTask(name string, at []string) (task.Task, bool) {
	if name == task.Off {
		return task.Task{}, true
	}
	t, ok := c.plan.Tasks.Get(name)
	if !ok {
		c.reportUnknown("C137", "task", name, append(c.plan.Tasks.Names(), task.Off), at...)
	}
	return t, ok
}

// checkAnswerable reports whether anything can answer for the role.
func (c *compiler) checkAnswerable(r *Role, at []string) bool {
	d := c.at("C139", at...)
	switch {
	case r.Task.Ground && r.Ground.Name == "":
		d.Message = "task " + r.Task.Name + " works on what a grounding builtin found, and the role has none"
		d.Help = "write ground: the builtin that answers (" + strings.Join(c.groundingNames(), ", ") + "), or one of the tasks that need none"
		d.Allowed = append(c.ungroundedTasks(), task.Off)
		if c.cfg.Source.Origin("roles", r.Name, "task") == "default" {
			d.Message += "; it is the task of a role that names none"
		}
	case r.Out.Type == schema.Any:
		d = c.at("C139", "roles", r.Name)
		d.Message = "nothing says what the role returns"
		d.Help = "write #output: {...}, the type of what it returns"
		if r.Task.Name == "" {
			d.Help += ", or ground: the builtin that answers"
		}
	case !r.Asks() && r.Ground.Name == "" && r.Role.Fallback == nil:
		d.Message = "the role asks no model, and nothing stands in its place"
		d.Help = "write ground or fallback, or another task"
		d.Allowed = c.ungroundedTasks()
	default:
		return true
	}
	c.report(d)
	return false
}

// ungroundedTasks lists the tasks that need no grounding builtin.
func (c *compiler) ungroundedTasks() []string {
	var out []string
	for _, n := range c.plan.Tasks.Names() {
		if t, _ := c.plan.Tasks.Get(n); !t.Ground {
			out = append(out, n)
		}
	}
	return out
}

// roleInput checks that the role's input satisfies the builtin and the task that receive it.
func (c *compiler) roleInput(r *Role, at []string) {
	needs := func(who string, in *schema.Schema, at []string) {
		if in == nil || in == r.In {
			return
		}
		for _, f := range in.Fields {
			own := r.In.Field(f.Name)
			d := c.at("C138", at...)
			switch {
			case own == nil && f.Required && f.Schema.Default == nil:
				d.Message = who + " needs input \"" + f.Name + "\" (" + describe(f.Schema) + "), which the role does not take"
				d.Help = "write it into the role's #input"
				d.Suggestion = diag.Nearest(f.Name, r.In.Names())
			case own != nil && !accepts(f.Schema, own.Schema):
				d = c.at("C138", "roles", r.Name, "input", f.Name)
				d.Message = "is " + describe(own.Schema) + ", but " + who + " takes " + describe(f.Schema)
			default:
				continue
			}
			c.report(d)
		}
	}
	if r.Role.Input != nil {
		at = []string{"roles", r.Name, "input"}
	}
	needs("builtin "+r.Ground.Name, r.Ground.In, at)
	needs("task "+r.Task.Name, r.Task.In, at)
}

// roleOutput checks that the task's output fits the role's. The grounding builtin may
// return something else if the role has a fallback.
func (c *compiler) roleOutput(r *Role, at []string) {
	out := []string{"roles", r.Name, "output"}
	if differs := describeMismatch(r.Out, r.Task.Out); differs != "" {
		d := c.at("C138", at...)
		if r.Role.Output != nil {
			d = c.at("C138", out...)
		}
		d.Message = "what task " + r.Task.Name + " gives does not fit what the role returns, " + describe(r.Out) + ": " + differs
		d.Help = "leave the output out, or write task: \"free\", which fills any"
		if looksLikeBounds(r.Role.Output, r.Task.Out) {
			d.Message, d.Help = asBounds(r.Role.Output)
		}
		c.report(d)
		r.faulty, r.Out = true, firstSchema(r.Ground.Out, r.Task.Out)
		return
	}
	differs := describeMismatch(r.Out, r.Ground.Out)
	switch {
	case r.Ground.Name == "" || differs == "":
	case r.Role.Fallback != nil && !r.Asks():
		r.Ground = catalog.Builtin{} // its findings would never be used
	case r.Role.Fallback == nil:
		d := c.at("C138", out...)
		d.Message = "without a model builtin " + r.Ground.Name + " answers, and what it gives does not fit: " + differs
		d.Help = "write fallback: what stands there without a model"
		if looksLikeBounds(r.Role.Output, r.Ground.Out) {
			d.Message, d.Help = asBounds(r.Role.Output)
		}
		c.report(d)
	}
}

// looksLikeBounds reports whether an output consists of numbers, as bounds are written.
func looksLikeBounds(out, of *schema.Schema) bool {
	if out == nil || len(out.Fields) == 0 {
		return false
	}
	for _, f := range out.Fields {
		if f.Schema.Type != schema.Integer || len(f.Schema.Enum) != 1 {
			return false
		}
	}
	return of != nil
}

// asBounds explains the mistake of an output that is written like bounds.
func asBounds(out *schema.Schema) (message, help string) {
	var fields []string
	for _, f := range out.Fields {
		fields = append(fields, fmt.Sprintf("%s: %v", f.Name, f.Schema.Enum[0]))
	}
	return "is the type of what the role returns, not how long that may be",
		"take it out, and write bounds: {" + strings.Join(fields, ", ") + "}, with the names of what the role returns"
}

// Caps returns the capabilities of everything that the role may run.
func (r *Role) Caps() catalog.Caps {
	caps := r.Ground.Caps | r.Evidence.Caps | r.Fallback.Builtin.Caps
	for _, g := range r.Tools {
		caps |= g.Builtin.Caps
	}
	return caps
}

// Env returns the environment of the role's own expressions: its input.
func (r *Role) Env(input map[string]any) (map[string]any, error) {
	seen, err := Plain(input, r.In)
	if err != nil {
		return nil, err
	}
	return map[string]any{envInput: seen}, nil
}

// envSchema returns the type of Env.
func (r *Role) envSchema() *schema.Schema {
	return &schema.Schema{Type: schema.Object, Fields: []schema.Field{{Name: envInput, Required: true, Schema: r.In}}}
}

// roleValue compiles a value in a role, with the role's input as environment.
func (c *compiler) roleValue(r *Role, v config.Value, want *schema.Schema, path ...string) *Program {
	return c.valueAt(v, r.envSchema(), want, setting{}, path, nil)
}
