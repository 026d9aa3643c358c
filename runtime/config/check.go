package config

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// check checks the merged tree against its definitions, reports every mistake and fills in the defaults.
func (l *loader) check(tree *node) {
	c := &checker{loader: l, patterns: map[string]*regexp.Regexp{}}
	c.checkNode(tree, l.config, nil)
	c.checkRules(tree)
}

// dropForeign reports files that are CUE but not a configuration of compactor, once instead of field by
// field, and drops them. A name near a known one is a misspelling and does not count as foreign.
func (l *loader) dropForeign(layer *node) {
	names := l.config.names()
	if layer == nil || len(layer.fields) == 0 {
		return
	}
	for _, f := range layer.fields {
		if l.config.knownField(f.name) != nil || diag.Nearest(f.name, names) != "" {
			return
		}
	}
	first := layer.fields[0]
	l.diags = append(l.diags, diag.Diagnostic{Code: "C014", Severity: diag.Error, Range: first.value.key.rng(), Path: JoinPath(first.name),
		Message: "this does not look like a configuration of compactor: it knows none of these fields", Allowed: names})
	layer.fields = nil
}

type checker struct {
	*loader
	siblings *node                     // the struct whose entry is being checked
	patterns map[string]*regexp.Regexp // those of shapes, as far as used
}

// report adds a diagnostic about a place in the configuration.
func (c *checker) report(code string, at span, path []string, message string) *diag.Diagnostic {
	rng := at.rng()
	if at.file == nil {
		rng = c.aroundAny(path)
	}
	c.diags = append(c.diags, diag.Diagnostic{Code: code, Severity: diag.Error, Range: rng, Path: JoinPath(path...), Message: message})
	return &c.diags[len(c.diags)-1]
}

// checkNode checks one value. If it is wrong and the shipped configuration has a valid one,
// that replaces it: one mistake should not look like many.
func (c *checker) checkNode(n *node, s *shape, path []string) {
	if n == nil || n.kind == broken || s == nil {
		return
	}
	before := len(c.diags)
	ok := true
	switch s.Form {
	case structForm:
		if ok = c.checkKind(n, structNode, s, path); ok {
			c.checkStruct(n, s, path)
		}
	case eitherForm:
		if n.kind != scalarNode {
			if ok = c.checkKind(n, structNode, s, path); ok {
				c.checkStruct(n, s, path)
			}
		} else {
			ok = c.checkScalar(n, s.Short, path)
		}
	case listForm:
		if ok = c.checkKind(n, listNode, s, path); ok {
			c.checkList(n, s, path)
			ok = len(c.diags) == before || s.Items != nil && s.Items.Form == structForm // whose entries are replaced one by one
		}
	case stringForm, integerForm, numberForm, boolForm:
		ok = c.checkScalar(n, s, path)
	case durationForm:
		ok = c.checkDuration(n, path)
	case sizeForm:
		ok = c.checkSize(n, path)
	}
	if !ok {
		c.useDefault(n, s, path)
	}
}

func (c *checker) useDefault(n *node, s *shape, path []string) {
	if n.below == nil {
		n.kind, n.scalar, n.items = broken, nil, nil
		return
	}
	*n = *n.below
	c.checkNode(n, s, path)
}

func (c *checker) checkKind(n *node, want kind, s *shape, path []string) bool {
	if n.kind == want {
		return true
	}
	c.report("C021", n.value, path, "is "+n.describe()+", want a "+formNames[s.Form]).Help = formHelp(n, want, path)
	return false
}

func (c *checker) checkStruct(n *node, s *shape, path []string) {
	meant := map[string]bool{} // known fields that misspelt ones were probably meant to be
	for _, f := range n.fields {
		at := append(path[:len(path):len(path)], f.name)
		known := s.knownField(f.name)
		switch {
		case known == nil && s.Rest == nil:
			meant[c.reportUnknown(f, s, at)] = true
		case known == nil:
			c.checkKey(f, s, at)
			c.siblings = n
			c.checkNode(f.value, s.Rest, at)
		default:
			c.checkNode(f.value, known, at)
		}
	}
	switch s.Name {
	case "#Stage":
		c.checkStage(n, meant, path)
	case "#Fallback":
		c.checkFallback(n, meant, path)
	}
	c.addDefaults(n, s, meant, path)
}

func (c *checker) reportUnknown(f nodeField, s *shape, path []string) (suggestion string) {
	names := s.names()
	d := c.report("C020", f.value.key, path, "unknown field \""+f.name+"\"")
	d.Allowed = names
	d.Suggestion = diag.Nearest(f.name, names)
	if path[0] == "servers" && (len(path) == 3 || len(path) == 5 && path[2] == "tools") {
		otherName(d, f.name)
	}
	wasField(d, s.Name, f.name)
	return d.Suggestion
}

func (c *checker) checkKey(f nodeField, s *shape, path []string) {
	if s.Key == nil || c.matchesPattern(s.Key, f.name) {
		return
	}
	c.report("C024", f.value.key, path, quoteShort(f.name)+" cannot be a name").Help = nameHelp(path)
}

