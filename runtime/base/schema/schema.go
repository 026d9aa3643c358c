// Package schema is the small subset of JSON Schema in which compactor describes the
// input and output of tools and builtins: objects, arrays, scalars, enumerations and
// bounds; no references and no unions, because small models and several chat clients
// stumble over both.
//
// Schemas have two sources and look the same afterwards: CUE types, read by
// runtime/config, and Go structs, read by FromType.
package schema

import (
	"encoding/json"
	"reflect"
)

// The types a Schema can have. Any is omitted from the JSON form.
const (
	Object  = "object"
	String  = "string"
	Integer = "integer"
	Number  = "number"
	Boolean = "boolean"
	Array   = "array"
	Any     = ""
)

// Schema describes one value.
type Schema struct {
	Type     string // one of the constants above
	Doc      string
	Fields   []Field // of an object, in source order
	Open     *Schema // of an object: schema of keys beyond Fields; nil refuses them
	Items    *Schema // of an array
	Enum     []any
	Default  any
	Min, Max *float64
	MinLen   *int // of a string, in characters; of an array, in elements
	MaxLen   *int
	Pattern  string // RE2
	Nullable bool

	// Go code alone sets these; a schema that a configuration states has neither.
	Of   reflect.Type `cbor:"-"` // Go type it was derived from, which may have its own view; nil for none
	Trim *Trim        `cbor:"-"` // of an object: how it is cut to fit; nil if it has no rules of its own
}

// Field is one property of an object schema.
type Field struct {
	Name     string
	Required bool
	Schema   *Schema
}

// Field returns the property with that name, or nil.
func (s *Schema) Field(name string) *Field {
	if s == nil {
		return nil
	}
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}

// Names returns the names of the properties in source order.
func (s *Schema) Names() []string {
	names := make([]string, 0, len(s.Fields))
	for _, f := range s.Fields {
		names = append(names, f.Name)
	}
	return names
}

// JSON returns the JSON Schema (2020-12) form. Objects are closed unless Open is set;
// keys have a fixed order, so that equal schemas are equal bytes.
func (s *Schema) JSON() json.RawMessage {
	b, err := json.Marshal(s.document())
	if err != nil { // only for a default or enum value that is not JSON
		return json.RawMessage(`{}`)
	}
	return b
}

// document lists JSON Schema's keywords in the order a reader expects.
type document struct {
	Type        any             `json:"type,omitempty"`
	Description string          `json:"description,omitempty"`
	Properties  json.RawMessage `json:"properties,omitempty"`
	Required    []string        `json:"required,omitempty"`
	Additional  any             `json:"additionalProperties,omitempty"`
	Items       *document       `json:"items,omitempty"`
	Enum        []any           `json:"enum,omitempty"`
	Default     any             `json:"default,omitempty"`
	Minimum     *float64        `json:"minimum,omitempty"`
	Maximum     *float64        `json:"maximum,omitempty"`
	MinLength   *int            `json:"minLength,omitempty"`
	MaxLength   *int            `json:"maxLength,omitempty"`
	MinItems    *int            `json:"minItems,omitempty"`
	MaxItems    *int            `json:"maxItems,omitempty"`
	Pattern     string          `json:"pattern,omitempty"`
}

func (s *Schema) document() *document {
	d := &document{Description: s.Doc, Enum: s.Enum, Default: s.Default, Minimum: s.Min, Maximum: s.Max, Pattern: s.Pattern}
	switch {
	case s.Type == Any:
	case s.Nullable:
		d.Type = []string{s.Type, "null"}
	default:
		d.Type = s.Type
	}
	switch s.Type {
	case Object:
		d.Properties, d.Required = s.properties()
		d.Additional = false
		if s.Open != nil {
			d.Additional = s.Open.document()
		}
	case Array:
		d.MinItems, d.MaxItems = s.MinLen, s.MaxLen
		if s.Items != nil {
			d.Items = s.Items.document()
		}
	case String:
		d.MinLength, d.MaxLength = s.MinLen, s.MaxLen
	}
	return d
}

// properties keeps the fields in source order, which encoding/json would sort: a model
// then reads the required ones first if their author wrote them first.
func (s *Schema) properties() (json.RawMessage, []string) {
	buf := []byte{'{'}
	var required []string
	for i, f := range s.Fields {
		if i > 0 {
			buf = append(buf, ',')
		}
		name, _ := json.Marshal(f.Name)
		body, err := json.Marshal(f.Schema.document())
		if err != nil {
			body = []byte("{}")
		}
		buf = append(append(append(buf, name...), ':'), body...)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	return append(buf, '}'), required
}
