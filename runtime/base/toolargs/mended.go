package toolargs

import (
	"encoding/json"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// mends selects the permitted repairs.
type mends struct {
	names  bool // names in another case
	near   bool // near misses of names
	values bool // values of another type, and null instead of a missing value
}

// mended repairs a value towards a schema, as far as its nodes can be followed. It rejects nothing.
func mended(n *node, raw json.RawMessage, how mends) json.RawMessage {
	m := mender{how: how, left: maxMends}
	return m.value(n, raw)
}

// Limits of the work for one call: visited nodes, and nested nodes. Anything beyond stays as it is.
const (
	maxMends = 5000
	maxMend  = 100
)

type mender struct {
	how   mends
	left  int
	depth int
}

func (m *mender) value(n *node, raw json.RawMessage) json.RawMessage {
	n = n.resolved()
	if m.left--; m.left < 0 || m.depth >= maxMend {
		return raw
	}
	m.depth++
	defer func() { m.depth-- }()
	for _, p := range n.parts {
		raw = m.value(p, raw)
	}
	if len(n.alts) > 0 {
		raw = m.alternative(n, raw)
	}
	if out, ok := mend(n, raw); ok && m.how.values {
		raw = out
	}
	switch rawjson.Of(raw) {
	case rawjson.Object:
		return m.object(n, raw)
	case rawjson.Array:
		return m.list(n, raw)
	}
	return raw
}

// alternative repairs by the alternative that was probably meant: among those of the value's own type, the one that
// knows most of its names; else the first that the value can be converted to.
func (m *mender) alternative(n *node, raw json.RawMessage) json.RawMessage {
	var best *node
	known := -1
	for _, a := range n.alts {
		a = a.resolved()
		if _, asIs := mendAsIs(a, raw); !asIs {
			continue
		}
		if k := a.knows(raw); k > known {
			best, known = a, k
		}
	}
	if best != nil {
		return m.value(best, raw)
	}
	for _, a := range n.alts {
		a = a.resolved()
		if len(a.types) == 0 && len(a.enum) == 0 || !m.how.values {
			continue
		}
		if out, ok := mend(a, raw); ok {
			return m.value(a, out)
		}
	}
	return raw
}

// mendAsIs reports whether the node accepts the value's type or, with an enumeration, the value itself.
func mendAsIs(n *node, raw json.RawMessage) (json.RawMessage, bool) {
	if len(n.enum) > 0 {
		return raw, slices.ContainsFunc(n.enum, func(e json.RawMessage) bool { return string(e) == string(raw) })
	}
	return raw, len(n.types) == 0 || slices.ContainsFunc(n.types, func(t string) bool { return is(t, raw) })
}

// knows counts the names of an object that the node has; a value that is in an enumeration counts twice.
func (n *node) knows(raw json.RawMessage) int {
	members, err := rawjson.Members(raw)
	if err != nil {
		return 0
	}
	count := 0
	for _, m := range members {
		child := n.member(m.Name)
		if child == nil {
			continue
		}
		count++
		if _, ok := mendAsIs(child.resolved(), m.Value); ok && len(child.resolved().enum) > 0 {
			count++
		}
	}
	return count
}

func (m *mender) object(n *node, raw json.RawMessage) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil {
		return raw
	}
	given := make(map[string]bool, len(members))
	for _, member := range members {
		given[member.Name] = true
	}
	var out []rawjson.Member
	for _, member := range members {
		if n.member(member.Name) == nil {
			if name := m.rename(n, member.Name, given); name != "" {
				member.Name = name
				given[name] = true
			}
		}
		if child := n.member(member.Name); child != nil {
			if m.how.values && (rawjson.Of(member.Value) == rawjson.Null && !child.nullable(0) || n.omits(member)) {
				continue
			}
			member.Value = m.value(child, member.Value)
		}
		out = append(out, member)
	}
	return join(out)
}

// rename returns the name that was meant, or "" if others are expressly allowed or might be.
func (m *mender) rename(n *node, name string, given map[string]bool) string {
	if n.open || n.unjudged && len(n.parts) == 0 || !m.how.names {
		return ""
	}
	if same := sameName(n, name); same != "" && !given[same] {
		return same
	}
	if !m.how.near {
		return ""
	}
	return nearest(n, name, given)
}

func (m *mender) list(n *node, raw json.RawMessage) json.RawMessage {
	items, err := rawjson.Items(raw)
	if err != nil || n.items == nil {
		return raw
	}
	out := []byte("[")
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, m.value(n.items, item)...)
	}
	return append(out, ']')
}

// resolved returns the node that references lead to.
func (n *node) resolved() *node {
	for range 16 {
		if n.target == nil {
			return n
		}
		n = n.target
	}
	return n
}

func (n *node) hasDefault() bool { return n != nil && (n.filled || n.resolved().filled) }

// nullable reports whether null may be intended as a value.
func (n *node) nullable(depth int) bool {
	n = n.resolved()
	if len(n.alts) == 0 || depth > 4 {
		return n.takesNull()
	}
	return slices.ContainsFunc(n.alts, func(a *node) bool { return a.nullable(depth + 1) })
}

// omits reports whether an empty text means "not given": for an optional member that takes no text, such as a list.
func (n *node) omits(m rawjson.Member) bool {
	child := n.member(m.Name)
	return isBlank(m.Value) && (!slices.Contains(n.required, m.Name) || child.hasDefault()) && !child.takesText(0)
}

// takesText reports whether a text may be intended as one.
func (n *node) takesText(depth int) bool {
	n = n.resolved()
	if len(n.alts) == 0 || depth > 4 {
		return n.unjudged || len(n.enum) > 0 || len(n.types) == 0 || slices.Contains(n.types, "string")
	}
	return slices.ContainsFunc(n.alts, func(a *node) bool { return a.takesText(depth + 1) })
}

// member returns the node of a member, here or in a part.
func (n *node) member(name string) *node {
	n = n.resolved()
	if child := n.child(name); child != nil {
		return child
	}
	for _, p := range n.parts {
		if child := p.resolved().child(name); child != nil {
			return child
		}
	}
	return nil
}
