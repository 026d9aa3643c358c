package gateway

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSimplified(t *testing.T) {
	for name, c := range map[string][2]string{
		"plain stays":     {`{"type":"object","properties":{"a":{"type":"string","description":"x"}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"string","description":"x"}},"required":["a"]}`},
		"reference":       {`{"type":"object","properties":{"a":{"$ref":"#/$defs/A","description":"mine"}},"$defs":{"A":{"type":"string","description":"theirs","minLength":1}}}`, `{"type":"object","properties":{"a":{"type":"string","description":"mine","minLength":1}}}`},
		"old definitions": {`{"properties":{"a":{"$ref":"#/definitions/A~1b"}},"definitions":{"A/b":{"type":"integer"}}}`, `{"type":"object","properties":{"a":{"type":"integer"}}}`},
		"tree":            {`{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}`, `{"type":"object","properties":{"kids":{"type":"array","items":{"type":"object"}}}}`},
		"dangling":        {`{"properties":{"a":{"$ref":"http://h/x.json"}}}`, `{"type":"object","properties":{"a":{}}}`},
		"percent signs":   {`{"properties":{"a":{"$ref":"#/definitions/A%3CB%3E"}},"definitions":{"A<B>":{"type":"integer"}}}`, `{"type":"object","properties":{"a":{"type":"integer"}}}`},
		"anchor":          {`{"properties":{"a":{"$ref":"#n"}},"definitions":{"N":{"$anchor":"n","type":"integer"}}}`, `{"type":"object","properties":{"a":{"type":"integer"}}}`},
		"two ways":        {`{"$ref":"#/$defs/a~0b","$defs":{"a~b":{"type":"array","items":{"$ref":"#/%24defs/a~0b"}}}}`, `{"type":"array","items":{"type":"array"}}`},
		"alternatives": {`{"type":"object","anyOf":[{"properties":{"id":{"type":"integer"}},"required":["id"]},{"properties":{"name":{"type":"string"}},"required":["name"]}]}`,
			`{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"}}}`},
		"by kind": {`{"oneOf":[{"properties":{"kind":{"const":"file"},"path":{"type":"string"}},"required":["kind","path"],"additionalProperties":false},` +
			`{"properties":{"kind":{"const":"url"},"url":{"type":"string"}},"required":["kind","url"],"additionalProperties":false}]}`,
			`{"type":"object","properties":{"kind":{"type":"string","enum":["file","url"]},"path":{"type":"string"},"url":{"type":"string"}},"required":["kind"],"additionalProperties":false}`},
		"nullable":         {`{"anyOf":[{"type":"string","minLength":2},{"type":"null"}],"default":null}`, `{"default":null,"type":"string","minLength":2}`},
		"type list":        {`{"type":["null","integer"]}`, `{"type":"integer"}`},
		"values":           {`{"oneOf":[{"const":"a"},{"enum":["b","c"]}]}`, `{"type":"string","enum":["a","b","c"]}`},
		"one type":         {`{"oneOf":[{"type":"string","format":"date"},{"type":"string","format":"time"}]}`, `{"type":"string"}`},
		"two types":        {`{"description":"id","anyOf":[{"type":"integer"},{"type":"string"}]}`, `{"description":"id (or string)","type":"integer"}`},
		"parts":            {`{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}},"required":["b"]}]}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a","b"]}`},
		"conditions":       {`{"type":"object","$schema":"s","if":{},"then":{},"not":{},"properties":{}}`, `{"type":"object","properties":{}}`},
		"numbers":          {`{"properties":{"a":{"enum":[1,2]},"b":{"const":true},"c":{"enum":["x",1]},"d":{"enum":[null]}}}`, `{"type":"object","properties":{"a":{"type":"number","enum":[1,2]},"b":{"type":"boolean","const":true},"c":{"enum":["x",1]},"d":{"enum":[null]}}}`},
		"named by pattern": {`{"type":"object","patternProperties":{"^x":{"type":"string"}},"additionalProperties":false}`, `{"type":"object"}`},
		"tuple":            {`{"type":"array","prefixItems":[{"$ref":"#/$defs/A"}],"items":false,"$defs":{"A":{"type":"string"}}}`, `{"type":"array"}`},
		"old tuple":        {`{"type":"array","items":[{"$ref":"#/definitions/A"}],"additionalItems":{"$ref":"#/definitions/A"},"definitions":{"A":{"type":"string"}}}`, `{"type":"array"}`},
		"anything":         {`{"properties":{"a":true,"b":{}}}`, `{"type":"object","properties":{"a":{},"b":{}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c[1], string(simplifySchema(json.RawMessage(c[0])))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Clients judge results by the output schema that they are listed: one that would
// refuse what the server's own takes is not listed. One that says the same is.
func TestASimplifiedOutputSchemaRefusesNothing(t *testing.T) {
	define := func(name, output string) string {
		return `{"name":"` + name + `","inputSchema":{"type":"object"},"outputSchema":` + output + `}`
	}
	same := `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	w := newWorld(t, map[string]string{"a": define("nullable", `{"type":"object","properties":{"at":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`) + "," + define("same", strings.ReplaceAll(same, ":", " : "))})
	s := w.cfg.Servers["a"]
	s.Simplify = true
	w.cfg.Servers["a"] = s
	w.Configure(w.cfg)
	w.names()
	listed := map[string]string{}
	for _, l := range w.Listed() {
		listed[l.Name] = string(l.Definition)
	}
	if want := `{"name":"a__nullable","inputSchema":{"type":"object"}}`; listed["a__nullable"] != want {
		t.Errorf("got  %s\nwant %s", listed["a__nullable"], want)
	}
	if !strings.Contains(listed["a__same"], `"outputSchema"`) {
		t.Errorf("got %s", listed["a__same"])
	}
}

func TestASimplifiedSchemaStaysSmall(t *testing.T) {
	var defs []string
	for i := range 40 { // each uses the next twice
		defs = append(defs, fmt.Sprintf(`"d%d":{"properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}}`, i, i+1, i+1))
	}
	out := simplifySchema(json.RawMessage(`{"$ref":"#/$defs/d0","$defs":{` + strings.Join(defs, ",") + `}}`))
	if len(out) > 1<<20 || !json.Valid(out) {
		t.Errorf("%d bytes", len(out))
	}
}

// Whatever a server sends, what comes out is a schema without references and
// alternatives, and no larger than it may be.
func FuzzSimplified(f *testing.F) {
	for _, s := range []string{`{}`, `true`, `{"$ref":"#"}`, `{"anyOf":[{"$ref":"#/anyOf/0"}]}`, `{"allOf":[{"allOf":[{"properties":{"a":{"$ref":"#"}}}]}]}`,
		`{"properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/properties/a"}}}`, `{"items":[1,2],"enum":"x","type":5}`, `{"anyOf":[{"$ref":""}]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 2000 || !json.Valid([]byte(s)) {
			return
		}
		out := simplifySchema(json.RawMessage(s))
		if !json.Valid(out) {
			t.Fatalf("%s became %s", s, out)
		}
		var m map[string]any
		if json.Unmarshal(out, &m) != nil {
			t.Fatalf("%s became %s, no schema", s, out)
		}
		for _, word := range []string{"$ref", "anyOf", "oneOf", "allOf"} {
			if _, there := m[word]; there && strings.Contains(s, word) {
				if _, isList := m[word].([]any); isList || word == "$ref" {
					t.Fatalf("%s kept %s: %s", s, word, out)
				}
			}
		}
	})
}
