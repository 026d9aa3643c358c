package door

import (
	"bytes"
	"encoding/json"
	"fmt"
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

func parse(raw []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return parseNode(d)
}

func parseNode(d *json.Decoder) (*node, error) {
	t, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("reply is not JSON: %w", err)
	}
	switch t := t.(type) {
	case json.Delim:
		return parseInside(d, byte(t))
	case string:
		return &node{isStr: true, text: t}, nil
	case json.Number:
		return &node{leaf: t.String()}, nil
	case bool:
		return &node{leaf: fmt.Sprint(t)}, nil
	}
	return &node{leaf: "null"}, nil
}

func parseInside(d *json.Decoder, delim byte) (*node, error) {
	n := &node{delim: delim}
	for d.More() {
		if delim == '{' {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			n.keys = append(n.keys, key.(string))
		}
		kid, err := parseNode(d)
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, kid)
	}
	_, err := d.Token()
	return n, err
}

func (n *node) write(b *bytes.Buffer) {
	switch {
	case n.delim == 0 && n.isStr:
		s, _ := marshal(n.text)
		b.Write(s)
	case n.delim == 0:
		b.WriteString(n.leaf)
	default:
		b.WriteByte(n.delim)
		for i, kid := range n.kids {
			if i > 0 {
				b.WriteByte(',')
			}
			if n.delim == '{' {
				s, _ := marshal(n.keys[i])
				b.Write(s)
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

// eachString replaces every string, keys included.
func (n *node) eachString(fn func(string) string) {
	if n.isStr {
		n.text = fn(n.text)
	}
	for i := range n.keys {
		n.keys[i] = fn(n.keys[i])
	}
	for _, k := range n.kids {
		k.eachString(fn)
	}
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
