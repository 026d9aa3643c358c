package plan

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"sync"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// maxDeep limits the nesting of values that are copied; deeper ones go through JSON,
// which has its own limit.
const maxDeep = 200

// Given is a value of JSON's own types, with UTF-8 texts, that its maker hands over:
// expressions see it without a copy.
type Given struct{ Value any }

// MarshalJSON encodes the value.
func (g Given) MarshalJSON() ([]byte, error) { return json.Marshal(g.Value) }

// copyPlain returns a value as encoding/json would encode and decode it, with numbers as
// ints and floats, but without the text in between. is is false if only JSON can tell, as
// for invalid UTF-8 and for values without a JSON form.
func copyPlain(v any) (out any, is bool) { return copiedAny(v, 0) }

// copiedAny copies JSON's own types, the most common ones, without reflection.
func copiedAny(v any, depth int) (any, bool) {
	if depth > maxDeep {
		return nil, false
	}
	switch v := v.(type) {
	case nil:
		return nil, true
	case string:
		return v, utf8.ValidString(v)
	case bool, int:
		return v, true
	case Given:
		return v.Value, true
	case map[string]any:
		if v == nil {
			return nil, true
		}
		out := make(map[string]any, len(v))
		for name, item := range v {
			item, is := copiedAny(item, depth+1)
			if !is || !utf8.ValidString(name) {
				return nil, false
			}
			out[name] = item
		}
		return out, true
	case []any:
		if v == nil {
			return nil, true
		}
		out := make([]any, len(v))
		for i, item := range v {
			item, is := copiedAny(item, depth+1)
			if !is {
				return nil, false
			}
			out[i] = item
		}
		return out, true
	}
	return copiedValue(reflect.ValueOf(v), depth)
}

func copiedValue(v reflect.Value, depth int) (any, bool) {
	if !v.IsValid() {
		return nil, true
	}
	if depth > maxDeep {
		return nil, false
	}
	t := v.Type()
	if t.Kind() != reflect.Interface && ownForm(t) {
		return copyOwnForm(v, t)
	}
	switch t.Kind() {
	case reflect.Interface:
		if v.NumMethod() == 0 && v.CanInterface() {
			return copiedAny(v.Interface(), depth)
		}
		return copiedValue(v.Elem(), depth+1)
	case reflect.Pointer:
		if v.IsNil() {
			return nil, true
		}
		return copiedValue(v.Elem(), depth+1)
	case reflect.String:
		s := v.String()
		return s, utf8.ValidString(s)
	case reflect.Bool:
		return v.Bool(), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return int(v.Int()), true
	case reflect.Float64:
		f := v.Float()
		return f, !math.IsNaN(f) && !math.IsInf(f, 0)
	case reflect.Slice, reflect.Array:
		return copiedList(v, depth)
	case reflect.Map:
		return copiedMap(v, depth)
	case reflect.Struct:
		return copiedStruct(v, depth)
	}
	return copyViaJSON(v)
}

func copiedList(v reflect.Value, depth int) (any, bool) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return nil, true
	}
	if v.Type().Elem().Kind() == reflect.Uint8 { // bytes are base64
		return copyViaJSON(v)
	}
	out := make([]any, v.Len())
	for i := range out {
		item, is := copiedValue(v.Index(i), depth+1)
		if !is {
			return nil, false
		}
		out[i] = item
	}
	return out, true
}

func copiedMap(v reflect.Value, depth int) (any, bool) {
	if v.IsNil() {
		return nil, true
	}
	if v.Type().Key() != reflect.TypeFor[string]() {
		return copyViaJSON(v)
	}
	out := make(map[string]any, v.Len())
	for each := v.MapRange(); each.Next(); {
		name := each.Key().String()
		item, is := copiedValue(each.Value(), depth+1)
		if !is || !utf8.ValidString(name) {
			return nil, false
		}
		out[name] = item
	}
	return out, true
}

func copiedStruct(v reflect.Value, depth int) (any, bool) {
	members, is := membersOf(v.Type())
	if !is {
		return copyViaJSON(v)
	}
	out := make(map[string]any, len(members))
	for _, m := range members {
		f := v.Field(m.At)
		if m.OmitEmpty && isEmpty(f) || m.OmitZero && f.IsZero() {
			continue
		}
		item, is := copiedValue(f, depth+1)
		if !is {
			return nil, false
		}
		out[m.Name] = item
	}
	return out, true
}

// copyOwnForm copies a value of a type that defines its encoding.
func copyOwnForm(v reflect.Value, t reflect.Type) (any, bool) {
	if !v.CanInterface() || t.Kind() == reflect.Pointer && v.IsNil() {
		return copyViaJSON(v)
	}
	if text, is := v.Interface().(encoding.TextMarshaler); is && !t.Implements(marshaler) {
		s, err := text.MarshalText()
		return string(s), err == nil && utf8.Valid(s)
	}
	return copyViaJSON(v)
}

// copyViaJSON converts a value by way of its JSON, if it has one.
func copyViaJSON(v reflect.Value) (any, bool) {
	if !v.CanInterface() {
		return nil, false
	}
	out, err := viaJSON(v.Interface())
	return out, err == nil
}

// isEmpty reports whether omitempty leaves a value out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// layout describes a type.
type layout struct {
	own     bool // has its own encoding
	members []rawjson.Field
	plain   bool // members describes the type completely
}

var layouts sync.Map // reflect.Type → *layout

func layoutOf(t reflect.Type) *layout {
	if l, known := layouts.Load(t); known {
		return l.(*layout)
	}
	l := &layout{own: t == reflect.TypeFor[json.Number]() || definesEncoding(t)}
	if !l.own && t.Kind() == reflect.Struct {
		l.members, l.plain = rawjson.Fields(t)
	}
	known, _ := layouts.LoadOrStore(t, l)
	return known.(*layout)
}

func ownForm(t reflect.Type) bool {
	return t.PkgPath() != "" && layoutOf(t).own || t.Kind() == reflect.Pointer && layoutOf(t).own
}

func membersOf(t reflect.Type) ([]rawjson.Field, bool) {
	l := layoutOf(t)
	return l.members, l.plain
}

var marshaler = reflect.TypeFor[json.Marshaler]()

// definesEncoding reports whether a type, or a pointer to it, defines its own encoding.
func definesEncoding(t reflect.Type) bool {
	for _, form := range []reflect.Type{marshaler, reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(form) || reflect.PointerTo(t).Implements(form) {
			return true
		}
	}
	return false
}