// nameHelp describes valid names at a path.
func nameHelp(path []string) string {
	if path[0] == "dependencies" && len(path) == 2 {
		return "the name of a dependency is lower-case letters, digits and _, such as test_db"
	}
	if path[0] == "servers" {
		switch {
		case len(path) == 2:
			return "the name of a server is letters, digits, _, - and . such as my-notes"
		case path[2] == "env":
			return "the name of an environment variable is letters, digits and _"
		case path[2] == "headers":
			return "the name of an HTTP header has no spaces and no colon"
		}
	}
	return "a name begins with a letter and goes on with letters, digits and _"
}

// checkStage checks that exactly one thing is run.
func (c *checker) checkStage(n *node, meant map[string]bool, path []string) {
	set := n.setFields(runs)
	switch {
	case len(set) == 0 && !slices.ContainsFunc(runs, func(r string) bool { return meant[r] }):
		c.report("C026", n.key, path, "the stage runs nothing").Allowed = runs
	case len(set) > 1:
		c.report("C027", n.get(set[1]).key, path, "the stage runs two things").Help = "a stage has one of role, builtin and pipeline; write two stages"
	}
	if asked := n.get("task"); asked != nil && len(set) > 0 && n.get("role") == nil {
		c.report("C031", asked.key, append(path[:len(path):len(path)], "task"), "task goes with role, which the stage does not run")
	}
}

// setFields returns those of the fields that are set.
func (n *node) setFields(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return n.get(name) == nil })
}

// stands lists the fields of a role's fallback of which exactly one is set.
var stands = []string{"builtin", "value", "error"}

// checkFallback checks that exactly one thing replaces the model, and that its companion
// fields are not used with anything else.
func (c *checker) checkFallback(n *node, meant map[string]bool, path []string) {
	set := n.setFields(stands)
	switch {
	case len(set) == 0 && !slices.ContainsFunc(stands, func(s string) bool { return meant[s] }):
		c.report("C025", n.key, path, "nothing stands in the model's place").Allowed = stands
	case len(set) > 1:
		c.report("C030", n.get(set[1]).key, append(path[:len(path):len(path)], set[1]), set[0]+" and "+set[1]+" are both set").Help = "a fallback has one of builtin, value and error; take the other away"
	}
	for _, of := range []struct{ field, needs string }{{"with", "builtin"}, {"message", "error"}} {
		if extra := n.get(of.field); extra != nil && len(set) == 1 && set[0] != of.needs {
			c.report("C031", extra.key, append(path[:len(path):len(path)], of.field), of.field+" goes with "+of.needs+", which is not set")
		}
	}
}

// addDefaults reports missing fields and adds defaults.
func (c *checker) addDefaults(n *node, s *shape, meant map[string]bool, path []string) {
	var missing []shapeField
	for _, f := range s.Fields {
		if n.get(f.Name) != nil {
			continue
		}
		switch {
		case f.Required && meant[f.Name]:
		case f.Required:
			missing = append(missing, f)
		case f.Shape.Preset != nil:
			n.set(f.Name, f.Shape.Preset.clone())
		case f.Shape.Form == structForm && (!f.Optional || f.Shape.hasDefaults()):
			kid := &node{kind: structNode, side: preset, key: n.key, value: n.value}
			c.addDefaults(kid, f.Shape, nil, append(path[:len(path):len(path)], f.Name))
			n.set(f.Name, kid)
		}
	}
	if len(missing) > 0 {
		c.reportMissing(n, missing, path)
	}
}

// hasDefaults reports whether every field has a default, so that a section that is not written, such
// as pool, exists anyway. An optional section within it that has a meaning if present stays out.
func (s *shape) hasDefaults() bool {
	for _, f := range s.Fields {
		if within := f.Optional && f.Shape.Form == structForm && !f.Shape.hasDefaults(); !within && f.Shape.Preset == nil {
			return false
		}
	}
	return len(s.Fields) > 0
}

// reportMissing reports all absent fields of one entry at once. An entry that lacks everything
// is usually a misspelling of an existing one.
func (c *checker) reportMissing(n *node, fields []shapeField, path []string) {
	var names, docs, siblings []string
	for _, f := range fields {
		names = append(names, "\""+f.Name+"\"")
		docs = append(docs, f.Name+": "+f.Shape.Doc)
	}
	verb := " is missing"
	if len(names) > 1 {
		verb = " are missing"
	}
	d := c.report("C025", n.key, path, strings.Join(names, ", ")+verb)
	d.Help = strings.Join(docs, "; ")
	for _, f := range c.siblings.fieldsOrNone() {
		if f.value != n {
			siblings = append(siblings, f.name)
		}
	}
	d.Suggestion = diag.Nearest(path[len(path)-1], siblings)
}

func (c *checker) checkList(n *node, s *shape, path []string) {
	for i, item := range n.items {
		c.checkNode(item, s.Items, append(path[:len(path):len(path)], strconv.Itoa(i)))
	}
	if s.MinLen != nil && len(n.items) < *s.MinLen {
		c.report("C023", n.value, path, fmt.Sprintf("has %d elements, want %d or more", len(n.items), *s.MinLen))
	}
	if s.MaxLen != nil && len(n.items) > *s.MaxLen {
		c.report("C023", n.value, path, fmt.Sprintf("has %d elements, want %d or less", len(n.items), *s.MaxLen))
	}
}
