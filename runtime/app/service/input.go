package service

import (
	"bytes"
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// decodeInput reads arguments. Numbers whose type is declared are float64, as
// expressions want them; in parts without a type they stay as they were written,
// for they may be names of things and larger than a float can tell apart.
func decodeInput(s *schema.Schema, raw json.RawMessage, into *map[string]any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if *into == nil { // null
		*into = map[string]any{}
	}
	for k, v := range *into {
		(*into)[k] = numbered(member(s, k), v)
	}
	return nil
}

// member is the schema of one member of an object; one without a type where
// nothing is said.
func member(s *schema.Schema, name string) *schema.Schema {
	if f := s.Field(name); f != nil {
		return f.Schema
	}
	if s.Open != nil {
		return s.Open
	}
	return &schema.Schema{}
}

func numbered(s *schema.Schema, v any) any {
	switch v := v.(type) {
	case json.Number:
		if s.Type == schema.Any {
			return v
		}
		f, err := v.Float64()
		if err != nil {
			return v
		}
		return f
	case []any:
		if s.Items == nil {
			return v
		}
		for i := range v {
			v[i] = numbered(s.Items, v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbered(member(s, k), v[k])
		}
	}
	return v
}
