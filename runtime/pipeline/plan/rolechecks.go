package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// Check is a check of the replies of a role's model.
type Check struct {
	task.Check
	Fields []string // paths of texts in the output
	Most   int      // tokens
	Fail   string   // task.Drop, task.Retry or task.Fallback
}

// maxFields limits the fields that one check names: each is compared with all texts of
// the output.
const maxFields = 200

// resolveChecks resolves the checks of a reply: the task's, unless the role redefines them, and the role's own.
func (c *compiler) resolveChecks(r *Role) {
	r.Checks = nil
	texts := task.Texts(r.Out)
	for _, name := range r.Task.Checks {
		own := slices.ContainsFunc(r.Verify, func(v config.Check) bool { return v.Name == name })
		if known, ok := task.CheckNamed(name); ok && !own {
			r.Checks = append(r.Checks, Check{Check: known, Fields: known.Among(texts), Fail: task.Drop})
		}
	}
	for _, v := range r.Verify {
		if check, ok := c.resolveCheck(r, v, texts); ok {
			r.Checks = append(r.Checks, check)
		}
	}
}

func (c *compiler) resolveCheck(r *Role, v config.Check, texts []string) (Check, bool) {
	path := []string{"roles", r.Name, "verify", v.Name}
	at := func(more ...string) []string { return append(path[:len(path):len(path)], more...) }
	known, ok := task.CheckNamed(v.Name)
	if !ok {
		var names []string
		for _, k := range task.Checks() {
			names = append(names, k.Name)
		}
		c.reportUnknown("C141", "check", v.Name, names, path...)
		return Check{}, false
	}
	d := c.at("C141", path...)
	switch {
	case known.Most && v.Most == 0:
		d.Message = "does not say how many tokens there may be"
		d.Help = "write " + v.Name + ": {most: 200}"
	case !known.Most && v.Most > 0:
		d = c.at("C141", at("most")...)
		d.Message = "check " + v.Name + " counts nothing"
		d.Help = "take most away; the check of tokens has it"
	case len(v.Fields) > maxFields:
		d = c.at("C141", at("fields")...)
		d.Message = "names " + strconv.Itoa(len(v.Fields)) + " fields, and at most " + strconv.Itoa(maxFields) + " may be"
		d.Help = "leave fields out to check all texts, or name what they lie in"
	case len(texts) == 0:
		d.Message = "the role's output holds no text that could be checked"
		d.Help = "texts are checked, and lists of them"
	default:
		out := Check{Check: known, Fields: known.Among(texts), Most: v.Most, Fail: v.Fail}
		if len(v.Fields) > 0 {
			out.Fields = slices.DeleteFunc(slices.Clone(texts), func(path string) bool {
				return !slices.ContainsFunc(v.Fields, func(name string) bool { return namesPath(name, path) })
			})
		}
		return out, c.checkFields(r, v, texts, at)
	}
	c.report(d)
	return Check{}, false
}

// checkFields reports whether the fields of a check hold texts, and reports those that do not as problems.
func (c *compiler) checkFields(r *Role, v config.Check, texts []string, at func(...string) []string) bool {
	good := true
	for i, name := range v.Fields {
		if slices.ContainsFunc(texts, func(path string) bool { return namesPath(name, path) }) {
			continue
		}
		good = false
		if c.full() {
			break
		}
		d := c.at("C141", at("fields", strconv.Itoa(i))...)
		d.Message = "no text of the role's output is at \"" + name + "\""
		d.Allowed, d.Suggestion = texts, diag.Nearest(name, append(r.Out.Names(), texts...))
		c.report(d)
	}
	return good
}

// namesPath reports whether a name refers to the text at a path: by the path, its end, or a prefix.
func namesPath(name, path string) bool {
	return path == name || strings.HasPrefix(path, name+".") || strings.HasSuffix(path, "."+name)
}
