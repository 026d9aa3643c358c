package config

import (
	"fmt"
	"slices"
	"strconv"

	"cuelang.org/go/cue/ast"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// side tells who wrote a value.
type side uint8

const (
	preset  side = iota // a default of the schema
	shipped             // the built-in files
	written             // the first directory given; those of further ones follow
)

// byHand reports whether a person wrote the value, in whichever directory.
func (s side) byHand() bool { return s >= written }

// kind is the kind of a value.
type kind uint8

const (
	broken kind = iota // already reported; anything below it is unknown
	structNode
	listNode
	scalarNode
	typeNode
)

// node is a value of the configuration after evaluation: plain data that knows where it was
// written. Trees of nodes are merged, checked and decoded; nothing after this sees CUE.
type node struct {
	kind   kind
	side   side
	fields []nodeField    // of a struct, in source order
	items  []*node        // of a list
	scalar any            // string, bool, int64, float64 or nil
	typ    *schema.Schema // of a type
	key    span           // the label
	value  span
	expr   ast.Expr // syntax of the value; nil if it was computed, or loaded elsewhere
	lit    string   // remains of expr if another process has loaded the configuration
	below  *node    // the shipped value that this one replaces; it is used if this one is wrong
}

type nodeField struct {
	name  string
	value *node
}

func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for _, f := range n.fields {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

func (n *node) set(name string, value *node) {
	for i := range n.fields {
		if n.fields[i].name == name {
			n.fields[i].value = value
			return
		}
	}
	n.fields = append(n.fields, nodeField{name, value})
}

// clone returns a copy that shares nothing that a check modifies.
func (n *node) clone() *node {
	if n == nil {
		return nil
	}
	out := *n
	out.below = n.below.clone()
	out.fields = slices.Clone(n.fields)
	for i := range out.fields {
		out.fields[i].value = out.fields[i].value.clone()
	}
	out.items = slices.Clone(n.items)
	for i := range out.items {
		out.items[i] = out.items[i].clone()
	}
	return &out
}

// drop removes a field.
func (n *node) drop(name string) {
	n.fields = slices.DeleteFunc(n.fields, func(f nodeField) bool { return f.name == name })
}

// child steps into a field or, with a number, into an element of a list.
func (n *node) child(name string) *node {
	if n != nil && n.kind == listNode {
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(n.items) {
			return n.items[i]
		}
		return nil
	}
	return n.get(name)
}

// text returns the scalar if it is a string.
func (n *node) text() string {
	if n == nil {
		return ""
	}
	s, _ := n.scalar.(string)
	return s
}

// describe describes the value for messages.
func (n *node) describe() string {
	switch n.kind {
	case structNode:
		return "a struct"
	case listNode:
		return "a list"
	case typeNode:
		return "a type"
	}
	switch v := n.scalar.(type) {
	case nil:
		return "null"
	case string:
		return "the string " + quoteShort(v)
	case bool:
		return fmt.Sprintf("the boolean %v", v)
	default:
		return fmt.Sprintf("the number %v", v)
	}
}

// quoteShort returns a string as messages show it: on one line and shortened.
func quoteShort(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}

// plain returns the node as Go data: map[string]any, []any and scalars.
func (n *node) plain() any {
	switch {
	case n == nil:
		return nil
	case n.kind == structNode:
		m := make(map[string]any, len(n.fields))
		for _, f := range n.fields {
			m[f.name] = f.value.plain()
		}
		return m
	case n.kind == listNode:
		list := make([]any, 0, len(n.items))
		for _, item := range n.items {
			list = append(list, item.plain())
		}
		return list
	}
	return n.scalar
}
