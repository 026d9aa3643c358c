package config

import (
	"fmt"
	"regexp"
	"strings"

	"cuelang.org/go/cue"

	"compactor/runtime/diag"
)

// check holds the merged tree against its definitions, reports every mistake
// and fills in the defaults.
func (l *loader) check(tree *node) {
	c := &checker{loader: l}
	c.node(tree, l.config, nil)
	c.patterns(tree)
}

type checker struct {
	*loader
	siblings *node // the struct whose entry is being checked
}

// report adds a diagnostic about a place in the configuration.
func (c *checker) report(code string, at span, path []string, message string) *diag.Diagnostic {
	c.diags = append(c.diags, diag.Diagnostic{Code: code, Severity: diag.Error, Range: at.rng(), Path: JoinPath(path...), Message: message})
	return &c.diags[len(c.diags)-1]
}

func (c *checker) node(n *node, s *shape, path []string) {
	if n == nil || n.kind == broken || s == nil {
		return
	}
	switch s.form {
	case structForm:
		if c.kind(n, structNode, s, path) {
			c.structure(n, s, path)
		}
	case listForm:
		if c.kind(n, listNode, s, path) {
			c.list(n, s, path)
		}
	case stringForm, integerForm, numberForm, boolForm:
		c.scalar(n, s, path)
	case durationForm:
		c.duration(n, path)
	case sizeForm:
		c.size(n, path)
	}
}

func (c *checker) kind(n *node, want kind, s *shape, path []string) bool {
	if n.kind == want {
		return true
	}
	c.report("C021", n.value, path, "is "+n.describe()+", want a "+formNames[s.form])
	return false
}

func (c *checker) structure(n *node, s *shape, path []string) {
	for _, f := range n.fields {
		at := append(path[:len(path):len(path)], f.name)
		known := s.known(f.name)
		switch {
		case known == nil && s.rest == nil:
			c.unknown(n, f, s, at)
		case known == nil:
			c.key(f, s, at)
			c.siblings = n
			c.node(f.value, s.rest, at)
		default:
			c.node(f.value, known, at)
		}
	}
	if s.name == "#Stage" {
		c.stage(n, path)
	}
	c.complete(n, s, path)
}

func (s *shape) known(name string) *shape {
	for _, f := range s.fields {
		if f.name == name {
			return f.shape
		}
	}
	return nil
}

func (c *checker) unknown(n *node, f nodeField, s *shape, path []string) {
	names := s.names()
	d := c.report("C020", f.value.key, path, "unknown field \""+f.name+"\"")
	d.Allowed = names
	d.Suggestion = diag.Nearest(f.name, names)
}

func (c *checker) key(f nodeField, s *shape, path []string) {
	if s.key == nil || s.key.pattern == nil || s.key.pattern.MatchString(f.name) {
		return
	}
	c.report("C024", f.value.key, path, "\""+f.name+"\" cannot be a name").Help = "a name begins with a letter and goes on with letters, digits and _"
}

// stage checks that exactly one thing is run.
func (c *checker) stage(n *node, path []string) {
	var set []*node
	for _, r := range runs {
		if v := n.get(r); v != nil {
			set = append(set, v)
		}
	}
	switch {
	case len(set) == 0:
		c.report("C026", n.key, path, "the stage runs nothing").Allowed = runs
	case len(set) > 1:
		c.report("C027", set[1].key, path, "the stage runs two things").Help = "a stage has one of role, builtin and pipeline; write two stages"
	}
}

// complete reports what is missing and adds what has a default.
func (c *checker) complete(n *node, s *shape, path []string) {
	var missing []shapeField
	for _, f := range s.fields {
		if n.get(f.name) != nil {
			continue
		}
		switch {
		case f.required:
			missing = append(missing, f)
		case f.shape.preset.Exists():
			n.set(f.name, presetNode(f.shape.preset))
		case f.shape.form == structForm && (!f.optional || f.shape.settled()):
			kid := &node{kind: structNode, side: preset, key: n.key, value: n.value}
			c.complete(kid, f.shape, append(path[:len(path):len(path)], f.name))
			n.set(f.name, kid)
		}
	}
	if len(missing) > 0 && len(path) > 0 {
		c.missing(n, missing, path)
	}
}

// settled reports whether every field has a default, so that a section nobody
// wrote, such as pool, is there all the same.
func (s *shape) settled() bool {
	for _, f := range s.fields {
		if !f.shape.preset.Exists() {
			return false
		}
	}
	return len(s.fields) > 0
}

