package catalog

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// plainReader is implemented by types that are read by way of another: ReadPlain returns
// a variable for the value, and a function that takes the value over from there.
type plainReader interface {
	ReadPlain() (form any, set func())
}

// assign stores a plain value (maps, lists, strings, numbers, bools) in a Go variable,
// with the result of marshaling it to JSON and decoding that strictly. It returns false
// when only that slow path can tell the result: for mistakes, and for kinds that it does
// not handle. The variable must be discarded then. An interface gets the value itself,
// which must not be modified; its ints stay ints, of which JSON would make floats.
func assign(to reflect.Value, v any) bool {
	if v == nil {
		return true
	}
	t := to.Type()
	if p, is := to.Addr().Interface().(plainReader); is {
		return assignForm(p, v)
	}
	if l := layoutOf(t); l.own {
		raw, err := json.Marshal(v)
		return err == nil && json.Unmarshal(raw, to.Addr().Interface()) == nil
	}
	switch t.Kind() {
	case reflect.Interface:
		to.Set(reflect.ValueOf(v))
		return isPlain(v)
	case reflect.Pointer:
		to.Set(reflect.New(t.Elem()))
		return assign(to.Elem(), v)
	case reflect.Struct:
		m, is := v.(map[string]any)
		return is && assignStruct(to, m)
	case reflect.Slice:
		return assignSlice(to, v)
	case reflect.Map:
		return assignMap(to, v)
	case reflect.String:
		s, is := v.(string)
		if is && utf8.ValidString(s) {
			to.SetString(s)
			return true
		}
	case reflect.Bool:
		b, is := v.(bool)
		if is {
			to.SetBool(b)
		}
		return is
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float64:
		return assignNumber(to, v)
	}
	return false
}

// isPlain reports whether a value consists of maps, lists, valid texts, bools and finite numbers.
func isPlain(v any) bool {
	switch v := v.(type) {
	case nil, bool, int, int64:
		return true
	case string:
		return utf8.ValidString(v)
	case float64:
		return v-v == 0
	case []any:
		return v != nil && !slices.ContainsFunc(v, func(item any) bool { return !isPlain(item) })
	case map[string]any:
		for name, item := range v {
			if !utf8.ValidString(name) || !isPlain(item) {
				return false
			}
		}
		return v != nil
	}
	return false
}

func assignNumber(to reflect.Value, v any) bool {
	switch n := v.(type) {
	case int:
		return assignNumber(to, int64(n))
	case int64:
		if to.CanFloat() {
			to.SetFloat(float64(n))
			return true
		}
		if !to.OverflowInt(n) {
			to.SetInt(n)
			return true
		}
	case float64:
		if to.CanFloat() {
			to.SetFloat(n)
			return n-n == 0 // JSON has no NaN or infinity
		}
	}
	return false
}

func assignForm(to plainReader, v any) bool {
	form, set := to.ReadPlain()
	if !assign(reflect.ValueOf(form).Elem(), v) {
		return false
	}
	set()
	return true
}

func assignStruct(to reflect.Value, m map[string]any) bool {
	l := layoutOf(to.Type())
	if !l.plain {
		return false
	}
	for name, v := range m {
		at, known := l.fields[name]
		if !known || !assign(to.Field(at), v) {
			return false
		}
	}
	return true
}

func assignSlice(to reflect.Value, v any) bool {
	var items []any
	switch v := v.(type) {
	case []any:
		items = v
	case []string:
		for _, s := range v {
			items = append(items, s)
		}
	default:
		return false
	}
	if to.Type().Elem().Kind() == reflect.Uint8 || items == nil {
		return false
	}
	out := reflect.MakeSlice(to.Type(), len(items), len(items))
	for i, item := range items {
		if !assign(out.Index(i), item) {
			return false
		}
	}
	to.Set(out)
	return true
}

func assignMap(to reflect.Value, v any) bool {
	m, is := v.(map[string]any)
	t := to.Type()
	if !is || m == nil || t.Key() != reflect.TypeFor[string]() {
		return false
	}
	out := reflect.MakeMapWithSize(t, len(m))
	for name, v := range m {
		item := reflect.New(t.Elem()).Elem()
		if !utf8.ValidString(name) || !assign(item, v) {
			return false
		}
		out.SetMapIndex(reflect.ValueOf(name), item)
	}
	to.Set(out)
	return true
}

// layout describes a type that values are assigned to.
type layout struct {
	own    bool           // it unmarshals JSON itself
	fields map[string]int // fields of a struct by their JSON names
	plain  bool           // fields describes the struct completely
}

var layouts sync.Map // reflect.Type → *layout

func layoutOf(t reflect.Type) *layout {
	if l, known := layouts.Load(t); known {
		return l.(*layout)
	}
	l := &layout{own: readsJSON(t)}
	if !l.own && t.Kind() == reflect.Struct {
		l.fields, l.plain = fieldsOf(t)
	}
	known, _ := layouts.LoadOrStore(t, l)
	return known.(*layout)
}

func readsJSON(t reflect.Type) bool {
	switch {
	case t == reflect.TypeFor[json.Number](), t.Kind() == reflect.Interface && t.NumMethod() > 0:
		return true
	case t.Kind() == reflect.Interface, t.Kind() == reflect.Pointer: // of a pointer, the element type is checked
		return false
	}
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[interface{ UnmarshalText([]byte) error }]())
}

// fieldsOf returns the fields of a struct by name. plain is false if two names differ only in case, which
// decoding does not distinguish, or if the JSON form of the struct is not plain.
func fieldsOf(t reflect.Type) (fields map[string]int, plain bool) {
	list, plain := rawjson.Fields(t)
	fields = map[string]int{}
	folded := map[string]bool{}
	for _, f := range list {
		fields[f.Name] = f.At
		folded[strings.ToLower(f.Name)] = true
	}
	return fields, plain && len(folded) == len(list)
}
