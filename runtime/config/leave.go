package config

import "github.com/compactor-mcp/compactor/runtime/base/schema"

// markCut marks the place of a field that was cut out, so that it is not reported as missing.
func (w *walker) markCut(at *node, s *shape, path []string) {
	for i, name := range path {
		if at.kind == typeNode {
			leaveInType(at.typ, path[i:])
			return
		}
		if name = fieldName(name, s); name == "" {
			return
		}
		path[i] = name
		s = s.field(name)
		kid := at.get(name)
		if kid == nil {
			kid = &node{side: w.side}
			if i < len(path)-1 {
				kid.kind = structNode
			}
			w.setPlace(kid, path[:i+1])
			at.set(name, kid)
		}
		at = kid
	}
}

// leaveInType adds to a type the field that was cut out of it, of which only the name is known.
func leaveInType(t *schema.Schema, path []string) {
	for _, name := range path {
		f := t.Field(name)
		if f == nil {
			t.Fields = append(t.Fields, schema.Field{Name: name, Required: true, Schema: &schema.Schema{}})
			return
		}
		t = f.Schema
	}
}
