package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// FromType derives a schema from a Go type. Struct tags say the rest:
//
//	json:"name,omitempty"   the property; without omitempty (or a default) it is required
//	doc:"..."               its description, with units
//	default:"8" enum:"a,b" min:"1" max:"50"
//
// Pointers are nullable, time.Duration is an integer of milliseconds, types that marshal to text
// are strings and interfaces are Any. Recursive types are an error: a schema is a finite tree.
func FromType(t reflect.Type) (*Schema, error) { return fromType(t, nil) }

// MustFromType is like FromType, for types known at compile time, and panics on an error.
func MustFromType(t reflect.Type) *Schema {
	s, err := FromType(t)
	if err != nil {
		panic(err)
	}
	return s
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	rawType      = reflect.TypeFor[json.RawMessage]()
	textType     = reflect.TypeFor[encoding.TextMarshaler]()
)

func fromType(t reflect.Type, above []reflect.Type) (*Schema, error) {
	for _, a := range above {
		if a == t {
			return nil, fmt.Errorf("schema of %s: the type contains itself", t)
		}
	}
	switch t {
	case durationType:
		return &Schema{Type: Integer}, nil
	case rawType:
		return &Schema{}, nil
	}
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && t.Implements(textType) {
		return &Schema{Type: String}, nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		s, err := fromType(t.Elem(), above)
		if err == nil {
			s.Nullable = true
		}
		return s, err
	case reflect.Struct:
		return fromStruct(t, append(above, t))
	case reflect.Slice, reflect.Array:
		items, err := fromType(t.Elem(), above)
		return &Schema{Type: Array, Items: items}, err
	case reflect.Map:
		values, err := fromType(t.Elem(), above)
		return &Schema{Type: Object, Open: values}, err
	case reflect.Interface:
		return &Schema{}, nil
	}
	return scalarType(t)
}

func scalarType(t reflect.Type) (*Schema, error) {
	switch t.Kind() {
	case reflect.String:
		return &Schema{Type: String}, nil
	case reflect.Bool:
		return &Schema{Type: Boolean}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &Schema{Type: Integer}, nil
	case reflect.Float32, reflect.Float64:
		return &Schema{Type: Number}, nil
	}
	return nil, fmt.Errorf("schema of %s: no JSON form", t)
}

func fromStruct(t reflect.Type, above []reflect.Type) (*Schema, error) {
	s := &Schema{Type: Object, Of: t}
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if f.Anonymous && name == "" {
			inner, err := fromType(f.Type, above)
			if err != nil {
				return nil, err
			}
			s.Fields = append(s.Fields, inner.Fields...)
			continue
		}
		field, err := fromField(f, above)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", t.Name(), f.Name, err)
		}
		if name == "" {
			name = f.Name
		}
		optional := strings.Contains(opts, "omitempty") || strings.Contains(opts, "omitzero") || field.Default != nil
		if optional {
			field.Nullable = false // left out, never null
		}
		s.Fields = append(s.Fields, Field{Name: name, Required: !optional, Schema: field})
	}
	return s, nil
}

func fromField(f reflect.StructField, above []reflect.Type) (*Schema, error) {
	s, err := fromType(f.Type, above)
	if err != nil {
		return nil, err
	}
	s.Doc = f.Tag.Get("doc")
	values := s
	if s.Type == Array && s.Items != nil {
		values = s.Items
	}
	if e := f.Tag.Get("enum"); e != "" {
		for _, v := range strings.Split(e, ",") {
			values.Enum = append(values.Enum, v)
		}
	}
	if d, ok := f.Tag.Lookup("default"); ok {
		if s.Default, err = parseTag(s.Type, d); err != nil {
			return nil, err
		}
	}
	if s.Min, err = parseBound(f.Tag.Get("min")); err != nil {
		return nil, err
	}
	s.Max, err = parseBound(f.Tag.Get("max"))
	return s, err
}

func parseBound(tag string) (*float64, error) {
	if tag == "" {
		return nil, nil
	}
	v, err := strconv.ParseFloat(tag, 64)
	return &v, err
}

func parseTag(typ, text string) (any, error) {
	switch typ {
	case Integer:
		return strconv.Atoi(text)
	case Number:
		return strconv.ParseFloat(text, 64)
	case Boolean:
		return strconv.ParseBool(text)
	case String:
		return text, nil
	}
	var v any
	return v, json.Unmarshal([]byte(text), &v)
}
