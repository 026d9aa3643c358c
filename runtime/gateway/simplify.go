package gateway

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs/brief"
)

// simplifySchema returns a JSON schema that all clients and small models can read: references are replaced by their
// targets, alternatives merged, conditions left out. It accepts everything that the original does; arguments are still
// checked against the original.
func simplifySchema(schema json.RawMessage) json.RawMessage {
	s := simplifier{root: schema}
	return s.schema(schema, 0)
}

// maxSchema is the depth from which schemas are replaced by an object without properties.
const maxSchema = 24

// dropped are keywords that tell a model nothing, or that few clients read.
var dropped = wordSet("$ref $schema $id $comment $defs definitions $anchor $dynamicAnchor $dynamicRef if then else not dependentSchemas " +
	"dependentRequired patternProperties propertyNames unevaluatedProperties unevaluatedItems contains minContains maxContains " +
	"prefixItems additionalItems dependencies contentEncoding contentMediaType contentSchema examples deprecated readOnly writeOnly")

// maxFollowed limits the bytes that references may add: a few definitions that use each other twice would each double
// the whole.
const maxFollowed = 256 << 10

type simplifier struct {
	root  json.RawMessage
	path  []*byte // starts of the schemas being followed
	spent int     // bytes added by references
}

type fields []rawjson.Member

