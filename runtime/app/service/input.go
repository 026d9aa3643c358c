package service

import (
	"bytes"
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// decodeInput decodes arguments. Numbers with a declared type become float64, as
// expressions need them. Elsewhere they stay as written, since they may be ids that
// exceed the precision of a float64.
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
		(*into)[k] = convertNumbers(memberSchema(s, k), v)
	}
	return nil
}

// memberSchema returns the schema of an object's member, or an empty schema if the member is not declared.
func memberSchema(s *schema.Schema, name string) *schema.Schema {
	if f := s.Field(name); f != nil {
		return f.Schema
	}
	if s.Open != nil {
		return s.Open
	}
	return &schema.Schema{}
}

func convertNumbers(s *schema.Schema, v any) any {
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
			v[i] = convertNumbers(s.Items, v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = convertNumbers(memberSchema(s, k), v[k])
		}
	}
	return v
}
