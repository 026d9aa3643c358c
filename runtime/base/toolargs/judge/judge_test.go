package judge

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestShapes judges the shapes that public servers use. Each file has a schema and calls; "want" is what is wrong.
func TestShapes(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.json")
	if len(files) < 10 {
		t.Fatalf("%d files", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			var c struct {
				Schema json.RawMessage
				Calls  []struct {
					Args json.RawMessage
					Want string
				}
			}
			data, err := os.ReadFile(file)
			if err != nil || json.Unmarshal(data, &c) != nil || len(c.Calls) == 0 {
				t.Fatalf("%v: not a case", err)
			}
			s, err := Compile(c.Schema)
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range c.Calls {
				if diff := cmp.Diff(call.Want, words(s.Check(call.Args))); diff != "" {
					t.Errorf("%s\n%s", call.Args, diff)
				}
			}
		})
	}
}

func words(faults []Fault) string {
	var out []string
	for _, f := range faults {
		out = append(out, strings.Join(f.Path, ".")+" "+f.Message)
	}
	return strings.Join(out, "; ")
}

// What cannot be told is let through.
func TestDoubt(t *testing.T) {
	for schema, args := range map[string]string{
		`{"properties":{"a":{"$ref":"https://example.com/a.json"}}}`:                                                                                                `{"a":1}`,
		`{"properties":{"a":{"$ref":"#/$defs/gone"}}}`:                                                                                                              `{"a":1}`,
		`{"properties":{"a":{"$ref":"#here"}},"$defs":{"x":{"$anchor":"here","type":"string"},"y":{"$anchor":"here"}}}`:                                             `{"a":1}`,
		`{"properties":{"a":{"$id":"http://x/","$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string"}}}`:                                                               `{"a":1}`,
		`{"properties":{"a":{"type":"string","pattern":"^b"},"c":{"format":"email","type":"string"}}}`:                                                              `{"a":"x","c":"x"}`,
		`{"properties":{"a":{"type":"file"}}}`:                                                                                                                      `{"a":1}`,
		`{"properties":{"a":{"minimum":"5","maxLength":-1,"enum":[],"required":"x"}}}`:                                                                              `{"a":1}`,
		`{"oneOf":[{"required":["a"]},{"required":["b"]}]}`:                                                                                                         `{"a":1,"b":2}`,
		`{"not":{"required":["a"]},"if":true,"then":false}`:                                                                                                         `{"a":1}`,
		`{"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":{"type":"string"}}`:                                                                  `{"x1":"a","y":1}`,
		`{"properties":{"a":{"type":["string","null"],"enum":["x"]}}}`:                                                                                              `{"a":null}`,
		`{"properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/properties/a"}}}`:                                                                              `{"a":1}`,
		`{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"exclusiveMinimum":true,"minimum":1}}}`:                                            `{"a":1}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/s","type":"object"}},"definitions":{"s":{"type":"string"}}}`: `{"a":"x"}`,
		`{"$schema":"https://example.com/mine","properties":{"a":{"type":"string"}},"$vocabulary":{"x":true}}`:                                                      `{"a":"x"}`,
		`{"properties":{"a":{"maximum":9}}}`:                                                                                                                        `{"a":1e999}`,
		`{"items":[{"type":"string"}],"uniqueItems":true,"properties":false}`:                                                                                       `{"a":1}`,
	} {
		s, err := Compile(json.RawMessage(schema))
		if err != nil {
			t.Errorf("%s: %v", schema, err)
			continue
		}
		if found := s.Check(json.RawMessage(args)); len(found) > 0 {
			t.Errorf("%s: %s: %s", schema, args, words(found))
		}
	}
}

func TestNotASchema(t *testing.T) {
	for _, schema := range []string{``, `[]`, `true`, `{"a":`, `{} {}`, `{"properties":{"a":{"minimum":1e999}}}`, `{"x":"` + strings.Repeat("x", maxSchema) + `"}`} {
		if _, err := Compile(json.RawMessage(schema)); err == nil {
			t.Errorf("%.40s was taken", schema)
		}
	}
}

