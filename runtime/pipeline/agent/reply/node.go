package reply

import (
	"encoding/json"
	"math"
	"sort"
	"strconv"
)

// kind is what a node holds.
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

// node is a value as it was written: keys keep their order and may repeat,
// numbers are not yet of a type.
type node struct {
	kind  kind
	yes   bool     // of a boolean
	half  bool     // the text ended inside it
	text  string   // of a string or number
	keys  []string // of an object, one each item
	items []node   // of a list or object
}

func (n node) scalar() bool { return n.kind != list && n.kind != object }

// plain is the node as encoding/json would give it, but integers are int. A
// scalar that the text ended inside is left out.
func (n node) plain() any {
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
			if !item.half || !item.scalar() {
				out = append(out, item.plain())
			}
		}
		return out
	case object:
		out := make(map[string]any, len(n.items))
		for i, item := range n.items {
			if !item.half || !item.scalar() {
				out[n.keys[i]] = item.plain()
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
	if err != nil { // beyond a float64
		return nil
	}
	return f
}

// nodeOf is the reverse of plain. Keys come sorted.
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
