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

const research = `{
	"type": "object",
	"properties": {
		"question": {"type": "string", "minLength": 1, "maxLength": 200},
		"roots": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
		"top_k": {"type": "integer", "minimum": 1, "maximum": 50},
		"weight": {"type": "number", "exclusiveMinimum": 0},
		"style": {"type": "string", "enum": ["concise", "default", "technical"]},
		"artifact": {"type": "boolean"},
		"kinds": {"type": "array", "items": {"type": "string", "enum": ["func", "type"]}},
		"note": {"type": ["string", "null"]},
		"constraints": {
			"type": "object",
			"properties": {"tokens": {"type": "integer"}, "time_ms": {"type": "integer"}},
			"additionalProperties": false
		},
		"any": {}
	},
	"required": ["question"],
	"additionalProperties": false
}`

func TestMends(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"untouched", `{"question":"q","top_k":5,"roots":["a"]}`, `{"question":"q","top_k":5,"roots":["a"]}`},
		{"digits survive", `{"question":"q","any":9007199254740993.10}`, `{"question":"q","any":9007199254740993.10}`},
		{"number as string", `{"question":"q","top_k":" 5 ","weight":"0.50"}`, `{"question":"q","top_k":5,"weight":0.50}`},
		{"whole float", `{"question":"q","top_k":5.0}`, `{"question":"q","top_k":5}`},
		{"bool as string", `{"question":"q","artifact":"True"}`, `{"question":"q","artifact":true}`},
		{"bool as number", `{"question":"q","artifact":0}`, `{"question":"q","artifact":false}`},
		{"one for a list", `{"question":"q","roots":"code"}`, `{"question":"q","roots":["code"]}`},
		{"list as text", `{"question":"q","roots":"[\"a\", \"b\"]"}`, `{"question":"q","roots":["a","b"]}`},
		{"list of one for a string", `{"question":["q"]}`, `{"question":"q"}`},
		{"number for a string", `{"question":404}`, `{"question":"404"}`},
		{"object as text", `{"question":"q","constraints":"{\"tokens\":\"500\"}"}`, `{"question":"q","constraints":{"tokens":500}}`},
		{"nested", `{"question":"q","constraints":{"tokens":"500","timeMs":9}}`, `{"question":"q","constraints":{"tokens":500,"time_ms":9}}`},
		{"enum case", `{"question":"q","style":"Concise","kinds":"FUNC"}`, `{"question":"q","style":"concise","kinds":["func"]}`},
		{"null is absent", `{"question":"q","top_k":null,"roots":null,"style":null}`, `{"question":"q"}`},
		{"an empty text is absent", `{"question":"q","top_k":"","roots":" ","artifact":"","constraints":""}`, `{"question":"q"}`},
		{"an empty text is meant", `{"question":"q","note":"","any":"","roots":[""]}`, `{"question":"q","note":"","any":"","roots":[""]}`},
		{"null is meant", `{"question":"q","note":null,"any":null}`, `{"question":"q","note":null,"any":null}`},
		{"name in another case", `{"Question":"q","topK":3,"TOP-K":4}`, "top_k: unknown"},
		{"camel case", `{"Question":"q","topK":3}`, `{"question":"q","top_k":3}`},
		{"arguments as text", `"{\"question\":\"q\"}"`, `{"question":"q"}`},
		{"twice as text", `"\"{\\\"question\\\":\\\"q\\\"}\""`, `{"question":"q"}`},
		{"in a fence", "\"```json\\n{\\\"question\\\":\\\"q\\\"}\\n```\"", `{"question":"q"}`},
		{"bare text", `"where is the pool built?"`, `{"question":"where is the pool built?"}`},
		{"wrapped", `{"arguments":{"question":"q"}}`, `{"question":"q"}`},
		{"markup", `{"question":"a<b && c>d"}`, `{"question":"a<b && c>d"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := toolargs.Validate(json.RawMessage(research), json.RawMessage(tt.in))
			if !strings.HasPrefix(tt.want, "{") {
				if err == nil {
					t.Fatalf("%s was taken as %s", tt.in, got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestRefusesInWords(t *testing.T) {
	tests := []struct{ in, want string }{
		{``, `question: required, a string of 1 to 200 characters`},
		{`null`, `question: required, a string of 1 to 200 characters`},
		{`{"question":null}`, `question: required, a string of 1 to 200 characters`},
		{`[1,2]`, `arguments: must be an object, got a list of 2`},
		{`{"question":"q"`, `arguments: not valid json at byte 15: unexpected end of JSON input`},
		{"{\"question\":\"\xff\"}", `arguments: not valid utf-8 at byte 13`},
		{`{"question":"a","question":"b"}`, `question: given twice`},
		{`{"question":"a","constraints":{"tokens":1,"tokens":2}}`, `constraints.tokens: given twice`},
		{`{"qestion":"q"}`, `qestion: unknown argument; did you mean question?`},
		{`{"query":"q"}`, `query: unknown argument; did you mean question?`},
		{`{"question":"q","depth":3}`, `depth: unknown argument; not used so far: roots, top_k, weight, style, artifact, kinds, note, constraints, any`},
		{`{"question":"q","constraints":{"token":3}}`, `constraints.token: unknown argument; did you mean tokens?`},
		{`{"question":{"text":"q"}}`, `question: must be a string of 1 to 200 characters, got an object`},
		{`{"question":""}`, `question: must be a string of 1 to 200 characters, got an empty string`},
		{`{"question":"q","top_k":99}`, `top_k: must be a whole number from 1 to 50, got the number 99`},
		{`{"question":"q","top_k":1e999}`, `top_k: must be a whole number from 1 to 50, got the number 1e999`},
		{`{"question":"q","top_k":"many"}`, `top_k: must be a whole number from 1 to 50, got the string "many"`},
		{`{"question":"q","top_k":1.5}`, `top_k: must be a whole number from 1 to 50, got the number 1.5`},
		{`{"question":"q","weight":0}`, `weight: must be a number above 0, got the number 0`},
		{`{"question":"q","roots":{"a":1}}`, `roots: must be a list of strings of at most 3 items, got an object`},
		{`{"question":"q","roots":["a","b","c","d"]}`, `roots: must be a list of strings of at most 3 items, got a list of 4`},
		{`{"question":"q","roots":["a",["b","c"]]}`, `roots[1]: must be a string, got a list of 2`},
		{`{"question":"q","style":"technicol"}`, `style: must be one of concise, default, technical, got the string "technicol"; did you mean technical?`},
		{`{"question":"q","artifact":"maybe"}`, `artifact: must be true or false, got the string "maybe"`},
		{"{\"question\":\"q\",\"a\x7f\u202eb\":1}", `"a\x7f\u202eb": unknown argument; not used so far: roots, top_k, weight, style, artifact, kinds, note, constraints, any`},
		{`{"top_k":0,"style":1}`, `top_k: must be a whole number from 1 to 50, got the number 0; style: must be one of concise, default, technical, got the number 1; question: required, a string of 1 to 200 characters`},
	}
	for _, tt := range tests {
		got, err := toolargs.Validate(json.RawMessage(research), json.RawMessage(tt.in))
		if err == nil {
			t.Errorf("%s was taken as %s", tt.in, got)
			continue
		}
		if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
			t.Errorf("%s\n%s", tt.in, diff)
		}
	}
}

func TestErrorSaysWhatToSend(t *testing.T) {
	_, err := toolargs.Validate(json.RawMessage(research), nil)
	var e *toolargs.Error
	if !errors.As(err, &e) || e.Code() != "TOOL_VALIDATION_ERROR" {
		t.Fatalf("error is %T %v", err, err)
	}
	want := "call it again with arguments as described: question (string of 1 to 200 characters, required), " +
		"roots (list of strings of at most 3 items), top_k (whole number from 1 to 50), weight (number above 0), " +
		"style (one of concise, default, technical), artifact (true or false), kinds (list with one of func, type), " +
		"note (string), constraints (object with tokens, time_ms), any (any value)"
	if diff := cmp.Diff(want, e.Hint()); diff != "" {
		t.Error(diff)
	}
}

// An upstream's schema may use all of JSON Schema: what is not understood here is passed as it came.
func TestLeavesForeignSchemasAlone(t *testing.T) {
	tests := []struct{ schema, in string }{
		{`{"type":"object"}`, `{"a":1,"b":null}`},
		{`{}`, `{"a":{"b":[null]}}`},
		{`{"type":"object","properties":{"x":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`, `{"x":5}`},
		{`{"type":"object","properties":{"x":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}`, `{"x":null}`},
		{`{"oneOf":[{"required":["a"]},{"required":["b"]}],"additionalProperties":false}`, `{"b":1}`},
		{`{"type":"object","properties":{"a":true},"additionalProperties":{"type":"string"}}`, `{"a":1,"other":"x"}`},
		{`{"type":"object","properties":{"url":{"type":"string","pattern":"(?<!x)y"}}}`, `{"url":"z"}`},
		{`{"type":"object","properties":{"path":{"type":"string"}}}`, `{"path":"a","recursive":true}`},
	}
	for _, tt := range tests {
		got, err := toolargs.Validate(json.RawMessage(tt.schema), json.RawMessage(tt.in))
		if err != nil || string(got) != tt.in {
			t.Errorf("%s: %s became %s, %v", tt.schema, tt.in, got, err)
		}
	}
	// In an open schema a near miss is still a slip.
	_, err := toolargs.Validate(json.RawMessage(tests[7].schema), json.RawMessage(`{"paht":"a"}`))
	if err == nil || err.Error() != "paht: unknown argument; did you mean path?" {
		t.Error(err)
	}
}

func TestBadSchemas(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":`:               "input schema: not valid json",
		`[]`:                     "input schema: a schema is an object, got a list of 0",
		`{"type":"string"}`:      "input schema: type is string, a tool's arguments are an object",
		`{"properties":{"a":1}}`: "input schema: properties: a: a schema is an object, got the number 1",
		`{"properties":{"a":{"items":{"properties":[]}}}}`: "input schema: properties: a: items: properties",
	} {
		if _, err := toolargs.Compile(json.RawMessage(schema)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", schema, err, want)
		}
	}
}

func TestManyProblemsAreCounted(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		b.WriteString(`,"` + strings.Repeat("zz", i+1) + `":1`)
	}
	_, err := toolargs.Validate(json.RawMessage(research), json.RawMessage("{"+b.String()[1:]+"}"))
	if err == nil || !strings.HasSuffix(err.Error(), "; and 22 more") || len(err.Error()) > 2000 {
		t.Errorf("error of %d bytes: %v", len(err.Error()), err)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"research_codebase", "locate_in_codebase", "ping"}
	for word, want := range map[string]string{
		"research_code_base": "research_codebase", "locate_codebase": "locate_in_codebase", "pnig": "ping",
		"xyz": "", "": "", strings.Repeat("a", 100): "",
	} {
		if got := toolargs.Nearest(word, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

// FuzzArgs: whatever comes in, the answer is an object that passes again unchanged, or an error in one printable line.
func FuzzArgs(f *testing.F) {
	for _, in := range []string{`{"question":"q"}`, `"{\"question\":1}"`, `{"arguments":{"question":"q"}}`, `{"question":"q","question":2}`,
		`{"roots":"[1]","constraints":"{}","style":"CONCISE","kinds":["FUNC"]}`, `[`, `"`, `{"top_k":1e5,"weight":"-0"}`, "{\"\x00\":1}"} {
		f.Add(research, in)
	}
	f.Add(`{"properties":{"a":{"type":["integer","array"],"items":{"type":"boolean"}}}}`, `{"a":"[\"yes\"]","A":2}`)
	f.Add(`{"properties":{"a":{"enum":[1,"1",null]}},"required":["a","b"]}`, `{"a":"1"}`)
	f.Fuzz(func(t *testing.T, schema, in string) {
		s, err := toolargs.Compile(json.RawMessage(schema))
		if err != nil {
			return
		}
		out, err := s.Validate(json.RawMessage(in))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r\x1b\x00") && !strings.ContainsAny(schema, "\n\r\x1b\\") {
				t.Fatalf("error is not one line: %q", err.Error())
			}
			return
		}
		if rawjson.Check(out) != nil || rawjson.Of(out) != rawjson.Object || rawjson.Duplicate(out) != "" {
			t.Fatalf("%s became %s", in, out)
		}
		again, err := s.Validate(out)
		if err != nil || string(again) != string(out) {
			t.Fatalf("schema %s: %s became %s, which became %s, %v", schema, in, out, again, err)
		}
	})
}

func BenchmarkValidate(b *testing.B) {
	s, err := toolargs.Compile(json.RawMessage(research))
	if err != nil {
		b.Fatal(err)
	}
	in := json.RawMessage(`{"question":"where is the worker pool built?","roots":["code"],"top_k":"8"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Validate(in); err != nil {
			b.Fatal(err)
		}
	}
}
