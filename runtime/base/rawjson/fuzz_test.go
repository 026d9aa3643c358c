package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"testing"
)

// namesTwice reads with the standard library what Sound looks for.
func namesTwice(d *json.Decoder) bool {
	t, err := d.Token()
	if err != nil {
		return false
	}
	seen, twice := map[string]bool{}, false
	switch t {
	case json.Delim('{'):
		for d.More() {
			name, _ := d.Token()
			text, _ := name.(string)
			twice = seen[text] || twice
			seen[text] = true
			twice = namesTwice(d) || twice
		}
	case json.Delim('['):
		for d.More() {
			twice = namesTwice(d) || twice
		}
	default:
		return false
	}
	_, _ = d.Token()
	return twice
}

// FuzzScan compares the one pass with the standard library's, and the walk of a level with it.
func FuzzScan(f *testing.F) {
	for _, s := range []string{`{"a":1,"a":2}`, `{"\u0061":[{"b":{}}],"a":"x"}`, `[[{"":1,"":2}],"a\\\"b"]`, `{"a":{"a":{"a":[1,2,{"x":null}]}}}`, `{"a" : "\\" , "b":[ ]}`, `}`, `"`, `{"a":"`, `{"a"}`, `[1,,2]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err, path := Sound(data, math.MaxInt), Duplicate(data)
		_ = Deeper(data, 3)
		walked := 0
		Each(data, func(string, json.RawMessage) bool { walked++; return true })
		if Check(data) != nil {
			return
		}
		if want := namesTwice(json.NewDecoder(bytes.NewReader(data))); errors.Is(err, ErrTwice) != want || (path != "") != want {
			t.Fatalf("%q: %v, %q, want %v", data, err, path, want)
		}
		names, strings := 0, 0
		s := Scan(data)
		for {
			token, ok := s.Next()
			if !ok {
				break
			}
			if token.First == '"' {
				if strings++; token.Name {
					names++
				}
				if _, err := Text(data[token.Start:token.End]); err != nil {
					t.Fatalf("%q: no string: %q", data, data[token.Start:token.End])
				}
			}
		}
		if s.Depth() != 0 {
			t.Fatalf("%q: %d brackets are open", data, s.Depth())
		}
		var any map[string]json.RawMessage
		if Of(data) != Object || json.Unmarshal(data, &any) != nil {
			return
		}
		members, err := Members(data)
		if err != nil || len(members) != walked || len(any) > walked || names < walked {
			t.Fatalf("%q: %d members, %d walked, %d names: %v", data, len(members), walked, names, err)
		}
		for i := len(members) - 1; i >= 0; i-- { // the standard library keeps the last
			if m := members[i]; any[m.Name] != nil {
				if !bytes.Equal(m.Value, any[m.Name]) {
					t.Fatalf("%q: %s is %s, want %s", data, m.Name, m.Value, any[m.Name])
				}
				delete(any, m.Name)
			}
		}
	})
}
