package gateway

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExamples(t *testing.T) {
	long := `{"examples":[{"a":"` + strings.Repeat("x", maxExample) + `"},{"a":1},{"a":2},{"a":3},{"a":4}]}`
	for name, c := range map[string]struct {
		given  []map[string]any
		schema string
		want   []string
	}{
		"of the configuration":      {[]map[string]any{{"b": 2, "a": "x"}}, `{"examples":[{"a":1}]}`, []string{`{"a":"x","b":2}`}},
		"of the schema":             {nil, `{"examples":[7,{"a":1}],"properties":{"a":{"examples":[9]}}}`, []string{`{"a":1}`}},
		"three short ones":          {nil, long, []string{`{"a":1}`, `{"a":2}`, `{"a":3}`}},
		"of its properties":         {nil, `{"properties":{"city":{"examples":["Ulm", "Bonn"]},"unit":{"default":"m"},"kind":{"enum":["x","y"]},"v":{"const": 1}},"required":["city","kind","v"]}`, []string{`{"city":"Ulm","kind":"x","v":1}`}},
		"an optional one":           {nil, `{"properties":{"a":true,"b":{"examples":[{"c": [1]}]}}}`, []string{`{"b":{"c":[1]}}`}},
		"one is not known":          {nil, `{"properties":{"a":{"examples":[1]},"b":{"type":"string"}},"required":["a","b"]}`, nil},
		"one is not there":          {nil, `{"properties":{"a":{"examples":[1]}},"required":["a","b"]}`, nil},
		"defaults alone":            {nil, `{"properties":{"a":{"default":1}},"required":["a"]}`, nil},
		"nothing":                   {nil, `{"type":"object"}`, nil},
		"examples that are no list": {nil, `{"examples":{"a":1},"properties":7}`, nil},
	} {
		var got []string
		for _, e := range examplesOf(c.given, json.RawMessage(c.schema)) {
			got = append(got, string(e))
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: -want +got\n%s", name, d)
		}
	}
}

// A schema is what a stranger's server says.
func FuzzExamples(f *testing.F) {
	for _, s := range []string{`{"examples":[{}]}`, `{"properties":{"a":{"examples":[1]}}}`, `{"properties":{"a":{"examples":[]},"a":{"examples":[null]}},"required":["a"]}`, `[]`, `null`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, e := range examplesOf(nil, json.RawMessage(s)) {
			var m map[string]json.RawMessage
			if len(e) > maxExample || json.Unmarshal(e, &m) != nil {
				t.Errorf("%s gives %s", s, e)
			}
		}
	})
}
