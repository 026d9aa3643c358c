package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/tailscale/hujson"
)

var errUnexpected = errors.New("its servers are written in a way that no entry can be added to without changing them")

// checkEdit parses the changed text as the client will, and verifies that only our entry
// differs and that it has the wanted values. fields is nil if the entry was removed.
func checkEdit(f file, old, next []byte, key, name string, fields []field) error {
	before, err := f.decode(old)
	if err != nil {
		return err
	}
	after, err := f.decode(next)
	if err != nil { // a syntax error in a text that the user never saw would not help
		return errUnexpected
	}
	splitEntry(before, key, name)
	ours, there := splitEntry(after, key, name)
	if !reflect.DeepEqual(before, after) || there != (fields != nil) {
		return errUnexpected
	}
	entry, _ := ours.(map[string]any)
	for _, w := range fields {
		if !w.gives && !sameValue(entry[w.name], w.value) {
			return errUnexpected
		}
	}
	return nil
}

// splitEntry removes our entry from a decoded file and returns it. It removes an empty
// servers object too, so that it compares equal to a missing one.
func splitEntry(doc map[string]any, key, name string) (ours any, there bool) {
	servers, ok := doc[key].(map[string]any)
	if doc[key] != nil && !ok {
		return nil, false
	}
	if ours, there = servers[name]; there {
		delete(servers, name)
	}
	if len(servers) == 0 {
		delete(doc, key)
	}
	return ours, there
}

func sameValue(a, b any) bool {
	x, err := json.Marshal(a)
	if err != nil {
		return false
	}
	y, err := json.Marshal(b)
	return err == nil && string(x) == string(y)
}

func (f jsonFile) decode(text []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, nil
	}
	if tooDeep(text) {
		return nil, errTooDeep
	}
	plain, err := hujson.Standardize(append([]byte(nil), text...))
	if err != nil {
		return nil, notJSON(err)
	}
	return decodeJSON(plain)
}