// hostile are schemas that a validator without bounds does not come back from.
func hostile() map[string]string {
	doubling := func(word string) string {
		var defs []string
		for i := range 60 {
			defs = append(defs, fmt.Sprintf(`"d%d":{%q:[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, word, i+1, i+1))
		}
		return `{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + strings.Join(defs, ",") + `,"d60":{"type":"string"}}}`
	}
	deep := strings.Repeat(`{"properties":{"a":`, 9000) + `{}` + strings.Repeat(`}}`, 9000)
	return map[string]string{
		"alternatives that double": doubling("anyOf"),
		"parts that double":        doubling("allOf"),
		"itself":                   `{"properties":{"a":{"$ref":"#/properties/a"}}}`,
		"itself in alternatives":   `{"properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"$ref":"#/properties/a"}]}}}`,
		"twice at each level":      `{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["b"]},{"properties":{"a":{"$ref":"#"}},"required":["c"]}]}`,
		"deep":                     deep,
		"wide":                     `{"properties":{"a":{"anyOf":[` + strings.Repeat(`{"type":"string"},`, 9000) + `{}]}}}`,
		"expression":               `{"properties":{"a":{"pattern":"((a+)+)+$"},"b":{"pattern":"` + strings.Repeat("(", 5000) + `"}}}`,
		"large number":             `{"properties":{"a":{"minimum":1e308,"minLength":1e300,"maxItems":1e19}}}`,
	}
}

// Whatever a schema asks for, it is judged in bounded work, or the arguments pass.
func TestHostileSchemas(t *testing.T) {
	nested := strings.Repeat(`{"a":`, 2000) + `1` + strings.Repeat(`}`, 2000)
	for name, schema := range hostile() {
		s, err := Compile(json.RawMessage(schema))
		if err != nil {
			continue // none is judged by it
		}
		for _, args := range []string{`{"a":1}`, `{"a":"` + strings.Repeat("a", 1000) + `!"}`, nested, `{"a":[` + strings.Repeat(`1,`, 1e5) + `1]}`} {
			s.Check(json.RawMessage(args))
			if used := maxSteps - s.steps.left; used > 2*maxSteps {
				t.Errorf("%s: %d steps", name, used)
			}
		}
	}
}

// FuzzCheck: no schema and no arguments break the judge; what a strict validator takes, once it demands nothing that has
// a default, is taken.
func FuzzCheck(f *testing.F) {
	for _, schema := range hostile() {
		if len(schema) < 1000 {
			f.Add(schema, `{"a":{"a":1}}`)
		}
	}
	files, _ := filepath.Glob("testdata/*.json")
	for _, file := range files {
		var c struct {
			Schema json.RawMessage
			Calls  []struct{ Args json.RawMessage }
		}
		data, _ := os.ReadFile(file)
		if json.Unmarshal(data, &c) == nil {
			for _, call := range c.Calls {
				f.Add(string(c.Schema), string(call.Args))
			}
		}
	}
	f.Fuzz(func(t *testing.T, schema, args string) {
		if len(schema) > 3000 || len(args) > 3000 {
			return
		}
		s, err := Compile(json.RawMessage(schema))
		if err != nil {
			return
		}
		found := s.Check(json.RawMessage(args))
		if len(found) == 0 {
			return
		}
		if strictly(schema, args) {
			t.Fatalf("%s: %s is refused: %s", schema, args, words(found))
		}
	})
}

// strictly reports whether the library takes the arguments by the schema as it stands, but for members with a default.
func strictly(schema, args string) bool {
	doc, err := decodeFloats(json.RawMessage(schema))
	if err != nil {
		return false
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nothing{})
	if c.AddResource(home, undemanding(doc)) != nil {
		return false
	}
	s, err := c.Compile(home)
	if err != nil {
		return false
	}
	v, err := decodeFloats(json.RawMessage(args))
	return err == nil && s.Validate(v) == nil
}

// undemanding takes from required what has a default beside it.
func undemanding(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, m := range v {
			out[k] = undemanding(m)
		}
		props, _ := v["properties"].(map[string]any)
		if list, ok := v["required"].([]any); ok {
			kept := []any{}
			for _, name := range list {
				n, _ := name.(string)
				p, _ := props[n].(map[string]any)
				if _, has := p["default"]; !has {
					kept = append(kept, name)
				}
			}
			out["required"] = kept
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, m := range v {
			out[i] = undemanding(m)
		}
		return out
	}
	return v
}

func BenchmarkCheck(b *testing.B) {
	var c struct{ Schema json.RawMessage }
	data, err := os.ReadFile("testdata/pages.json")
	if err != nil || json.Unmarshal(data, &c) != nil {
		b.Fatal(err)
	}
	b.Run("compile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Compile(c.Schema); err != nil {
				b.Fatal(err)
			}
		}
	})
	s, err := Compile(c.Schema)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("check", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if s.Check(json.RawMessage(`{"parent":{"page":"p"},"blocks":[{"paragraph":{"text":"x"}}]}`)) != nil {
				b.Fatal("refused")
			}
		}
	})
}
