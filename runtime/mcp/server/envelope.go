package server

import (
	"encoding/json"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Output schemas and structured content describe objects up to 2025-11-25 and any value after it. Handshake clients get
// a value that is not an object in an envelope, an object with one member, as servers of both eras do it themselves. So
// a definition obtained in one era may have an envelope that a result of the other lacks, or the reverse.
const envelopeKey = "result"

// shape is what the output schema of a definition says about results.
type shape int

const (
	unshaped  shape = iota // nothing, or an object
	enveloped              // an object that may be an envelope: it has and requires just that member
	anything               // an object or another value
	noObject
)

func shapeOf(schema json.RawMessage) shape {
	kind := rawjson.Get(schema, "type")
	switch {
	case rawjson.Of(schema) != rawjson.Object:
		return unshaped
	case string(kind) == `"object"`:
		names, err := rawjson.Items(rawjson.Get(schema, "required"))
		props, _ := rawjson.Members(rawjson.Get(schema, "properties"))
		if err == nil && len(names) == 1 && isOneOf(names[0], envelopeKey) && len(props) == 1 && props[0].Name == envelopeKey {
			return enveloped
		}
		return unshaped
	case rawjson.Of(kind) == rawjson.String:
		return noObject
	}
	return anything
}

// shapeContent returns structured content in the form that the definition has for a client of an era; nil for none.
func (s shape) shapeContent(value json.RawMessage, modern bool) json.RawMessage {
	inside, whole := openEnvelope(value)
	isObject := rawjson.Of(value) == rawjson.Object
	wraps := !isObject || s == anything && !whole || s == noObject && !whole
	switch {
	case s == enveloped:
		wraps = inside == nil
	case modern && s == noObject && whole:
		return inside
	case modern:
		return value
	case rawjson.Of(value) == rawjson.Null:
		return nil
	}
	if wraps {
		return rawjson.Join([]rawjson.Member{{Name: envelopeKey, Value: value}})
	}
	return value
}

// openEnvelope returns the value inside an envelope, nil for none, and whether the envelope has no other member.
func openEnvelope(value json.RawMessage) (inside json.RawMessage, whole bool) {
	members, _ := rawjson.Members(value)
	inside = rawjson.Get(value, envelopeKey)
	return inside, inside != nil && len(members) == 1
}

// forHandshake returns a definition as clients of the handshake era see it.
func forHandshake(raw json.RawMessage) json.RawMessage {
	return rawjson.Rewrite(raw, func(name string, value json.RawMessage) json.RawMessage {
		if s := shapeOf(value); name == "outputSchema" && (s == anything || s == noObject) {
			return envelopeOf(value)
		}
		return value
	})
}

func envelopeOf(schema json.RawMessage) json.RawMessage {
	var out []rawjson.Member
	if dialect := rawjson.Get(schema, "$schema"); dialect != nil {
		out = append(out, rawjson.Member{Name: "$schema", Value: dialect})
	}
	return rawjson.Join(append(out,
		rawjson.Member{Name: "type", Value: rawjson.Quote("object")},
		rawjson.Member{Name: "properties", Value: rawjson.Join([]rawjson.Member{{Name: envelopeKey, Value: moveRefs(schema, false)}})},
		rawjson.Member{Name: "required", Value: json.RawMessage(`["` + envelopeKey + `"]`)}))
}

// moveRefs returns a schema with its references into its own document adjusted to the envelope. names says that raw is a
// map, whose names are chosen by its author.
func moveRefs(raw json.RawMessage, names bool) json.RawMessage {
	switch rawjson.Of(raw) {
	case rawjson.Array:
		items, err := rawjson.Items(raw)
		if err != nil {
			return raw
		}
		out := []byte{'['}
		for i, it := range items {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, moveRefs(it, false)...)
		}
		return append(out, ']')
	case rawjson.Object:
		if id, err := rawjson.Text(rawjson.Get(raw, "$id")); !names && err == nil && !strings.HasPrefix(id, "#") {
			return raw // its references are relative to it
		}
		return rawjson.Rewrite(raw, func(name string, value json.RawMessage) json.RawMessage {
			if names {
				return moveRefs(value, false)
			}
			switch name {
			case "const", "enum", "default", "examples":
				return value
			case "$ref", "$dynamicRef":
				if to, err := rawjson.Text(value); err == nil && (to == "#" || strings.HasPrefix(to, "#/")) {
					return rawjson.Quote("#/properties/" + envelopeKey + to[1:])
				}
				return value
			case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
				return moveRefs(value, true)
			}
			return moveRefs(value, false)
		})
	}
	return raw
}
