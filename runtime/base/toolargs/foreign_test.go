package toolargs_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs"
	"github.com/google/go-cmp/cmp"
)

// foreign has what public servers write: defaults that are required, closed objects, references and alternatives.
const foreign = `{
	"type": "object",
	"properties": {
		"path": {"type": "string"},
		"step": {"type": "integer", "minimum": 1, "maximum": 9007199254740991},
		"max_lines": {"type": "integer", "minimum": 1, "default": 20},
		"mode": {"type": "string", "enum": ["head", "tail"], "default": "head"},
		"since": {"anyOf": [{"type": "string"}, {"type": "null"}]},
		"tags": {"type": "array", "items": {"type": "string"}},
		"parent": {"anyOf": [{"$ref": "#/$defs/page"}, {"$ref": "#/$defs/base"}]},
		"code": {"type": "string", "pattern": "^[A-Z]+$"}
	},
	"required": ["path", "max_lines", "mode"],
	"additionalProperties": false,
	"$defs": {
		"page": {"type": "object", "properties": {"page_id": {"type": "string"}}, "required": ["page_id"]},
		"base": {"type": "object", "properties": {"type": {"const": "base"}, "base_id": {"type": "integer"}}, "required": ["type", "base_id"]}
	}
}`

func TestForeign(t *testing.T) {
	f := toolargs.CompileForeign(json.RawMessage(foreign))
	for _, tt := range []struct{ name, in, want string }{
		{"as it is", `{ "path":"a" }`, `{ "path":"a" }`},
		{"no defaults are filled in", `{"path":"a","mode":"tail"}`, `{"path":"a","mode":"tail"}`},
		{"unknown arguments go along", `{"path":"a","colour":"red"}`, `{"path":"a","colour":"red"}`},
		{"so do near misses that may be meant", `{"path":"a","tag":["x"]}`, `{"path":"a","tag":["x"]}`},
		{"null is meant", `{"path":"a","since":null}`, `{"path":"a","since":null}`},
		{"null is absent", `{"path":"a","tags":null}`, `{"path":"a"}`},
		{"an empty text is absent", `{"path":"a","tags":"","step":" ","parent":"","max_lines":""}`, `{"path":"a"}`},
		{"an empty text is meant", `{"path":"","code":"","since":"","tags":[""]}`, `{"path":"","code":"","since":"","tags":[""]}`},
		{"another case", `{"Path":"a","maxLines":3}`, `{"path":"a","max_lines":3}`},
		{"number as text", `{"path":"a","max_lines":"3"}`, `{"path":"a","max_lines":3}`},
		{"whole float stays", `{"path":"a","max_lines":3.0}`, `{"path":"a","max_lines":3.0}`},
		{"one for a list", `{"path":"a","tags":"x"}`, `{"path":"a","tags":["x"]}`},
		{"value in another case", `{"path":"a","mode":"Tail"}`, `{"path":"a","mode":"tail"}`},
		{"object as text", `{"path":"a","parent":"{\"page_id\":7}"}`, `{"path":"a","parent":{"page_id":"7"}}`},
		{"in an alternative", `{"path":"a","parent":{"type":"base","baseId":"7"}}`, `{"path":"a","parent":{"type":"base","base_id":7}}`},
		{"wrapped", `{"input":{"arguments":{"path":"a"}}}`, `{"path":"a"}`},
		{"as text", `"{\"path\":\"a\"}"`, `{"path":"a"}`},
		{"patterns are the server's", `{"path":"a","code":"lower"}`, `{"path":"a","code":"lower"}`},
		{"more than a number holds", `{"path":"a","max_lines":1e999}`, `{"path":"a","max_lines":1e999}`},
		{"digits survive", `{"path":"a","x":9007199254740993.10}`, `{"path":"a","x":9007199254740993.10}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := f.Check(json.RawMessage(tt.in))
			if err != nil || string(got) != tt.want {
				t.Errorf("%s became %s, %v; want %s", tt.in, got, err, tt.want)
			}
		})
	}
}

func TestForeignRefusesInWords(t *testing.T) {
	f := toolargs.CompileForeign(json.RawMessage(foreign))
	for in, want := range map[string]string{
		``:                          "path: required, a string",
		`{"max_lines":0}`:           "max_lines: must be a whole number from 1, got the number 0; path: required, a string",
		`{"path":"a","step":0}`:     "step: must be a whole number from 1, got the number 0",
		`{"paht":"a"}`:              "paht: unknown argument; did you mean path?",
		`{"file":"a","tag":1}`:      "file: unknown argument; did you mean path?",
		`{"path":"a","mode":"mid"}`: `mode: must be one of head, tail, got the string "mid"`,
		`{"path":{"a":1},"x":1}`:    "path: must be a string, got an object",
		`{"path":"a","parent":{}}`:  "parent.page_id: required",
		`{"path":"a","parent":5}`:   "parent: must be an object",
		`{"parent":{"page_id":[]}}`: "path: required, a string; parent.page_id: must be a string",
		`{"path":"a","path":"b"}`:   "path: given twice",
		`[1]`:                       "arguments: must be an object, got a list of 1",
	} {
		got, err := f.Check(json.RawMessage(in))
		var e *toolargs.Error
		if !errors.As(err, &e) {
			t.Errorf("%s was taken as %s", in, got)
			continue
		}
		if diff := cmp.Diff(want, err.Error()); diff != "" {
			t.Errorf("%s\n%s", in, diff)
		}
	}
}

// What a server has refused is sent once more where the schema says what may have been meant.
func TestForeignMend(t *testing.T) {
	f := toolargs.CompileForeign(json.RawMessage(foreign))
	for in, want := range map[string]string{
		`{"path":"a","tag":["x"]}`:              `{"path":"a","tags":["x"]}`,
		`{"path":"a","tag":"x"}`:                `{"path":"a","tags":["x"]}`,
		`{"path":"a","max_lines":3.0}`:          `{"path":"a","max_lines":3}`,
		`{"path":"a"}`:                          "",
		`{ "path": "a" }`:                       "",
		`{"path":"a","colour":"red"}`:           "",
		`{"path":"a","tag":["x"],"tags":[]}`:    "",
		`{"path":"a","code":"lower"}`:           "",
		`{"path":"a","tag":{"not":"a string"}}`: "",
	} {
		got, ok := f.Mend(json.RawMessage(in))
		if ok != (want != "") || string(got) != want {
			t.Errorf("%s became %s, %v; want %s", in, got, ok, want)
		}
	}
}

// A schema that nobody can read keeps nobody from calling.
func TestForeignSchemasBeyondReading(t *testing.T) {
	for _, schema := range []string{`{"type":`, `[]`, `{"type":"string"}`, `{"properties":{"a":1}}`, `{"properties":[]}`, `{"type":"object","properties":{"a":{"$ref":"#/nowhere"}}}`,
		strings.Repeat(`{"properties":{"a":`, 5000) + `{}` + strings.Repeat(`}}`, 5000), `{"$ref":"#"}`, `{"allOf":[{"$ref":"#"}]}`, `{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}`} {
		f := toolargs.CompileForeign(json.RawMessage(schema))
		if got, err := f.Check(json.RawMessage(`{"a":1}`)); err != nil || string(got) != `{"a":1}` {
			t.Errorf("%.60s: %s, %v", schema, got, err)
		}
		if got, ok := f.Mend(json.RawMessage(`{"a":1}`)); ok {
			t.Errorf("%.60s: mended to %s", schema, got)
		}
		if _, err := f.Check(json.RawMessage(`[`)); err == nil {
			t.Errorf("%.60s: no JSON was taken", schema)
		}
	}
}

// FuzzForeign: whatever comes in, what goes out is an object that passes again unchanged, or an error; what has fitted
// by the words of our own tools goes out too.
func FuzzForeign(f *testing.F) {
	for _, in := range []string{`{"path":"a"}`, `{"Path":1,"mode":"TAIL","parent":"{\"base_id\":\"7\",\"type\":\"base\"}"}`, `{"input":{"path":"a"}}`, `"{\"path\":1}"`, `{"tags":[1,[2]]}`} {
		f.Add(foreign, in)
		f.Add(research, in)
	}
	f.Add(`{"allOf":[{"$ref":"#"}],"properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"integer"}]}}}`, `{"a":{"a":"7"}}`)
	f.Fuzz(func(t *testing.T, schema, in string) {
		if len(schema) > 4000 || len(in) > 4000 {
			return
		}
		s := toolargs.CompileForeign(json.RawMessage(schema))
		out, err := s.Check(json.RawMessage(in))
		if err != nil {
			return
		}
		if rawjson.Check(out) != nil || rawjson.Of(out) != rawjson.Object || rawjson.Duplicate(out) != "" {
			t.Fatalf("%s became %s", in, out)
		}
		again, err := s.Check(out)
		if err != nil || string(again) != string(out) {
			t.Fatalf("schema %s: %s became %s, which became %s, %v", schema, in, out, again, err)
		}
		if more, ok := s.Mend(out); ok {
			if _, err := s.Check(more); err != nil {
				t.Fatalf("schema %s: %s was mended to %s: %v", schema, out, more, err)
			}
		}
	})
}
