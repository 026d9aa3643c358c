package config

import "slices"

// merge lays the user's tree over the shipped one. A value that the user wrote wins, also within a literal input.
// Lists and types are replaced as a whole. A role, pipeline or tool that the user wrote completely replaces the
// shipped one, and so does a hook that names its pipeline. A stage runs only what the user says, not also what it
// ran before.
func merge(below, above *node, s *shape) *node {
	switch {
	case above == nil:
		return below
	case below == nil:
		return above
	case above.kind == broken: // already reported; the shipped value avoids follow-up errors
		return below
	case below.kind != structNode || above.kind != structNode || s == nil || s.Form != structForm && s.Form != valueForm && s.Form != eitherForm || replacesEntry(above, s):
		above.below = below
		return above
	}
	out := &node{kind: structNode, side: above.side, key: above.key, value: above.value, expr: above.expr}
	for _, f := range below.fields {
		if !givesWay(f.name, above, s) && !(f.name == "with" && runsOther(below, above, s)) {
			out.fields = append(out.fields, f)
		}
	}
	for _, f := range above.fields {
		out.set(f.name, merge(out.get(f.name), f.value, s.partShape(f.name)))
	}
	return out
}

// wholes lists the definitions whose entries are replaced if the user's entry is complete.
var wholes = []string{"#Role", "#Pipeline", "#Tool", "#ListHook", "#ResultHook"}

// replacesEntry reports whether a struct has every field that its definition requires. A
// pipeline whose stages need others that only the shipped one has is not complete: it
// adds to the shipped one.
func replacesEntry(n *node, s *shape) bool {
	if !slices.Contains(wholes, s.Name) {
		return false
	}
	for _, f := range s.Fields {
		if kid := n.get(f.Name); f.Required && (kid == nil || kid.kind == broken) {
			return false
		}
	}
	if s.Name == "#Role" && n.get("ground") == nil && n.get("output") == nil {
		return false // only changes the wording of a role whose answer stays the same
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

// runs lists the fields of a stage of which exactly one is set.
var runs = []string{"role", "builtin", "pipeline"}

// givesWay reports whether a shipped field gives way: what a stage ran before, or a former
// fallback with its companion field.
func givesWay(name string, above *node, s *shape) bool {
	oneOf := runs
	switch {
	case s.Name == "#Fallback":
		oneOf = stands
		if of := map[string]string{"with": "builtin", "message": "error"}[name]; of != "" {
			name = of
		}
	case s.Name != "#Stage":
		return false
	}
	return slices.Contains(oneOf, name) && slices.ContainsFunc(oneOf, func(r string) bool { return r != name && above.get(r) != nil })
}

// runsOther reports whether a stage runs another kind of thing than before. Its inputs were
// meant for the former.
func runsOther(below, above *node, s *shape) bool {
	return slices.ContainsFunc(runs, func(r string) bool { return below.get(r) != nil && givesWay(r, above, s) })
}

// fieldsOrNone returns the fields of a struct, or nil for anything else.
func (n *node) fieldsOrNone() []nodeField {
	if n == nil {
		return nil
	}
	return n.fields
}
