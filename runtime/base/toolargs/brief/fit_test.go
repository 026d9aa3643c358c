package brief

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

func upTo(size int) func(string) bool { return func(s string) bool { return len(s) <= size } }

// repeated writes f(0), f(1) and so on with commas between.
func repeated(n int, f func(int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = f(i)
	}
	return strings.Join(parts, ",")
}

func TestFit(t *testing.T) {
	letters := func(i int) string { return fmt.Sprintf(`"v%d"`, i) }
	fields := func(i int) string { return fmt.Sprintf(`"f%d":{"type":"string","description":"the field"}`, i) }
	for name, c := range map[string]struct {
		schema string
		bytes  int
		want   string
		left   []string
	}{
		"whole":        {`{"type": "object"}`, 100, `{"type": "object"}`, nil},
		"values":       {`{"properties":{"c":{"enum":[` + repeated(3000, letters) + `]}}}`, 400, `{"properties":{"c":{"enum":[` + repeated(40, letters) + `]}}}`, []string{"c: 2960 of 3000 values"}},
		"descriptions": {`{"properties":{"c":{"description":"` + strings.Repeat("long words ", 100) + `"}}}`, 300, `{"properties":{"c":{"description":"` + strings.TrimRight(strings.Repeat("long words ", 21), " ") + ` long…"}}}`, []string{"1 long texts, or their ends"}},
		"inside": {`{"properties":{"p":{"type":"object","properties":{"q":{"type":"object","properties":{` + repeated(100, fields) + `},"required":["f1"]}}}}}`, 120,
			`{"properties":{"p":{"type":"object","properties":{"q":{"type":"object"}}}}}`, []string{"p.q: 100 of 100 arguments"}},
		"required first": {`{"properties":{` + repeated(300, fields) + `},"required":["f299","f298"]}`, 1200,
			`{"properties":{` + repeated(14, fields) + `,"f298":{"type":"string","description":"the field"},"f299":{"type":"string","description":"the field"}},"required":["f299","f298"]}`, []string{"the whole: 284 of 300 arguments"}},
		"alternatives":          {`{"anyOf":[` + repeated(900, func(i int) string { return fmt.Sprintf(`{"required":["f%d"]}`, i) }) + `]}`, 300, `{"anyOf":[` + repeated(12, func(i int) string { return fmt.Sprintf(`{"required":["f%d"]}`, i) }) + `]}`, []string{"the whole: 888 of 900 alternatives"}},
		"long in all its parts": {`{"properties":{"` + strings.Repeat("x", 5000) + `":{}}}`, 300, `{"type":"object"}`, []string{"the whole schema: it is too long in all its parts"}},
	} {
		got, left := Fit(json.RawMessage(c.schema), upTo(c.bytes))
		if d := cmp.Diff(c.want, string(got)) + cmp.Diff(c.left, left); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Whatever a server's schema is, what is kept of it is JSON that fits.
func FuzzFit(f *testing.F) {
	f.Add([]byte(`{"properties":{"a":{"enum":[1,2],"items":[{"$ref":"#/$defs/b"}]}},"required":["a"],"$defs":{"b":true}}`), 40)
	f.Add([]byte(`{"anyOf":[{"properties":{"a":{"items":{"properties":{"b":{}}}}}},false],"required":"a"}`), 30)
	f.Fuzz(func(t *testing.T, schema []byte, size int) {
		if rawjson.Check(schema) != nil || rawjson.Of(schema) != rawjson.Object {
			return
		}
		got, left := Fit(schema, upTo(size))
		if err := rawjson.Check(got); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if string(got) != `{"type":"object"}` && len(got) > size {
			t.Errorf("%d bytes, not %d: %s", len(got), size, got)
		}
		var before, after bytes.Buffer
		if json.Compact(&before, schema) != nil || json.Compact(&after, got) != nil || len(left) == 0 && before.String() != after.String() {
			t.Errorf("%s became %s, and nothing tells it", schema, got)
		}
		Property(schema, "a.b")
	})
}

func TestProperty(t *testing.T) {
	schema := json.RawMessage(`{"properties":{"a":{"$ref":"#/$defs/x"},"a.b":{"const":1},"rows":{"type":"array","items":{"properties":{"name":{"type":"string"}}}}},
		"anyOf":[{"properties":{"id":{"type":"integer"}}}],"$defs":{"x":{"type":"object","properties":{"b":{"const":2},"c":{"const":3},"x":{"$ref":"#/$defs/x"}}}}}`)
	for path, want := range map[string]string{
		"a.c": `{"const":3}`, "a.b": `{"const":1}`, "rows.name": `{"type":"string"}`, "rows[].name": `{"type":"string"}`, "id": `{"type":"integer"}`,
		"a.x.x.b": `{"const":2}`, "a.z": "", "": "", "rows.": "", "c": "",
	} {
		if got := Property(schema, path); string(got) != want {
			t.Errorf("%s is %s, not %s", path, got, want)
		}
	}
}
