package egress

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// node is a JSON value that keeps the order of its keys, so that a reply still reads in the order its author gave
// it after strings were masked and lists cut.
type node struct {
	delim byte   // '{', '[' or 0 for a leaf
	leaf  string // JSON text of a number, bool or null
	text  string // value of a string
	isStr bool
	keys  []string
	kids  []*node
}

func (n *node) write(b *bytes.Buffer) {
	switch {
	case n.delim == 0 && n.isStr:
		b.Write(rawjson.AppendQuote(b.AvailableBuffer(), n.text))
	case n.delim == 0:
		b.WriteString(n.leaf)
	default:
		b.WriteByte(n.delim)
		for i, kid := range n.kids {
			if i > 0 {
				b.WriteByte(',')
			}
			if n.delim == '{' {
				b.Write(rawjson.AppendQuote(b.AvailableBuffer(), n.keys[i]))
				b.WriteByte(':')
			}
			kid.write(b)
		}
		b.WriteByte(n.delim + 2) // '{'+2 is '}', '['+2 is ']'
	}
}

func (n *node) json() json.RawMessage {
	var b bytes.Buffer
	n.write(&b)
	return b.Bytes()
}

// get returns the member with the given key, or nil.
func (n *node) get(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return n.kids[i]
		}
	}
	return nil
}

// follow follows a path of members. It returns nil if one is missing.
func (n *node) follow(path []string) *node {
	for _, name := range path {
		if n = n.get(name); n == nil {
			return nil
		}
	}
	return n
}

func (n *node) drop(key string) {
	if i := slices.Index(n.keys, key); i >= 0 {
		n.keys, n.kids = slices.Delete(n.keys, i, i+1), slices.Delete(n.kids, i, i+1)
	}
}

// insert puts a member before the first one that its type declares after it.
func (n *node) insert(key string, kid *node, s *schema.Schema) {
	var names []string
	if s != nil {
		names = s.Names()
	}
	own := slices.Index(names, key)
	at := slices.IndexFunc(n.keys, func(k string) bool { return slices.Index(names, k) > own })
	if at < 0 {
		at = len(n.keys)
	}
	n.keys, n.kids = slices.Insert(n.keys, at, key), slices.Insert(n.kids, at, kid)
}

// orderMembers sorts the members of a value, recursively, into the order of their types. Members that a type does not
// declare come last, in their old order.
func (n *node) orderMembers(s *schema.Schema) {
	if s == nil {
		return
	}
	if n.delim == '[' {
		for _, kid := range n.kids {
			kid.orderMembers(s.Items)
		}
		return
	}
	keys, kids := make([]string, 0, len(n.keys)), make([]*node, 0, len(n.kids))
	for _, f := range s.Fields {
		if i := slices.Index(n.keys, f.Name); i >= 0 {
			n.kids[i].orderMembers(f.Schema)
			keys, kids = append(keys, f.Name), append(kids, n.kids[i])
		}
	}
	for i, k := range n.keys {
		if s.Field(k) == nil {
			n.kids[i].orderMembers(s.Open)
			keys, kids = append(keys, k), append(kids, n.kids[i])
		}
	}
	n.keys, n.kids = keys, kids
}

// visit calls fn for every member of every object below n.
func (n *node) visit(fn func(key string, value *node)) {
	for i, k := range n.kids {
		if n.delim == '{' {
			fn(n.keys[i], k)
		}
		k.visit(fn)
	}
}
