package plan

import (
	"slices"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/diag"
	"github.com/compactor-mcp/compactor/runtime/task"
)

// Check is a check of what a role's model says.
type Check struct {
	task.Check
	Fields []string // of the role's output, that hold texts
	Most   int      // tokens
	Fail   string   // task.Drop, task.Retry or task.Fallback
}

// checks resolves what a program checks of a reply: what the task brings, unless the
// role says it otherwise, and what the role adds.
func (c *compiler) checks(r *Role) {
	r.Checks = nil
	texts := task.Texts(r.Out)
	for _, name := range r.Task.Checks {
		own := slices.ContainsFunc(r.Verify, func(v config.Check) bool { return v.Name == name })
		if known, ok := task.CheckNamed(name); ok && !own {
			r.Checks = append(r.Checks, Check{Check: known, Fields: known.Among(texts), Fail: task.Drop})
		}
	}
	for _, v := range r.Verify {
		if check, ok := c.check(r, v, texts); ok {
			r.Checks = append(r.Checks, check)
		}
	}
}

func (c *compiler) check(r *Role, v config.Check, texts []string) (Check, bool) {
	path := []string{"roles", r.Name, "verify", v.Name}
	at := func(more ...string) []string { return append(path[:len(path):len(path)], more...) }
	known, ok := task.CheckNamed(v.Name)
	if !ok {
		var names []string
		for _, k := range task.Checks() {
			names = append(names, k.Name)
		}
		c.unknown("C141", "check", v.Name, names, path...)
		return Check{}, false
	}
	d := c.at("C141", path...)
	switch {
	case known.Most && v.Most == 0:
		d.Message = "says not how many tokens there may be"
		d.Help = "write " + v.Name + ": {most: 200}"
	case !known.Most && v.Most > 0:
		d = c.at("C141", at("most")...)
		d.Message = "check " + v.Name + " counts nothing"
		d.Help = "take most away; the check of tokens has it"
	case len(texts) == 0:
		d.Message = "the role's output holds no text that could be checked"
		d.Help = "texts and lists of texts are checked"
	default:
		out := Check{Check: known, Fields: v.Fields, Most: v.Most, Fail: v.Fail}
		if len(out.Fields) == 0 {
			out.Fields = known.Among(texts)
		}
		return out, c.checkable(r, v, texts, at)
	}
	c.report(d)
	return Check{}, false
}

// checkable checks that the fields of a check hold texts.
func (c *compiler) checkable(r *Role, v config.Check, texts []string, at func(...string) []string) bool {
	good := true
	for i, name := range v.Fields {
		if slices.Contains(texts, name) {
			continue
		}
		d := c.at("C141", at("fields", strconv.Itoa(i))...)
		d.Message = "the role's output has no \"" + name + "\""
		if f := r.Out.Field(name); f != nil {
			d.Message = "\"" + name + "\" is " + describe(f.Schema) + ", and no text that could be checked"
		}
		d.Allowed, d.Suggestion = texts, diag.Nearest(name, texts)
		c.report(d)
		good = false
	}
	return good
}
