package egress

import (
	"bytes"
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
)

// node is a JSON value that keeps the order of its keys, so that a reply reads
// in the order its author gave it after strings were masked and lists cut.
type node struct {
	delim byte   // '{', '[' or 0 for a leaf
	leaf  string // JSON text of a number, bool or null
	text  string // of a string
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

// get returns the member of that key, or nil.
func (n *node) get(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return n.kids[i]
		}
	}
	return nil
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
