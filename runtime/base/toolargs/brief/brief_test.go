package brief

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestType(t *testing.T) {
	const defs = `"$defs":{"Page":{"type":"object","properties":{"page_id":{"type":"string"}},"required":["page_id"]},` +
		`"Base":{"type":"object","properties":{"database_id":{"type":"string"}},"required":["database_id"]},` +
		`"paragraph":{"type":"object","properties":{"paragraph":{"$ref":"#/$defs/text"}},"required":["paragraph"]},` +
		`"heading":{"type":"object","properties":{"heading":{"$ref":"#/$defs/text"},"level":{"type":"integer","default":1}},"required":["heading","level"]},` +
		`"text":{"type":"object","properties":{"text":{"type":"array","items":{"type":"object","properties":{"content":{"type":"string"},"annotations":{"type":"object","properties":{"colour_of_the_text":{"type":"string"}}}}}}}},` +
		`"node":{"type":"object","properties":{"name":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}`
	for _, c := range []struct{ schema, want string }{
		{`{"type":"string"}`, "string"},
		{`{"type":["string","null"]}`, "string|null"},
		{`{"type":"string","nullable":true}`, "string|null"},
		{`{}`, "any"},
		{`true`, "any"},
		{`{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}`, "string|null"},
		{`{"const":"workspace"}`, "workspace"},
		{`{"enum":["a","b",3,null]}`, "a|b|3|null"},
		{`{"type":"array","items":{"enum":["a","b"]}}`, "(a|b)[]"},
		{`{"type":"array"}`, "any[]"},
		{`{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}]}`, "[number, string]"},
		{`{"type":"array","items":[{"type":"number"},{"type":"number"}]}`, "[number, number]"},
		{`{"type":"object"}`, "object"},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, "{[name]: string}"},
		{`{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"string"}},"required":["a"]}`, "{a: string, b?: integer}"},
		{`{"oneOf":[{"$ref":"#/$defs/Page"},{"$ref":"#/$defs/Base"}]}`, "{page_id: string} | {database_id: string}"},
		{`{"anyOf":[{"$ref":"#/$defs/Page"},{"type":"string"},{"type":"object"}]}`, "{page_id: string} | string"},
		{`{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/paragraph"},{"$ref":"#/$defs/heading"}]}}`, "({paragraph: {text?: object[]}} | {heading: {text?: object[]}, level?: integer})[]"},
		{`{"$ref":"#/$defs/node"}`, "{name?: string, kids?: node[]}"},
		{`{"allOf":[{"$ref":"#/$defs/Page"},{"properties":{"depth":{"type":"integer"}}}]}`, "{page_id: string, depth?: integer}"},
		{`{"allOf":[{"$ref":"#/$defs/node"}],"description":"x"}`, "{name?: string, kids?: {name?: string, kids?: node[]}[]}"},
		{`{"type":"array","items":{"type":"object","properties":{"element_of_the_form":{"type":"string"},"target_of_the_form":{"type":"string"},"value_to_fill_in_there":{"type":"string"}},"required":["target_of_the_form"]}}`,
			"{target_of_the_form, element_of_the_form?, value_to_fill_in_there?}[]"},
		{`{"$ref":"#/nowhere"}`, "any"},
		{`{"type":"object","properties":{"a":{},"b":{}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, "{a?: any, b?: any}"},
	} {
		whole := json.RawMessage(`{"properties":{"x":` + c.schema + `},` + defs + `}`)
		if diff := cmp.Diff(c.want, Type(whole, json.RawMessage(c.schema))); diff != "" {
			t.Errorf("%s\n%s", c.schema, diff)
		}
	}
}

func TestParams(t *testing.T) {
	got := Params(json.RawMessage(`{"$ref":"#/$defs/In","$defs":{"In":{"properties":{"path":{"type":"string"},"limit":{"$ref":"#/$defs/n"},"mode":{"enum":["a","b"],"default":"a"}},` +
		`"required":["path","limit","mode"],"allOf":[{"properties":{"more":{"type":"boolean"}},"required":["more"]}]},"n":{"type":"integer","default":5}}}`))
	var text []string
	for _, p := range got {
		text = append(text, fmt.Sprintf("%s %s %v", p.Name, p.Type, p.Required))
	}
	if diff := cmp.Diff([]string{"path string true", "limit integer false", "mode a|b false", "more boolean true"}, text); diff != "" {
		t.Error(diff)
	}
}

func TestParamsOfAlternatives(t *testing.T) {
	for schema, want := range map[string]string{
		`{"type":"object","anyOf":[{"properties":{"id":{"type":"integer"}},"required":["id"]},{"properties":{"name":{"type":"string"}},"required":["name"]}]}`:                                                                                  "[id integer false] [name string false]",
		`{"oneOf":[{"properties":{"kind":{"const":"file"},"path":{"type":"string"}},"required":["kind","path"]},{"$ref":"#/$defs/u"}],"$defs":{"u":{"properties":{"kind":{"const":"url"},"url":{"type":"string"}},"required":["kind","url"]}}}`: "[kind file|url true] [path string false] [url string false]",
		`{"properties":{"a":{"type":"string"}},"required":["a"],"anyOf":[{"required":["a"]},{"properties":{"a":{"type":"integer"}}}]}`:                                                                                                          "[a string true]",
		`{"anyOf":[{"$ref":"#"},{"anyOf":[{"properties":{"x":true}}]}]}`: "[x any false]",
	} {
		var text []string
		for _, p := range Params(json.RawMessage(schema)) {
			text = append(text, fmt.Sprint([]any{p.Name, p.Type, p.Required}))
		}
		if got := strings.Join(text, " "); got != want {
			t.Errorf("%s: %s, want %s", schema, got, want)
		}
	}
}

func TestFollow(t *testing.T) {
	doc := json.RawMessage(`{"definitions":{"A<B>":1,"a/b":2,"a~b":3,"N":{"$anchor":"n","x":4},"é":5},"enum":[{"$anchor":"data"}],"list":[6,{"$anchor":"in list"}]}`)
	for ref, want := range map[string]string{"#/definitions/A%3CB%3E": "1", "#/definitions/a~1b": "2", "#/definitions/a%7E0b": "3", "#n": `{"$anchor":"n","x":4}`,
		"#/definitions/%C3%A9": "5", "#/list/0": "6", "#in%20list": `{"$anchor":"in list"}`, "#data": "", "#/definitions/none": "", "#/%zz": "", "other.json#n": "", "#": string(doc)} {
		if got := string(Follow(doc, ref)); got != want {
			t.Errorf("%s leads to %q, want %q", ref, got, want)
		}
	}
}

// Whatever a schema holds, its type is one short line, found in bounded work.
func FuzzType(f *testing.F) {
	var defs []string
	for i := range 40 { // each uses the next twice
		defs = append(defs, fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"properties":{"a":{"$ref":"#/$defs/d%d"}}}]}`, i, i+1, i+1))
	}
	for _, s := range []string{`{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#/properties/b"}}}`, `{"properties":{"a":{"enum":["\n|x",{}]}},"required":["a"]}`,
		`{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + strings.Join(defs, ",") + `}}`, `{"allOf":[{"$ref":"#"}]}`, `{"properties":{"é":{"items":[],"prefixItems":1}}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !json.Valid([]byte(s)) || !utf8.ValidString(s) {
			return
		}
		for _, p := range Params(json.RawMessage(s)) {
			if len(p.Type) > longest || p.Type == "" || strings.ContainsAny(p.Type, "\n\r\t") || !utf8.ValidString(p.Type) {
				t.Fatalf("%s: %q", s, p.Type)
			}
		}
	})
}
