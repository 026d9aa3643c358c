package brief

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Follow resolves a reference such as "#/$defs/a" or "#anchor" within a document, or returns nil.
func Follow(doc json.RawMessage, ref string) json.RawMessage {
	parts, anchor, ok := Parts(ref)
	if !ok {
		return nil
	}
	if anchor != "" {
		return findAnchor(doc, anchor, 0)
	}
	for _, part := range parts {
		if doc = stepInto(doc, part); doc == nil {
			return nil
		}
	}
	return doc
}

// Parts parses a reference into its own document: the names that lead there, as written in the
// document, or an anchor. It returns false for any other reference.
func Parts(ref string) (names []string, anchor string, ok bool) {
	rest, ok := strings.CutPrefix(ref, "#")
	rest, err := url.PathUnescape(rest)
	switch {
	case !ok || err != nil:
		return nil, "", false
	case rest == "":
		return nil, "", true
	case rest[0] != '/':
		return nil, rest, true
	}
	names = strings.Split(rest[1:], "/")
	for i, name := range names {
		names[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	}
	return names, "", true
}

// maxAnchorDepth limits how deep an anchor is looked for.
const maxAnchorDepth = 64

// IsData reports whether a keyword holds values, which contain no schemas.
func IsData(keyword string) bool {
	switch keyword {
	case "enum", "const", "default", "examples", "example":
		return true
	}
	return false
}

// HoldsNamed reports whether a keyword holds an object whose members are schemas.
func HoldsNamed(keyword string) bool {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		return true
	}
	return false
}

// HoldsSchemas reports whether a keyword holds a schema or a list of them.
func HoldsSchemas(keyword string) bool {
	switch keyword {
	case "items", "prefixItems", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties",
		"contains", "contentSchema", "propertyNames", "allOf", "anyOf", "oneOf", "not", "if", "then", "else":
		return true
	}
	return false
}

// findAnchor returns the schema with an anchor, or nil.
func findAnchor(schema json.RawMessage, anchor string, depth int) (found json.RawMessage) {
	if depth > maxAnchorDepth {
		return nil
	}
	items, err := rawjson.Items(schema)
	if err != nil {
		members, _ := rawjson.Members(schema)
		for _, m := range members {
			switch text, err := rawjson.Text(m.Value); {
			case err == nil && text == anchor && (m.Name == "$anchor" || m.Name == "$dynamicAnchor"):
				return schema
			case !IsData(m.Name):
				items = append(items, m.Value)
			}
		}
	}
	for _, it := range items {
		if kind := rawjson.Of(it); kind != rawjson.Object && kind != rawjson.Array {
			continue
		}
		if found = findAnchor(it, anchor, depth+1); found != nil {
			return found
		}
	}
	return nil
}

func stepInto(doc json.RawMessage, part string) json.RawMessage {
	if rawjson.Of(doc) == rawjson.Array {
		items, err := rawjson.Items(doc)
		i, bad := strconv.Atoi(part)
		if err != nil || bad != nil || i < 0 || i >= len(items) {
			return nil
		}
		return items[i]
	}
	members, err := rawjson.Members(doc)
	if err != nil {
		return nil
	}
	return fields(members).get(part)
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

func (f fields) text(name string) string {
	text, err := rawjson.Text(f.get(name))
	if err != nil {
		return ""
	}
	return text
}
