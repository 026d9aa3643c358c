package brief

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Param is one argument of a tool.
type Param struct {
	Name     string
	Schema   json.RawMessage // unchanged
	Type     string
	Required bool // it has no default and must be given
}

// Params returns the arguments that a tool's input schema names, including those behind
// a reference, in parts that all apply and in alternatives.
func Params(schema json.RawMessage) []Param {
	l := list{writer: newWriter(schema), at: map[string]int{}}
	l.addParams(schema, 0)
	return l.all
}

// list collects the arguments found so far.
type list struct {
	*writer
	all []Param
	at  map[string]int // by name
}

func (l *list) addParams(schema json.RawMessage, depth int) {
	w := l.writer
	f := w.resolveMembers(schema)
	if f == nil || depth > deepest {
		return
	}
	props, _ := rawjson.Members(f.get("properties"))
	for _, p := range props {
		if _, have := l.at[p.Name]; !have {
			l.at[p.Name] = len(l.all)
			l.all = append(l.all, Param{Name: p.Name, Schema: p.Value, Type: w.shortType(p.Value)})
		}
	}
	for _, name := range requiredOf(f) {
		if i, have := l.at[name]; have && !l.all[i].Required && !w.hasDefault(l.all[i].Schema) {
			l.all[i].Required = true
		}
	}
	parts, _ := rawjson.Items(f.get("allOf"))
	for _, p := range parts {
		l.addParams(p, depth+1)
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		alts, _ := rawjson.Items(f.get(word))
		l.addAlternatives(alts, depth+1)
	}
}

// addAlternatives adds the arguments of each alternative. An argument is required if each
// alternative requires it, and one that several have accepts what any of them does.
func (l *list) addAlternatives(alts []json.RawMessage, depth int) {
	before := len(l.all)
	wanted := map[string]int{}
	for _, a := range alts {
		one := list{writer: l.writer, at: map[string]int{}}
		one.addParams(a, depth)
		for _, p := range one.all {
			i, have := l.at[p.Name]
			switch {
			case !have:
				i = len(l.all)
				l.at[p.Name] = i
				l.all = append(l.all, Param{Name: p.Name, Schema: p.Schema, Type: p.Type})
			case i >= before && !slices.Contains(strings.Split(l.all[i].Type, "|"), p.Type):
				if both := joinTypes([]string{l.all[i].Type, p.Type}); len(both) <= longest {
					l.all[i].Type = both
				}
			}
			if p.Required {
				wanted[p.Name]++
			}
		}
	}
	for i := before; i < len(l.all); i++ {
		l.all[i].Required = wanted[l.all[i].Name] == len(alts)
	}
}
