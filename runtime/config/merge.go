package config

import "slices"

// merge puts the user's tree over the shipped one. A value the user wrote
// wins, in an input that is written out as well; lists and types are taken whole; a role, pipeline or tool that the
// user wrote whole takes the place of the shipped one, as does a hook that names its
// pipeline; a stage runs what the user says and not what it ran before as well.
func merge(below, above *node, s *shape) *node {
	switch {
	case above == nil:
		return below
	case below == nil:
		return above
	case above.kind == broken: // reported; the shipped value keeps others from being blamed
		return below
	case below.kind != structNode || above.kind != structNode || s == nil || s.form != structForm && s.form != valueForm && s.form != eitherForm || replaced(above, s):
		above.below = below
		return above
	}
	out := &node{kind: structNode, side: above.side, key: above.key, value: above.value, expr: above.expr}
	for _, f := range below.fields {
		if !dropped(f.name, above, s) && !(f.name == "with" && reruns(below, above, s)) {
			out.fields = append(out.fields, f)
		}
	}
	for _, f := range above.fields {
		out.set(f.name, merge(out.get(f.name), f.value, s.part(f.name)))
	}
	return out
}

// wholes are the definitions whose entries are replaced when the user's entry
// stands on its own.
var wholes = []string{"#Role", "#Pipeline", "#Tool", "#ListHook", "#ResultHook"}

// replaced reports whether a struct has every field that its definition
// requires. A pipeline with stages that need others, which only the shipped
// one has, is not whole: it adds to that.
func replaced(n *node, s *shape) bool {
	if !slices.Contains(wholes, s.name) {
		return false
	}
	for _, f := range s.fields {
		if kid := n.get(f.name); f.required && (kid == nil || kid.kind == broken) {
			return false
		}
	}
	if s.name == "#Role" && n.get("ground") == nil && n.get("output") == nil {
		return false // other words for what answers already
	}
	stages := n.get("stages")
	for _, f := range stages.fieldsOrNone() {
		for _, need := range f.value.get("needs").texts() {
			if stages.get(need) == nil {
				return false
			}
		}
	}
	return true
}

// runs are the fields of a stage of which one is set.
var runs = []string{"role", "builtin", "pipeline"}

// dropped tells which shipped fields give way: what a stage ran before, and what
// stood in a model's place with what went with it.
func dropped(name string, above *node, s *shape) bool {
	oneOf := runs
	switch {
	case s.name == "#Fallback":
		oneOf = stands
		if of := map[string]string{"with": "builtin", "message": "error"}[name]; of != "" {
			name = of
		}
	case s.name != "#Stage":
		return false
	}
	return slices.Contains(oneOf, name) && slices.ContainsFunc(oneOf, func(r string) bool { return r != name && above.get(r) != nil })
}

// reruns reports whether a stage runs another kind of thing than before. Its
// inputs were meant for that.
func reruns(below, above *node, s *shape) bool {
	return slices.ContainsFunc(runs, func(r string) bool { return below.get(r) != nil && dropped(r, above, s) })
}

// fieldsOrNone are the fields of a struct, none of anything else.
func (n *node) fieldsOrNone() []nodeField {
	if n == nil {
		return nil
	}
	return n.fields
}
