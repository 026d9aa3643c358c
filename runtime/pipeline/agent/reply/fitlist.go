package reply

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

var anything = &schema.Schema{}

// fitList fits the elements and drops those that cannot be fitted. If none can, the list
// fails with the mismatch of the first: an empty list was not the answer. If a list is
// too long, repetitions are dropped first.
func (f *fitter) fitList(n node, s *schema.Schema, p *at) (any, *Mismatch) {
	items := s.Items
	if items == nil {
		items = anything
	}
	elements, ok := f.toElements(n, items)
	if !ok {
		return nil, &Mismatch{Field: p.String(), Want: "a list", Got: quote(n)}
	}
	out := make([]any, 0, len(elements))
	long := s.MaxLen != nil && len(elements) > *s.MaxLen && *s.MaxLen <= maxDepth
	var first *Mismatch
	for i, e := range elements {
		if s.MaxLen != nil && len(out) >= *s.MaxLen {
			f.dropped += len(elements) - i
			break
		}
		trial := *f
		v, m := trial.fitElement(e, items, p.element(i))
		if m != nil {
			f.countDropped(m)
			if first == nil {
				first = m
			}
			continue
		}
		if long && slices.ContainsFunc(out, func(o any) bool { return reflect.DeepEqual(o, v) }) {
			f.dropped++ // a small model going round in circles
			continue
		}
		*f = trial
		out = append(out, v)
	}
	if len(out) == 0 && first != nil {
		return nil, first
	}
	if s.MinLen != nil && len(out) < *s.MinLen {
		return nil, &Mismatch{Field: p.String(), Want: "at least " + strconv.Itoa(*s.MinLen) + " elements", Got: strconv.Itoa(len(out))}
	}
	return out, nil
}

// toElements converts a value in place of a list to a list.
func (f *fitter) toElements(n node, items *schema.Schema) ([]node, bool) {
	if n.kind == list {
		return f.expandKeyed(n.items, items), true
	}
	f.changed = true
	switch n.kind {
	case null:
		return nil, true
	case missing:
		return nil, false
	case object:
		return byKey(n, items)
	case text:
		return split(n, items)
	}
	return []node{n}, true
}

// expandKeyed expands objects keyed by id in a list that should hold the objects themselves.
func (f *fitter) expandKeyed(elements []node, items *schema.Schema) []node {
	if items.Type != schema.Object || items.Open != nil {
		return elements
	}
	var out []node
	for i, e := range elements {
		if e.kind != object || len(e.keys) == 0 || hasKnownField(e, items) || isWrapper(e, items) {
			if out != nil {
				out = append(out, e)
			}
			continue
		}
		keyed, ok := byKey(e, items)
		if out == nil {
			out = append(out, elements[:i]...)
		}
		if !ok {
			keyed = []node{e}
		}
		f.changed = true
		out = append(out, keyed...)
	}
	if out == nil {
		return elements
	}
	return out
}

// byKey reads an object in place of a list: one element, or {"1": "why"} for a list of
// {id, note} or of ids.
func byKey(n node, items *schema.Schema) ([]node, bool) {
	if items.Type == schema.Object {
		if hasKnownField(n, items) || items.Open != nil || isWrapper(n, items) {
			return []node{n}, true
		}
		id, note := idAndNote(items)
		if id == "" {
			return nil, false
		}
		out := make([]node, 0, len(n.keys))
		for i, key := range n.keys {
			out = append(out, keyedObject(key, n.items[i], id, note))
		}
		return out, true
	}
	if _, schemaEcho := member(n, "type"); schemaEcho {
		return nil, false
	}
	var out []node
	for i, key := range n.keys {
		if v := n.items[i]; v.kind == null || v.kind == boolean && !v.yes || v.half {
			continue
		}
		out = append(out, node{kind: text, text: key})
	}
	return out, len(out) > 0
}

func member(n node, key string) (node, bool) {
	for i, k := range n.keys {
		if k == key {
			return n.items[i], true
		}
	}
	return node{}, false
}

// idAndNote returns the fields of a list element that correspond to a key and its value:
// the first scalar, and the first text after it.
func idAndNote(items *schema.Schema) (id, note string) {
	for _, field := range items.Fields {
		switch t := field.Schema.Type; {
		case id == "" && (t == schema.Integer || t == schema.String):
			id = field.Name
		case id != "" && t == schema.String:
			return id, field.Name
		}
	}
	return id, ""
}

func keyedObject(key string, v node, id, note string) node {
	k := node{kind: text, text: key}
	switch {
	case v.kind == object:
		if _, has := member(v, id); has {
			return v
		}
		return node{kind: object, keys: append([]string{id}, v.keys...), items: append([]node{k}, v.items...)}
	case note == "":
		return node{kind: object, keys: []string{id}, items: []node{k}}
	}
	return node{kind: object, keys: []string{id, note}, items: []node{k, v}}
}

// split reads a text in place of a list: JSON in a string, numbers separated by commas, or lines.
func split(n node, items *schema.Schema) ([]node, bool) {
	s := strings.TrimSpace(n.text)
	if strings.HasPrefix(s, "[") || strings.HasPrefix(s, "{") && items.Type == schema.Object {
		o := readAt(s, 0)
		switch {
		case o.deep:
			return nil, false
		case o.value.kind == list && o.end == len(s):
			return o.value.items, true
		case o.value.kind == object:
			return []node{o.value}, true
		}
	}
	sep := ""
	switch {
	case items.Type == schema.Integer || items.Type == schema.Number || len(items.Enum) > 0:
		sep = ","
	case strings.Contains(s, "\n"):
		sep = "\n"
	}
	if s == "" {
		return nil, true
	}
	if sep == "" || !strings.Contains(s, sep) {
		return []node{{kind: text, text: s}}, true
	}
	var out []node
	for _, part := range strings.Split(s, sep) {
		if part = strings.TrimSpace(strings.TrimLeft(part, " \t-*•")); part != "" {
			out = append(out, node{kind: text, text: part})
		}
	}
	return out, true
}

// fitElement fits one element; a scalar may take the place of an object.
func (f *fitter) fitElement(n node, items *schema.Schema, p *at) (any, *Mismatch) {
	if items.Type == schema.Object && n.isScalar() && !n.half {
		if o, ok := expandScalar(n, items); ok {
			f.changed = true
			n = o
		}
	}
	return f.fitValue(n, items, p)
}

// expandScalar expands 3 or "3: why" to {id: 3, note: "why"}.
func expandScalar(n node, items *schema.Schema) (node, bool) {
	id, note := idAndNote(items)
	if id == "" || n.kind < number || strings.HasPrefix(n.text, "{") {
		return node{}, false
	}
	if items.Field(id).Schema.Type == schema.Integer && n.kind == text {
		if num, rest, ok := leadingID(n.text); ok && rest != "" {
			return keyedObject(num, node{kind: text, text: rest}, id, note), true
		}
	}
	return node{kind: object, keys: []string{id}, items: []node{n}}, true
}
