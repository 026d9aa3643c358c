package rawjson

import (
	"encoding/json"
	"testing"
)

// An object comes out of its members with names, order and digits as they were.
func TestJoin(t *testing.T) {
	for _, text := range []string{`{}`, `{"a":1.50,"\u00e4\n":"\u003c","a":[1, 2]}`} {
		members, err := Members([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		again, err := Members(Join(members))
		if err != nil || len(again) != len(members) {
			t.Fatalf("%s: %v", Join(members), err)
		}
		for i, m := range members {
			if again[i].Name != m.Name || string(again[i].Value) != string(m.Value) {
				t.Errorf("%s: %q %s", text, again[i].Name, again[i].Value)
			}
		}
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": 1}`:                      `{"a": 1}`,
		"{\r\n \"a\\n\":\t[1.0,\n2]\n}": `{"a\n":[1.0,2]}`,
	} {
		if got := string(Line(json.RawMessage(in))); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
