package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/tailscale/hujson"
)

var errUnexpected = errors.New("its servers are written in a way that no entry can be added to without changing them")

// check reads a changed text as its client will: it says of everything else what
// it said before, and of our entry what it should. fields is nil when the entry
// was taken out.
func check(f file, old, next []byte, key, name string, fields []field) error {
	before, err := f.decode(old)
	if err != nil {
		return err
	}
	after, err := f.decode(next)
	if err != nil { // what is wrong with a text that nobody has seen helps nobody
		return errUnexpected
	}
	split(before, key, name)
	ours, there := split(after, key, name)
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

// split takes our entry out of a decoded file. A file without servers is one with
// none.
func split(doc map[string]any, key, name string) (ours any, there bool) {
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
