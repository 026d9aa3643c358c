package gateway

import (
	"bytes"
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Limits of the examples shown for a tool.
const (
	maxExamples = 3
	maxExample  = 600 // bytes
)

// examplesOf returns example arguments of a call: those of the configuration, else those of the schema, else one
// composed from the values that the schema gives for its properties.
func examplesOf(given []map[string]any, schema json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	for _, e := range given {
		if raw, err := json.Marshal(e); err == nil {
			list = append(list, raw)
		}
	}
	if len(given) == 0 {
		list = schemaExamples(schema)
	}
	var out []json.RawMessage
	for _, e := range list {
		if len(out) < maxExamples && len(e) <= maxExample {
			out = append(out, e)
		}
	}
	return out
}

// exampled is the part of a schema that names possible values.
type exampled struct {
	Properties json.RawMessage   `json:"properties"`
	Required   []string          `json:"required"`
	Examples   []json.RawMessage `json:"examples"`
	Default    json.RawMessage   `json:"default"`
	Const      json.RawMessage   `json:"const"`
	Enum       []json.RawMessage `json:"enum"`
}

func schemaExamples(schema json.RawMessage) []json.RawMessage {
	var s exampled
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	var out []json.RawMessage
	for _, e := range s.Examples {
		if rawjson.Of(e) == rawjson.Object {
			out = append(out, e)
		}
	}
	if len(out) > 0 {
		return out
	}
	if e := s.composeCall(); e != nil {
		return []json.RawMessage{e}
	}
	return nil
}

// composeCall builds a call from the values that the schema names: any value for required properties, only examples for the
// others. It returns nil if a required property has no value, or if no property has an example: then the schema says as
// much.
func (s exampled) composeCall() json.RawMessage {
	properties, err := rawjson.Members(s.Properties)
	if err != nil {
		return nil
	}
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	var call []rawjson.Member
	shown := false
	for _, p := range properties {
		var of exampled
		if json.Unmarshal(p.Value, &of) != nil { // a schema may be true or false
			of = exampled{}
		}
		value := of.exampleValue()
		if len(of.Examples) > 0 {
			shown = true
		} else if !required[p.Name] {
			continue
		}
		if value == nil {
			return nil
		}
		delete(required, p.Name)
		call = append(call, rawjson.Member{Name: p.Name, Value: value})
	}
	if !shown || len(required) > 0 {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, rawjson.Join(call)) != nil {
		return nil
	}
	return b.Bytes()
}

// exampleValue returns a value that the schema names, or nil if it names none.
func (s exampled) exampleValue() json.RawMessage {
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case len(s.Const) > 0:
		return s.Const
	case len(s.Default) > 0:
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	return nil
}
