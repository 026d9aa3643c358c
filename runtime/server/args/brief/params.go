package brief

import (
	"encoding/json"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/server/rawjson"
)

// Param is one argument of a tool.
type Param struct {
	Name     string
	Schema   json.RawMessage // as it stands
	Type     string
	Required bool // it has no default and must be given
}

// Params are the arguments that a tool's input schema names, also behind a reference and in parts that hold all at once.
func Params(schema json.RawMessage) []Param {
	w := newWriter(schema)
	var out []Param
	w.params(schema, 0, &out)
	return out
}

func (w *writer) params(schema json.RawMessage, depth int, out *[]Param) {
	f := w.resolved(schema)
	if f == nil || depth > deepest {
		return
	}
	props, _ := rawjson.Members(f.get("properties"))
	required := requiredOf(f)
	for _, p := range props {
		if !slices.ContainsFunc(*out, func(have Param) bool { return have.Name == p.Name }) {
			*out = append(*out, Param{Name: p.Name, Schema: p.Value, Type: w.short(p.Value)})
		}
	}
	for i := range *out {
		p := &(*out)[i]
		if slices.Contains(required, p.Name) && !w.filled(p.Schema) {
			p.Required = true
		}
	}
	parts, _ := rawjson.Items(f.get("allOf"))
	for _, p := range parts {
		w.params(p, depth+1, out)
	}
}
