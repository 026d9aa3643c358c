package brief

import (
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
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
	l := list{writer: newWriter(schema), at: map[string]int{}}
	l.params(schema, 0)
	return l.all
}

// list is what was found so far.
type list struct {
	*writer
	all []Param
	at  map[string]int // by name
}

func (l *list) params(schema json.RawMessage, depth int) {
	w := l.writer
	f := w.resolved(schema)
	if f == nil || depth > deepest {
		return
	}
	props, _ := rawjson.Members(f.get("properties"))
	for _, p := range props {
		if _, have := l.at[p.Name]; !have {
			l.at[p.Name] = len(l.all)
			l.all = append(l.all, Param{Name: p.Name, Schema: p.Value, Type: w.short(p.Value)})
		}
	}
	for _, name := range requiredOf(f) {
		if i, have := l.at[name]; have && !l.all[i].Required && !w.filled(l.all[i].Schema) {
			l.all[i].Required = true
		}
	}
	parts, _ := rawjson.Items(f.get("allOf"))
	for _, p := range parts {
		l.params(p, depth+1)
	}
}
