package plan

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// compileAt compiles an expression found at a path of the configuration and reports its
// problems at their columns.
func (c *compiler) compileAt(src string, env *schema.Schema, cond bool, given setting, path []string, stages map[string]*Stage) *Program {
	return c.compileIn(src, 0, env, cond, given, path, stages)
}

// compileIn is compileAt for an expression that begins shift characters into the text at the path.
func (c *compiler) compileIn(src string, shift int, env *schema.Schema, cond bool, given setting, path []string, stages map[string]*Stage) *Program {
	p, problem := compileUnder(src, env, cond, given)
	if problem == nil {
		c.reportDoubts(p, shift, path)
		return p
	}
	problem.nameStage(src, env, stages)
	d := c.at("C116", path...)
	if problem.To > problem.From {
		d.Range = c.cfg.Source.InString(path, shift+problem.From, shift+problem.To)
	}
	d.Message = "expression: " + problem.Message
	if name, ok := strings.CutPrefix(problem.Message, "unknown name "); ok {
		c.unknownName(&d, name, env, path, stages)
	} else if name, ok := strings.CutPrefix(problem.Message, "unknown field "); ok {
		d.Allowed = fieldsNear(env, src, problem)
		d.Suggestion = diag.Nearest(name, d.Allowed)
	}
	c.report(d)
	return nil
}

// nameStage restates a problem with a function where a stage was meant that has the name of one, such as find, and
// is not in env.
func (p *exprProblem) nameStage(src string, env *schema.Schema, stages map[string]*Stage) {
	if !strings.HasPrefix(p.Message, "type func(") {
		return
	}
	for _, name := range namesIn(src) {
		if stages[name] != nil && env.Field(name) == nil {
			p.Message = "unknown name " + name
			return
		}
	}
}

// reportDoubts reports where an expression relies on values that may be absent.
func (c *compiler) reportDoubts(p *Program, shift int, path []string) {
	for _, problem := range p.doubts {
		d := c.at(problem.Code, path...)
		if problem.To > problem.From {
			d.Range = c.cfg.Source.InString(path, shift+problem.From, shift+problem.To)
		}
		d.Severity, d.Message, d.Help = problem.Severity, "expression: "+problem.Message, problem.Help
		c.report(d)
	}
}

// unknownName distinguishes a misspelt name from a stage that exists but comes later.
func (c *compiler) unknownName(d *diag.Diagnostic, name string, env *schema.Schema, path []string, stages map[string]*Stage) {
	if stages[name] != nil && len(path) > 4 && path[3] == name {
		d.Message = "stage \"" + name + "\" reads its own outcome"
		d.Help = "only later stages can read it; a stage with repeat reads its finished rounds as " + envRounds + " in with, until and gain"
		return
	}
	if stages[name] != nil && len(path) > 3 {
		d.Code = "C114"
		d.Message = "stage \"" + path[3] + "\" reads the output of \"" + name + "\", which it does not need"
		d.Help = "add \"" + name + "\" to needs, or leave needs out: then a stage needs what it reads"
		needs := append(path[:4:4], "needs")
		if at := c.cfg.Source.At(needs...); at.File != d.Range.File && c.cfg.Source.Origin(needs...) != "default" {
			d.Range = at // the user wrote needs of a stage defined elsewhere
		}
		return
	}
	if name == envPrevious || name == envRounds {
		d.Help = name + " is read in with, until and gain of a stage with repeat; later stages read rounds of that stage, such as look.rounds"
		return
	}
	d.Allowed = env.Names()
	d.Suggestion = diag.Nearest(name, d.Allowed)
	if in := env.Field(envInput); d.Suggestion == "" && in != nil && in.Schema.Field(name) != nil {
		d.Suggestion = envInput + "." + name
	}
}
