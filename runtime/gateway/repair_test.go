package gateway

import (
	"encoding/json"
	"strings"
	"testing"
)

// Strict clients refuse a whole list for one schema. It is put right where it is wrong, the rest stays byte for byte.
func TestOneSchemaDoesNotSpoilTheList(t *testing.T) {
	for _, tt := range []struct{ name, in, want, said string }{
		{"right", `"inputSchema":{"type":"object", "properties":{"type":{"type":"string"},"a":{"additionalProperties":false,"enum":[{"type":"int"}]}}},"outputSchema":{"type":["object","null"]}`, "", ""},
		{"types of other languages", `"inputSchema":{"type":"dict","properties":{"n":{"type":"int"},"s":{"type":["Str","null"]},"l":{"items":{"type":"FLOAT"}}}}`,
			`"inputSchema":{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":["string","null"]},"l":{"items":{"type":"number"}}}}`, `inputSchema.properties.n.type: "int"`},
		{"types that nobody knows", `"inputSchema":{"type":"object","properties":{"f":{"type":"file","description":"d"},"g":{"type":["any"]},"h":{"type":7}}}`,
			`"inputSchema":{"type":"object","properties":{"f":{"description":"d"},"g":{},"h":{}}}`, `"file"`},
		{"booleans", `"inputSchema":{"type":"object","properties":{"raw":true,"o":{"properties":{"p":false}}},"$defs":{"d":true}}`,
			`"inputSchema":{"type":"object","properties":{"raw":{},"o":{"properties":{"p":{"not":{}}}}},"$defs":{"d":{}}}`, ""},
		{"references to nothing", `"inputSchema":{"type":"object","properties":{"x":{"$ref":"#/$defs/Missing","description":"d"},"y":{"anyOf":[{"$ref":"other.json"}]},"z":{"$ref":"#/properties/x"}}}`,
			`"inputSchema":{"type":"object","properties":{"x":{"description":"d"},"y":{"anyOf":[{}]},"z":{"$ref":"#/properties/x"}}}`, "#/$defs/Missing"},
		{"an output with a reference to nothing", `"inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"x":{"$ref":"#/$defs/Missing"}}}`,
			`"inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"x":{}}}`, "outputSchema.properties.x"},
		{"an output that does not compile", `"inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["a","a"]}`, `"inputSchema":{"type":"object"}`, "does not compile"},
		{"an output with a wrong pattern", `"inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"[a-"}}}`, `"inputSchema":{"type":"object"}`, "does not compile"},
		{"an output with a pattern of another dialect", `"inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"^(?!x)(?<n>.)\\k<n>"}}}`, "", ""},
	} {
		if tt.want == "" {
			tt.want = tt.in
		}
		w := newWorld(t, map[string]string{"a": `{"name":"misfit",` + tt.in + `},` + lake})
		if names := strings.Join(w.names(), " "); names != "a__lake_depth a__misfit" && names != "a__misfit a__lake_depth" {
			t.Fatalf("%s: %s", tt.name, names)
		}
		for _, l := range w.Listed() {
			if want := `{"name":"a__misfit",` + tt.want + `}`; l.Tool == "misfit" && string(l.Definition) != want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.name, l.Definition, want)
			}
		}
		if got, err := w.run("a__misfit", `{"raw":5}`); err != nil || got != `{"raw":5}` {
			t.Errorf("%s: it gives %s, %v", tt.name, got, err)
		}
		said := ""
		for _, r := range Repairs(w.Gateway) {
			said += r.Server + " " + r.Tool + " " + strings.Join(r.Whats, "; ")
		}
		if (said == "") != (tt.said == "") || !strings.Contains(said, tt.said) {
			t.Errorf("%s is told as %q", tt.name, said)
		}
	}
}

// Arguments are judged by what a type of another language means.
func TestArgumentsOfARepairedSchema(t *testing.T) {
	w := newWorld(t, map[string]string{"a": `{"name":"misfit","inputSchema":{"type":"object","properties":{"n":{"type":"int"},"f":{"type":"file"},"p":{"$ref":"#/definitions/P%3CI%3E"},"b":{"$ref":"#n"}},` +
		`"definitions":{"P<I>":{"type":"object","properties":{"n":{"type":"integer"}}},"N":{"$anchor":"n","type":"integer"}}}}`})
	if got, err := w.run("a__misfit", `{"n":"5","f":{"x":1},"p":"{\"n\":3}","b":"7"}`); err != nil || got != `{"n":5,"f":{"x":1},"p":{"n":3},"b":7}` {
		t.Errorf("%s, %v", got, err)
	}
	if !json.Valid(w.Listed()[0].Definition) {
		t.Error("the definition is no JSON")
	}
}
