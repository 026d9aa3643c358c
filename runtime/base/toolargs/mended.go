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

// repairValue repairs a value towards a schema, as far as its nodes can be followed. It rejects nothing.
func repairValue(n *node, raw json.RawMessage, how mends) json.RawMessage {
	m := mender{how: how, left: maxMends}
	return m.repairNode(n, raw)
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

func (m *mender) repairNode(n *node, raw json.RawMessage) json.RawMessage {
	n = n.resolve()
	if m.left--; m.left < 0 || m.depth >= maxMend {
		return raw
	}
	m.depth++
	defer func() { m.depth-- }()
	for _, p := range n.parts {
		raw = m.repairNode(p, raw)
	}
	if len(n.alts) > 0 {
		raw = m.repairAlternative(n, raw)
	}
	if out, ok := repairType(n, raw); ok && m.how.values {
		raw = out
	}
	switch rawjson.Of(raw) {
	case rawjson.Object:
		return m.repairObject(n, raw)
	case rawjson.Array:
		return m.repairList(n, raw)
	}
	return raw
}

// repairAlternative repairs by the alternative that was probably meant: among those of the value's own type, the one that
// knows most of its names; else the first that the value can be converted to.
func (m *mender) repairAlternative(n *node, raw json.RawMessage) json.RawMessage {
	var best *node
	known := -1
	for _, a := range n.alts {
		a = a.resolve()
		if _, asIs := mendAsIs(a, raw); !asIs {
			continue
		}
		if k := a.countKnown(raw); k > known {
			best, known = a, k
		}
	}
	if best != nil {
		return m.repairNode(best, raw)
	}
	for _, a := range n.alts {
		a = a.resolve()
		if len(a.types) == 0 && len(a.enum) == 0 || !m.how.values {
			continue
		}
		if out, ok := repairType(a, raw); ok {
			return m.repairNode(a, out)
		}
	}
	return raw
}

// mendAsIs reports whether the node accepts the value's type or, with an enumeration, the value itself.
func mendAsIs(n *node, raw json.RawMessage) (json.RawMessage, bool) {
	if len(n.enum) > 0 {
		return raw, slices.ContainsFunc(n.enum, func(e json.RawMessage) bool { return string(e) == string(raw) })
	}
	return raw, len(n.types) == 0 || slices.ContainsFunc(n.types, func(t string) bool { return isType(t, raw) })
}

// countKnown counts the names of an object that the node has; a value that is in an enumeration counts twice.
func (n *node) countKnown(raw json.RawMessage) int {
	members, err := rawjson.Members(raw)
	if err != nil {
		return 0
	}
	count := 0
	for _, m := range members {
		child := n.findMember(m.Name)
		if child == nil {
			continue
		}
		count++
		if _, ok := mendAsIs(child.resolve(), m.Value); ok && len(child.resolve().enum) > 0 {
			count++
		}
	}
	return count
}

func (m *mender) repairObject(n *node, raw json.RawMessage) json.RawMessage {
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
		if n.findMember(member.Name) == nil {
			if name := m.renameMember(n, member.Name, given); name != "" {
				member.Name = name
				given[name] = true
			}
		}
		if child := n.findMember(member.Name); child != nil {
			if m.how.values && (rawjson.Of(member.Value) == rawjson.Null && !child.isNullable(0) || n.omits(member)) {
				continue
			}
			member.Value = m.repairNode(child, member.Value)
		}
		out = append(out, member)
	}
	return joinMembers(out)
}

// renameMember returns the name that was meant, or "" if others are expressly allowed or might be.
func (m *mender) renameMember(n *node, name string, given map[string]bool) string {
	if n.open || n.unjudged && len(n.parts) == 0 || !m.how.names {
		return ""
	}
	if same := sameName(n, name); same != "" && !given[same] {
		return same
	}
	if !m.how.near {
		return ""
	}
	return nearestFree(n, name, given)
}

func (m *mender) repairList(n *node, raw json.RawMessage) json.RawMessage {
	items, err := rawjson.Items(raw)
	if err != nil || n.items == nil {
		return raw
	}
	out := []byte("[")
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, m.repairNode(n.items, item)...)
	}
	return append(out, ']')
}

// resolve returns the node that references lead to.
func (n *node) resolve() *node {
	for range 16 {
		if n.target == nil {
			return n
		}
		n = n.target
	}
	return n
}

func (n *node) hasDefault() bool { return n != nil && (n.filled || n.resolve().filled) }

// isNullable reports whether null may be intended as a value.
func (n *node) isNullable(depth int) bool {
	n = n.resolve()
	if len(n.alts) == 0 || depth > 4 {
		return n.takesNull()
	}
	return slices.ContainsFunc(n.alts, func(a *node) bool { return a.isNullable(depth + 1) })
}

// omits reports whether an empty text means "not given": for an optional member that takes no text, such as a list.
func (n *node) omits(m rawjson.Member) bool {
	child := n.findMember(m.Name)
	return isBlank(m.Value) && (!slices.Contains(n.required, m.Name) || child.hasDefault()) && !child.takesText(0)
}

// takesText reports whether a text may be intended as one.
func (n *node) takesText(depth int) bool {
	n = n.resolve()
	if len(n.alts) == 0 || depth > 4 {
		return n.unjudged || len(n.enum) > 0 || len(n.types) == 0 || slices.Contains(n.types, "string")
	}
	return slices.ContainsFunc(n.alts, func(a *node) bool { return a.takesText(depth + 1) })
}

// findMember returns the node of a member, here or in a part.
func (n *node) findMember(name string) *node {
	n = n.resolve()
	if child := n.child(name); child != nil {
		return child
	}
	for _, p := range n.parts {
		if child := p.resolve().child(name); child != nil {
			return child
		}
	}
	return nil
}
