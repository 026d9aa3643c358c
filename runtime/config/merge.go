package config

// merge puts the user's tree over the shipped one. A value the user wrote
// wins; lists and types are taken whole; a role, pipeline or tool that the
// user wrote whole takes the place of the shipped one; a stage runs what the
// user says and not what it ran before as well.
func merge(below, above *node, s *shape) *node {
	switch {
	case above == nil:
		return below
	case below == nil || below.kind != structNode || above.kind != structNode:
		return above
	case s != nil && replaces[s.name] && whole(above, s):
		return above
	}
	out := &node{kind: structNode, side: above.side, key: above.key, value: above.value, expr: above.expr}
	for _, f := range below.fields {
		if !dropped(f.name, above, s) {
			out.fields = append(out.fields, f)
		}
	}
	for _, f := range above.fields {
		out.set(f.name, merge(out.get(f.name), f.value, s.field(f.name)))
	}
	return out
}

// replaces names the definitions whose entries are replaced when whole.
var replaces = map[string]bool{"#Role": true, "#Pipeline": true, "#Tool": true}

// whole reports whether a struct has every field that its definition requires.
func whole(n *node, s *shape) bool {
	for _, f := range s.fields {
		if f.required && n.get(f.name) == nil {
			return false
		}
	}
	return true
}

// runs are the fields of a stage of which one is set.
var runs = []string{"role", "builtin", "pipeline"}

func dropped(name string, above *node, s *shape) bool {
	if s == nil || s.name != "#Stage" || (name != runs[0] && name != runs[1] && name != runs[2]) {
		return false
	}
	for _, r := range runs {
		if r != name && above.get(r) != nil {
			return true
		}
	}
	return false
}