// missing reports all absent fields of one entry at once. An entry that lacks
// everything is most often a misspelt name of one that is there.
func (c *checker) missing(n *node, fields []shapeField, path []string) {
	var names, docs, siblings []string
	for _, f := range fields {
		names = append(names, "\""+f.name+"\"")
		docs = append(docs, f.name+": "+f.shape.doc)
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

func presetNode(v cue.Value) *node {
	if d, ok := v.Default(); ok {
		v = d
	}
	switch v.IncompleteKind() {
	case cue.ListKind:
		n := &node{kind: listNode, side: preset}
		for it, err := v.List(); err == nil && it.Next(); {
			n.items = append(n.items, presetNode(it.Value()))
		}
		return n
	case cue.StructKind:
		return &node{kind: structNode, side: preset}
	}
	return &node{kind: scalarNode, side: preset, scalar: scalarOf(v)}
}

func (c *checker) list(n *node, s *shape, path []string) {
	for i, item := range n.items {
		c.node(item, s.items, append(path[:len(path):len(path)], fmt.Sprint(i)))
	}
}

func (c *checker) scalar(n *node, s *shape, path []string) {
	if n.kind != scalarNode || !s.takes(n.scalar) {
		c.report("C021", n.value, path, "is "+n.describe()+", want "+article(formNames[s.form]))
		return
	}
	if len(s.enum) > 0 && !s.listed(n.scalar) {
		d := c.report("C022", n.value, path, "is "+n.describe()+", which is not one of the values allowed")
		for _, e := range s.enum {
			d.Allowed = append(d.Allowed, fmt.Sprint(e))
		}
		if text, ok := n.scalar.(string); ok {
			d.Suggestion = diag.Nearest(text, d.Allowed)
		}
		return
	}
	c.bounds(n, s, path)
}

func (s *shape) takes(v any) bool {
	switch v.(type) {
	case string:
		return s.form == stringForm
	case bool:
		return s.form == boolForm
	case int64:
		return s.form == integerForm || s.form == numberForm
	case float64:
		return s.form == numberForm
	}
	return false
}

func (s *shape) listed(v any) bool {
	for _, e := range s.enum {
		if e == v {
			return true
		}
	}
	return false
}

func (c *checker) bounds(n *node, s *shape, path []string) {
	switch v := n.scalar.(type) {
	case int64:
		c.number(n, float64(v), s, path)
	case float64:
		c.number(n, v, s, path)
	case string:
		switch {
		case s.minLen != nil && len([]rune(v)) < *s.minLen:
			c.report("C023", n.value, path, "is empty")
		case s.pattern != nil && !s.pattern.MatchString(v):
			c.report("C024", n.value, path, quoted(v)+" does not have the form that is needed here")
		}
	}
}

func (c *checker) number(n *node, v float64, s *shape, path []string) {
	low := s.min != nil && (v < s.min.value || s.min.open && v == s.min.value)
	high := s.max != nil && (v > s.max.value || s.max.open && v == s.max.value)
	if !low && !high {
		return
	}
	d := c.report("C023", n.value, path, fmt.Sprintf("is %v, which is out of range", n.scalar))
	switch {
	case s.min != nil && s.max != nil:
		d.Allowed = []string{fmt.Sprintf("%v to %v", s.min.value, s.max.value)}
	case s.min != nil:
		d.Allowed = []string{fmt.Sprintf("%v or more", s.min.value)}
	default:
		d.Allowed = []string{fmt.Sprintf("%v or less", s.max.value)}
	}
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

func (c *checker) duration(n *node, path []string) {
	text, ok := n.scalar.(string)
	if !ok {
		c.report("C021", n.value, path, "is "+n.describe()+", want a duration").Allowed = []string{`"500ms"`, `"20s"`, `"1m30s"`}
		return
	}
	if _, err := parseDuration(text); err != nil {
		c.report("C028", n.value, path, quoted(text)+" is not a duration").Allowed = []string{`"500ms"`, `"20s"`, `"1m30s"`}
	}
}

func (c *checker) size(n *node, path []string) {
	var ok bool
	switch v := n.scalar.(type) {
	case int64:
		ok = v >= 0
	case string:
		_, err := parseSize(v)
		ok = err == nil
	}
	if !ok {
		c.report("C029", n.value, path, n.describe()+" is not an amount of data").Allowed = []string{"65536", `"64KiB"`, `"1MiB"`}
	}
}

// patterns proves each redaction pattern by its example.
func (c *checker) patterns(tree *node) {
	for _, f := range tree.get("redaction").get("patterns").fieldsOrNone() {
		path := []string{"redaction", "patterns", f.name}
		expr, example := f.value.get("regex"), f.value.get("example")
		re, err := regexp.Compile(expr.text())
		switch {
		case expr.text() == "":
		case err != nil:
			c.report("C050", expr.value, append(path, "regex"), strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		case re.MatchString(""):
			c.report("C051", expr.value, append(path, "regex"), "the pattern matches the empty text")
		case example != nil && !re.MatchString(example.text()):
			c.report("C052", example.value, append(path, "example"), "the example does not match the pattern")
		}
	}
}
