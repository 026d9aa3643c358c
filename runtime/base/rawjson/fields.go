package rawjson

import (
	"reflect"
	"strings"
)

// Field is a field of a struct as encoding/json names it.
type Field struct {
	Name      string
	At        int // its index
	OmitEmpty bool
	OmitZero  bool
}

// Fields returns the fields of a struct that JSON has. plain is false if only
// encoding/json itself can handle the type: a tag means more than a name and omitempty or
// omitzero, the type of a field with omitzero has a method IsZero, a struct is embedded, or
// two fields have one name.
func Fields(t reflect.Type) (list []Field, plain bool) {
	seen := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			return nil, false
		}
		tag := f.Tag.Get("json")
		if !f.IsExported() || tag == "-" {
			continue
		}
		name, more, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		zero := more == "omitzero" && !f.Type.Implements(zeroer) && !reflect.PointerTo(f.Type).Implements(zeroer)
		if more != "" && more != "omitempty" && !zero || seen[name] || !isTaggable(name) {
			return nil, false
		}
		seen[name] = true
		list = append(list, Field{name, i, more == "omitempty", zero})
	}
	return list, true
}

// zeroer is implemented by types that tell themselves whether omitzero leaves them out.
var zeroer = reflect.TypeFor[interface{ IsZero() bool }]()

// isTaggable reports whether encoding/json accepts a name from a tag unchanged.
func isTaggable(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$.") == ""
}
