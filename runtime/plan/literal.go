package plan

import (
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/diag"
	"github.com/compactor-mcp/compactor/runtime/schema"
)

// literalFits reports what is wrong within an object that is written out:
// unknown names and values of another type, each at its own place. It returns
// false when it reported something.
func (g *graph) literalFits(v any, want *schema.Schema, path []string) bool {
	object, ok := v.(map[string]any)
	if !ok || want.Type != schema.Object || len(want.Fields) == 0 && want.Open == nil {
		return true
	}
	good := true
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at := append(path[:len(path):len(path)], name)
		f := want.Field(name)
		if f == nil && want.Open == nil {
			d := g.at("C106", at...)
			d.Message = "\"" + name + "\" is not known here"
			d.Allowed, d.Suggestion = want.Names(), diag.Nearest(name, want.Names())
			g.report(d)
			good = false
			continue
		}
		part := want.Open
		if f != nil {
			part = f.Schema
		}
		if own := literalSchema(object[name]); own.Type != schema.Object && !accepts(part, own) {
			d := g.at("C112", at...)
			d.Message = "is " + describe(own) + ", want " + describe(part)
			g.report(d)
			good = false
			continue
		}
		good = g.literalFits(object[name], part, at) && good
	}
	return good
}
