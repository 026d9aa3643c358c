package plan

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// literalFits reports mistakes within an object that is written out: unknown names and
// values of another type, each at its own place. It returns false if it reported something.
func (c *compiler) literalFits(v any, want *schema.Schema, path []string) bool {
	object, ok := v.(map[string]any)
	if !ok || want.Type != schema.Object || len(want.Fields) == 0 && want.Open == nil {
		return true
	}
	good := true
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at := append(path[:len(path):len(path)], name)
		f := want.Field(name)
		if f == nil && want.Open == nil {
			d := c.atName("C106", at...)
			d.Message = "\"" + name + "\" is not known here"
			d.Allowed, d.Suggestion = want.Names(), diag.Nearest(name, want.Names())
			c.report(d)
			good = false
			continue
		}
		part := want.Open
		if f != nil {
			part = f.Schema
		}
		if own := literalSchema(object[name]); own.Type != schema.Object && !accepts(part, own) {
			d := c.at("C112", at...)
			d.Message = "is " + describe(own) + ", want " + describe(part)
			c.report(d)
			good = false
			continue
		}
		good = c.oneOf(object[name], part, at) && c.literalFits(object[name], part, at) && good
	}
	return good
}

// oneOf reports a value that is not among the allowed ones.
func (c *compiler) oneOf(v any, want *schema.Schema, path []string) bool {
	if want == nil || len(want.Enum) == 0 {
		return true
	}
	d := c.at("C112", path...)
	for _, e := range want.Enum {
		if e == v {
			return true
		}
		d.Allowed = append(d.Allowed, fmt.Sprint(e))
	}
	d.Message = fmt.Sprintf("is %v, which is not one of the values allowed", v)
	d.Suggestion = diag.Nearest(fmt.Sprint(v), d.Allowed)
	c.report(d)
	return false
}

// looksComputed warns about texts within literal values that look like expressions over
// the environment: they are used literally.
func (c *compiler) looksComputed(v any, env *schema.Schema, path []string) {
	at := func(step string) []string { return append(path[:len(path):len(path)], step) }
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			c.looksComputed(v[name], env, at(name))
		}
	case []any:
		for i, e := range v {
			c.looksComputed(e, env, at(strconv.Itoa(i)))
		}
	case string:
		p, problem := compileExpr(v, env, false)
		if problem != nil || len(p.Reads) == 0 || !strings.Contains(v, ".") {
			return
		}
		d := c.at("C146", path...)
		d.Severity = diag.Warning
		d.Message = "is the text " + strconv.Quote(v) + ", not what the expression gives: around it all is written out"
		d.Help = "write the whole value as an expression, such as value: \"{" + path[len(path)-1] + ": " + v + "}\""
		c.report(d)
	}
}
