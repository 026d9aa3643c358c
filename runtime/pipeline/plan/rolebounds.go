package plan

import (
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// Bound limits one field of a role's output; zero means no limit.
type Bound struct {
	Entries int // of a list
	Bytes   int // of a text, or of each entry of a list
}

// usual has the default bounds of a role with a grounding builtin.
var usual = map[string]Bound{"references": {Entries: 12}, "key_findings": {Entries: 6, Bytes: 240}, "summary": {Bytes: 600}}

// resolveBounds resolves the length limits of the role's output fields.
func (c *compiler) resolveBounds(r *Role) {
	r.Bounds = map[string]Bound{}
	if r.Ground.Name != "" {
		for name, b := range usual {
			if r.Out.Field(name) != nil {
				r.Bounds[name] = b
			}
		}
	}
	able := boundableFields(r.Out)
	for _, name := range slices.Sorted(maps.Keys(r.Role.Bounds)) {
		if c.full() {
			return
		}
		path := []string{"roles", r.Name, "bounds", name}
		f := r.Out.Field(name)
		if f == nil {
			d := c.atName("C140", path...)
			d.Message = "the role's output has no \"" + name + "\""
			d.Allowed = able
			d.Suggestion = diag.Nearest(name, able)
			c.report(d)
			continue
		}
		r.Bounds[name] = c.resolveBound(r.Role.Bounds[name], f.Schema, able, path)
	}
}

func (c *compiler) resolveBound(b config.Bound, of *schema.Schema, able, path []string) Bound {
	d := c.at("C140", path...)
	switch {
	case of.Type == schema.String && b.Entries == 0 && b.Each == 0:
		return Bound{Bytes: b.Most}
	case of.Type == schema.String:
		d.Message = "is a text, which has no entries"
		d.Help = "write the number of bytes alone, such as " + path[3] + ": 600"
	case of.Type != schema.Array:
		d.Message = "is " + describe(of) + ", which has no length"
		d.Allowed = able
	case b.Each > 0 && of.Items != nil && of.Items.Type != schema.String:
		d = c.at("C140", append(path[:len(path):len(path)], "each")...)
		d.Message = "each entry is " + describe(of.Items) + ", not a text"
		d.Help = "leave each out"
	default:
		return Bound{Entries: max(b.Most, b.Entries), Bytes: b.Each}
	}
	c.report(d)
	return Bound{}
}

// boundableFields lists the fields that have a length.
func boundableFields(out *schema.Schema) []string {
	var names []string
	for _, f := range out.Fields {
		if f.Schema.Type == schema.String || f.Schema.Type == schema.Array {
			names = append(names, f.Name)
		}
	}
	return names
}
