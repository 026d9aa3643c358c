package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonFile edits JSON with comments and trailing commas. The servers are the members of
// the object at key.
type jsonFile struct{ key string }

func (f jsonFile) put(old []byte, name string, e Entry) ([]byte, error) {
	if len(bytes.TrimSpace(old)) == 0 || string(bytes.TrimSpace(old)) == "null" {
		old = []byte("{}\n")
	}
	doc, root, err := parseJSON(old)
	if err != nil {
		return nil, err
	}
	style := styleOf(old, root)
	servers, err := f.servers(root, style)
	if err != nil {
		return nil, err
	}
	entry, indent := (*hujson.Object)(nil), style.indentOf(servers, style.unit+style.unit)
	if m := findMember(servers, name); m != nil {
		entry, _ = m.Value.Value.(*hujson.Object)
	}
	if entry == nil || findMember(entry, "command") == nil { // new, or an entry with a URL instead of a command
		entry = setMember(servers, name, &hujson.Object{}, style, indent)
	}
	for _, field := range e.fields() {
		if err := fillField(entry, field, style, style.indentOf(entry, indent+style.unit)); err != nil {
			return nil, err
		}
	}
	return doc.Pack(), nil
}

func (f jsonFile) remove(old []byte, name string) ([]byte, error) {
	if len(bytes.TrimSpace(old)) == 0 {
		return old, nil
	}
	doc, root, err := parseJSON(old)
	if err != nil {
		return nil, err
	}
	m := findMember(root, f.key)
	if m == nil {
		return old, nil
	}
	servers, ok := m.Value.Value.(*hujson.Object)
	if !ok {
		return old, nil
	}
	for i := len(servers.Members) - 1; i >= 0; i-- {
		if nameOf(servers.Members[i]) == name {
			cutMember(servers, i)
		}
	}
	return doc.Pack(), nil
}

// servers returns the object that holds the servers, and creates it if needed.
func (f jsonFile) servers(root *hujson.Object, style style) (*hujson.Object, error) {
	m := findMember(root, f.key)
	if m == nil || m.Value.Value.Kind() == 'n' {
		return setMember(root, f.key, &hujson.Object{}, style, style.indentOf(root, style.unit)), nil
	}
	servers, ok := m.Value.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%q is not an object with the servers by name", f.key)
	}
	return servers, nil
}

// notJSON returns a syntax error without the name of the parser library.
func notJSON(err error) error {
	return fmt.Errorf("is not JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
}

func parseJSON(text []byte) (*hujson.Value, *hujson.Object, error) {
	if tooDeep(text) {
		return nil, nil, errTooDeep
	}
	doc, err := hujson.Parse(text)
	if err != nil {
		return nil, nil, notJSON(err)
	}
	root, ok := doc.Value.(*hujson.Object)
	if !ok {
		return nil, nil, errors.New("is not a JSON object")
	}
	return &doc, root, nil
}

var errTooDeep = errors.New("is nested too deep")

// tooDeep reports whether text is nested so deeply that the recursive parser might exhaust the stack.
func tooDeep(text []byte) bool {
	const most = 10_000 // the limit of encoding/json
	depth := 0
	for _, c := range text {
		switch c {
		case '{', '[':
			if depth++; depth > most {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// findMember returns the last member of that name, as JavaScript programs do, or nil.
func findMember(o *hujson.Object, name string) *hujson.ObjectMember {
	for i := len(o.Members) - 1; i >= 0; i-- {
		if nameOf(o.Members[i]) == name {
			return &o.Members[i]
		}
	}
	return nil
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// fillField sets one member of the entry, unless it has that value already.
func fillField(entry *hujson.Object, f field, style style, indent string) error {
	raw, err := style.value(f.value, indent)
	if err != nil {
		return err
	}
	if m := findMember(entry, f.name); m != nil && (f.gives || sameJSON(m.Value, raw)) {
		return nil
	}
	value, err := hujson.Parse(raw)
	if err != nil {
		return err
	}
	setMember(entry, f.name, value.Value, style, indent)
	return nil
}

func sameJSON(v hujson.Value, raw []byte) bool {
	plain := v.Clone()
	plain.Standardize()
	var a, b any
	return json.Unmarshal(plain.Pack(), &a) == nil && json.Unmarshal(raw, &b) == nil && reflect.DeepEqual(a, b)
}

func decodeJSON(plain []byte) (map[string]any, error) {
	out := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(plain))
	d.UseNumber() // keeps numbers as written: 1e400 is valid too
	err := d.Decode(&out)
	if out == nil { // null
		out = map[string]any{}
	}
	return out, err
}
