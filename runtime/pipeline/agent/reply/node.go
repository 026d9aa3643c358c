package reply

import (
	"encoding/json"
	"math"
	"sort"
	"strconv"
)

// kind is the type of a node.
type kind uint8

const (
	null    kind = iota
	missing      // a key without a value
	boolean
	number
	text
	list
	object
)

// node is a value as written: keys keep their order and may repeat, and numbers have no type yet.
type node struct {
	kind  kind
	yes   bool     // value of a boolean
	half  bool     // the text ended inside it
	text  string   // value of a string or number
	keys  []string // keys of an object, one per item
	items []node   // elements of a list or values of an object
}

func (n node) isScalar() bool { return n.kind != list && n.kind != object }

// toValue converts the node as encoding/json would, except that integers become int. A
// scalar that the text ended inside is left out.
func (n node) toValue() any {
	switch n.kind {
	case boolean:
		return n.yes
	case number:
		return plainNumber(n.text)
	case text:
		return n.text
	case list:
		out := make([]any, 0, len(n.items))
		for _, item := range n.items {
			if !item.half || !item.isScalar() {
				out = append(out, item.toValue())
			}
		}
		return out
	case object:
		out := make(map[string]any, len(n.items))
		for i, item := range n.items {
			if !item.half || !item.isScalar() {
				out[n.keys[i]] = item.toValue()
			}
		}
		return out
	}
	return nil
}

func plainNumber(s string) any {
	if i, err := strconv.Atoi(s); err == nil {
		return i
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil { // outside the range of float64
		return nil
	}
	return f
}

// nodeOf is the inverse of toValue. Keys come out sorted.
func nodeOf(v any, depth int) node {
	if depth > maxDepth {
		return node{kind: missing}
	}
	switch v := v.(type) {
	case map[string]any:
		n := node{kind: object}
		for k := range v {
			n.keys = append(n.keys, k)
		}
		sort.Strings(n.keys)
		for _, k := range n.keys {
			n.items = append(n.items, nodeOf(v[k], depth+1))
		}
		return n
	case []any:
		n := node{kind: list}
		for _, item := range v {
			n.items = append(n.items, nodeOf(item, depth+1))
		}
		return n
	case string:
		return node{kind: text, text: v}
	case bool:
		return node{kind: boolean, yes: v}
	case nil:
		return node{}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return node{}
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return node{}
	}
	return node{kind: number, text: string(b)}
}