func (f fields) get(name string) json.RawMessage {
	for _, m := range f {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// put sets a member, in its old place if there is one. It sets all members of that name, because readers disagree on
// which one counts.
func (f fields) put(name string, value json.RawMessage) fields {
	found := false
	for i := range f {
		if f[i].Name == name {
			f[i].Value, found = value, true
		}
	}
	if found {
		return f
	}
	return append(f, rawjson.Member{Name: name, Value: value})
}

func (f fields) without(name string) fields {
	return slices.DeleteFunc(f, func(m rawjson.Member) bool { return m.Name == name })
}

var shapeless = json.RawMessage(`{"type":"object"}`)

func (s *simplifier) schema(raw json.RawMessage, depth int) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil { // true, false: anything, nothing
		return json.RawMessage(`{}`)
	}
	if depth > maxSchema {
		return shapeless
	}
	f := fields(slices.Clone(members))
	if ref, err := rawjson.Text(f.get("$ref")); err == nil {
		if ref == "" { // the document itself
			ref = "#"
		}
		return s.followReference(ref, f, depth)
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		f = s.joinAlternatives(word, f, depth)
	}
	out := fields{}
	for _, m := range f {
		if dropped[m.Name] || limitsDropped(m, f) {
			continue
		}
		out = append(out, rawjson.Member{Name: m.Name, Value: s.keyword(m.Name, m.Value, depth)})
	}
	return rawjson.Join(withType(out))
}

// limitsDropped reports whether a member applies only to what a dropped keyword does not cover, and would be too strict
// without it.
func limitsDropped(m rawjson.Member, f fields) bool {
	switch m.Name {
	case "additionalProperties":
		return f.get("patternProperties") != nil
	case "items":
		return f.get("prefixItems") != nil || rawjson.Of(m.Value) == rawjson.Array
	}
	return false
}

func (s *simplifier) keyword(name string, value json.RawMessage, depth int) json.RawMessage {
	switch name {
	case "properties":
		props, err := rawjson.Members(value)
		if err != nil {
			return value
		}
		out := make([]rawjson.Member, len(props))
		for i, p := range props {
			out[i] = rawjson.Member{Name: p.Name, Value: s.schema(p.Value, depth+1)}
		}
		return rawjson.Join(out)
	case "items", "additionalProperties":
		if rawjson.Of(value) == rawjson.Object {
			return s.schema(value, depth+1)
		}
	case "type":
		return oneType(value)
	}
	return value
}

// oneType returns the first type of a list that is not null.
func oneType(value json.RawMessage) json.RawMessage {
	var many []string
	if json.Unmarshal(value, &many) != nil {
		return value
	}
	for _, t := range many {
		if t != "null" {
			return rawjson.Quote(t)
		}
	}
	return value
}

// followReference replaces a reference with its target, merged with the members next to the reference. If the reference is
// recursive, or exceeds the limit, only the type is kept; one that leads nowhere accepts anything.
func (s *simplifier) followReference(ref string, beside fields, depth int) json.RawMessage {
	target := brief.Follow(s.root, ref)
	s.spent += len(target)
	members, err := rawjson.Members(target)
	if err != nil || len(members) == 0 || slices.Contains(s.path, &target[0]) || s.spent > maxFollowed {
		var f fields
		if kind := withType(slices.Clone(fields(members))).get("type"); kind != nil {
			f = append(f, rawjson.Member{Name: "type", Value: oneType(kind)})
		}
		if d := beside.get("description"); d != nil {
			f = append(f, rawjson.Member{Name: "description", Value: d})
		}
		return rawjson.Join(f)
	}
	s.path = append(s.path, &target[0])
	defer func() { s.path = s.path[:len(s.path)-1] }()
	f := fields(slices.Clone(members))
	for _, m := range beside.without("$ref") {
		f = f.put(m.Name, m.Value)
	}
	return s.schema(rawjson.Join(f), depth+1)
}

// joinAlternatives merges alternatives (or parts, for allOf) into one schema: null is dropped; a single one is used directly;
// values become one enum; schemas of one type are reduced to that type, and objects to the properties of all; otherwise
// the first one is used and the others' types are named in the description.
func (s *simplifier) joinAlternatives(word string, f fields, depth int) fields {
	items, err := rawjson.Items(f.get(word))
	if f.get(word) == nil || err != nil {
		return f
	}
	f = f.without(word)
	var parts []fields
	for _, it := range items {
		members, err := rawjson.Members(s.schema(it, depth+1))
		if err == nil && string(fields(members).get("type")) != `"null"` {
			parts = append(parts, members)
		}
	}
	switch {
	case len(parts) == 0:
		return f
	case word == "allOf" || len(parts) == 1:
		for _, p := range parts {
			f = mergeFields(f, p)
		}
		return f
	}
	if enum := enumOf(parts); enum != nil {
		f = f.put("type", rawjson.Quote("string"))
		return f.put("enum", enum)
	}
	kinds := kindsOf(parts)
	if len(kinds) == 1 && kinds[0] != "object" && kinds[0] != "array" {
		return f.put("type", rawjson.Quote(kinds[0]))
	}
	if len(kinds) < 2 && !slices.ContainsFunc(parts, func(p fields) bool { return p.get("properties") == nil && p.get("required") == nil }) {
		return s.uniteProperties(f, parts, depth)
	}
	f = mergeFields(f, parts[0].without("required"))
	if len(kinds) > 1 {
		said, _ := rawjson.Text(f.get("description"))
		f = f.put("description", rawjson.Quote(strings.TrimSpace(said+" (or "+strings.Join(kinds[1:], " or ")+")")))
	}
	return f
}

// kindsOf returns the types of alternatives, each once.
func kindsOf(parts []fields) (kinds []string) {
	for _, p := range parts {
		kind, _ := rawjson.Text(p.get("type"))
		if kind != "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// uniteProperties adds the properties of all alternatives; those required by each alternative stay required. A property of
// several alternatives becomes an alternative of its schemas.
func (s *simplifier) uniteProperties(f fields, parts []fields, depth int) fields {
	var names, wanted []string
	of := map[string][]json.RawMessage{}
	closed := 0
	for i, p := range parts {
		props, _ := rawjson.Members(p.get("properties"))
		for _, m := range props {
			if of[m.Name] == nil {
				names = append(names, m.Name)
			}
			if !slices.ContainsFunc(of[m.Name], func(o json.RawMessage) bool { return string(o) == string(m.Value) }) {
				of[m.Name] = append(of[m.Name], m.Value)
			}
		}
		var required []string
		_ = json.Unmarshal(p.get("required"), &required)
		if i == 0 {
			wanted = required
		}
		wanted = slices.DeleteFunc(wanted, func(name string) bool { return !slices.Contains(required, name) })
		if string(p.get("additionalProperties")) == "false" {
			closed++
		}
	}
	props := make(fields, 0, len(names))
	for _, name := range names {
		value := of[name][0]
		if len(of[name]) > 1 {
			value = s.schema(rawjson.Join(fields{{Name: "anyOf", Value: rawjson.List(of[name])}}), depth+1)
		}
		props = append(props, rawjson.Member{Name: name, Value: value})
	}
	more := fields{{Name: "type", Value: rawjson.Quote("object")}}
	if len(props) > 0 {
		more = append(more, rawjson.Member{Name: "properties", Value: rawjson.Join(props)})
	}
	if len(wanted) > 0 {
		raw, _ := rawjson.Marshal(wanted)
		more = append(more, rawjson.Member{Name: "required", Value: raw})
	}
	if closed == len(parts) {
		more = append(more, rawjson.Member{Name: "additionalProperties", Value: json.RawMessage("false")})
	}
	return mergeFields(f, more)
}

// enumOf returns the enum of alternatives that are all strings to choose from, else nil.
func enumOf(parts []fields) json.RawMessage {
	var all []string
	for _, p := range parts {
		var texts []string
		if one, err := rawjson.Text(p.get("const")); err == nil && p.get("const") != nil {
			texts = []string{one}
		} else if json.Unmarshal(p.get("enum"), &texts) != nil || len(texts) == 0 {
			return nil
		}
		all = append(all, texts...)
	}
	raw, err := rawjson.Marshal(all)
	if err != nil {
		return nil
	}
	return raw
}

// mergeFields adds the members that f lacks; properties and required are combined.
func mergeFields(f, more fields) fields {
	for _, m := range more {
		have := f.get(m.Name)
		switch {
		case have == nil:
			f = f.put(m.Name, m.Value)
		case m.Name == "properties":
			a, errA := rawjson.Members(have)
			b, errB := rawjson.Members(m.Value)
			if errA == nil && errB == nil {
				f = f.put(m.Name, rawjson.Join(mergeFields(slices.Clone(a), b)))
			}
		case m.Name == "required":
			var a, b []string
			if json.Unmarshal(have, &a) == nil && json.Unmarshal(m.Value, &b) == nil {
				raw, _ := rawjson.Marshal(append(a, b...))
				f = f.put(m.Name, raw)
			}
		}
	}
	return f
}

// withType adds the type that the other members imply.
func withType(f fields) fields {
	if f.get("type") != nil {
		return f
	}
	for _, k := range [][2]string{{"properties", "object"}, {"items", "array"}, {"enum", ""}, {"const", ""}, {"pattern", "string"},
		{"minimum", "number"}, {"maximum", "number"}} {
		value := f.get(k[0])
		if value == nil {
			continue
		}
		kind := k[1]
		if kind == "" {
			kind = kindOf(value)
		}
		if kind == "" {
			return f
		}
		return append(fields{{Name: "type", Value: rawjson.Quote(kind)}}, f...)
	}
	return f
}

// kindOf returns the type of a value, or of all values of an enum; "" if they differ, or for null.
func kindOf(value json.RawMessage) string {
	values, err := rawjson.Items(value)
	if err != nil {
		values = []json.RawMessage{value}
	}
	kinds := map[rawjson.Kind]string{rawjson.String: "string", rawjson.Number: "number", rawjson.Bool: "boolean", rawjson.Object: "object", rawjson.Array: "array"}
	kind := ""
	for i, v := range values {
		if k := kinds[rawjson.Of(v)]; i == 0 || k == kind {
			kind = k
		} else {
			return ""
		}
	}
	return kind
}
