package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cuelang.org/go/cue"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

func (c *checker) checkScalar(n *node, s *shape, path []string) bool {
	if n.kind != scalarNode || !s.acceptsScalar(n.scalar) {
		c.report("C021", n.value, path, "is "+n.describe()+", want "+article(formNames[s.Form])).Help = scalarHelp(n, path)
		return false
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, n.scalar) {
		d := c.report("C022", n.value, path, "is "+n.describe()+", which is not one of the values allowed")
		for _, e := range s.Enum {
			d.Allowed = append(d.Allowed, fmt.Sprint(e))
		}
		d.Suggestion = diag.Nearest(n.text(), d.Allowed)
		return false
	}
	switch v := n.scalar.(type) {
	case int64:
		return c.checkNumber(n, float64(v), s, path)
	case float64:
		return c.checkNumber(n, v, s, path)
	case string:
		return c.checkText(n, v, s, path)
	}
	return true
}

func (s *shape) acceptsScalar(v any) bool {
	switch v := v.(type) {
	case string:
		return s.Form == stringForm
	case bool:
		return s.Form == boolForm
	case int64:
		return s.Form == integerForm || s.Form == numberForm
	case float64:
		return s.Form == numberForm || s.Form == integerForm && v > 1<<53 // an integer beyond int64
	}
	return false
}

// matchesPattern reports whether a text matches the pattern of a shape, if it has one. Many shapes
// share a pattern, and a load needs few.
func (c *checker) matchesPattern(s *shape, text string) bool {
	if s.Pattern == "" {
		return true
	}
	re := c.patterns[s.Pattern]
	if re == nil {
		re = regexp.MustCompile(s.Pattern) // readRegex has compiled it
		c.patterns[s.Pattern] = re
	}
	return re.MatchString(text)
}

func (c *checker) checkText(n *node, v string, s *shape, path []string) bool {
	length := len([]rune(v))
	switch {
	case s.MinLen != nil && length < *s.MinLen && length == 0:
		c.report("C023", n.value, path, "is empty")
	case s.MinLen != nil && length < *s.MinLen:
		c.report("C023", n.value, path, fmt.Sprintf("has %d characters, want %d or more", length, *s.MinLen))
	case s.MaxLen != nil && length > *s.MaxLen:
		c.report("C023", n.value, path, fmt.Sprintf("has %d characters, want %d or less", length, *s.MaxLen))
	case !c.matchesPattern(s, v):
		what := quoteShort(v)
		if strings.Contains(s.Pattern, `\$\{`) { // may contain a secret in place of its name
			what = "the text"
		}
		c.report("C024", n.value, path, what+" does not have the form that is needed here").Help = "it must match " + s.Pattern
	default:
		return true
	}
	return false
}

func (c *checker) checkNumber(n *node, v float64, s *shape, path []string) bool {
	low := s.Min != nil && (v < s.Min.Value || s.Min.Open && v == s.Min.Value)
	high := s.Max != nil && (v > s.Max.Value || s.Max.Open && v == s.Max.Value)
	if !low && !high {
		return true
	}
	d := c.report("C023", n.value, path, fmt.Sprintf("is %v, which is out of range", n.scalar))
	switch {
	case s.Min != nil && s.Max != nil:
		d.Allowed = []string{fmt.Sprintf("%.0f to %.0f", s.Min.Value, s.Max.Value)}
	case s.Min != nil:
		d.Allowed = []string{fmt.Sprintf("%.0f or more", s.Min.Value)}
	default:
		d.Allowed = []string{fmt.Sprintf("%.0f or less", s.Max.Value)}
	}
	return false
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

func (c *checker) checkDuration(n *node, path []string) bool {
	text, ok := n.scalar.(string)
	if !ok {
		c.report("C021", n.value, path, "is "+n.describe()+", want a duration").Allowed = []string{`"500ms"`, `"20s"`, `"1m30s"`}
		return false
	}
	if _, err := parseDuration(text); err != nil {
		c.report("C028", n.value, path, quoteShort(text)+" is not a duration").Allowed = []string{`"500ms"`, `"20s"`, `"1m30s"`}
		return false
	}
	return true
}

func (c *checker) checkSize(n *node, path []string) bool {
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
	return ok
}

// presetNode converts a default of the schema to a node.
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
		n := &node{kind: structNode, side: preset}
		for it, err := v.Fields(); err == nil && it.Next(); {
			n.fields = append(n.fields, nodeField{it.Selector().Unquoted(), presetNode(it.Value())})
		}
		return n
	}
	return &node{kind: scalarNode, side: preset, scalar: scalarOf(v)}
}
