package server_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// Clients refuse a whole list for a detail of one definition: it is left out or put right, and the rest passes as it is.
func TestDefinitionsThatStrictClientsRefuseAreMended(t *testing.T) {
	const in = `"inputSchema":{"type":"object"}`
	for _, c := range []struct{ name, raw, want string }{ // what stands behind the name
		{"right", in + `,"title":"T","icons":[{"src":"a","mimeType":"b","sizes":["1x1"],"theme":"dark"}],"annotations":{"x":null},"future":null`, ""},
		{"nulls", `"title":null,"description":null,` + in + `,"annotations":null,"icons":null,"_meta":null,"execution":null,"outputSchema":null`, in},
		{"hints", in + `,"annotations":{"title":null,"readOnlyHint":true,"openWorldHint":"yes"}`, in + `,"annotations":{"readOnlyHint":true}`},
		{"input without a type", `"inputSchema":{"properties":{"a":{"type":"string"}}}`, `"inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}`},
		{"input of types", `"inputSchema":{"type":["null","object"]}`, in},
		{"property that is no schema", `"inputSchema":{"type":"object","properties":{"a":"string","b":true}}`, `"inputSchema":{"type":"object","properties":{"a":{},"b":true}}`},
		{"properties that are none", `"inputSchema":{"type":"object","properties":[]}`, in},
		{"required that is no list", `"inputSchema":{"type":"object","required":true,"$schema":7}`, in},
		{"required of no names", `"inputSchema":{"type":"object","required":[1]}`, in},
		{"output of anything", in + `,"outputSchema":true`, in},
		{"output with wrong parts", in + `,"outputSchema":{"type":"object","properties":{"a":1},"required":"a"}`, in + `,"outputSchema":{"type":"object","properties":{"a":{}}}`},
		{"icon without a source", in + `,"icons":[{"mimeType":"image/png"}]`, in},
		{"icons of one size", in + `,"icons":[{"src":"a","sizes":"any"}]`, in},
		{"execution", in + `,"execution":{"taskSupport":"maybe"}`, in},
		{"_meta", in + `,"_meta":[]`, in},
	} {
		if c.want == "" {
			c.want = c.raw
		}
		b := &relay{tools: []server.Tool{{Name: "t", Raw: json.RawMessage(`{"name":"t",` + c.raw + `}`), Unchecked: true}}}
		s := serveRelay(t, b)
		for _, era := range eras {
			p := era.open(t, s)
			p.send(era.message("1", "tools/list", "", ""))
			if line := p.line(); !strings.Contains(line, `"tools":[{"name":"t",`+c.want+`}]`) {
				t.Errorf("%s, %s: %s", c.name, era.name, line)
			}
		}
	}
}

// An output schema of no object, and what comes under it, are in an envelope for the handshake and in none for the
// stateless era, in whichever of them the server was asked.
func TestOutputOfNoObject(t *testing.T) {
	const envelope = `{"type":"object","properties":{"result":{"type":"array","items":{"type":"string"}}},"required":["result"]}`
	for _, c := range []struct{ name, schema, handshake, said, handshakeSaid, statelessSaid string }{
		{"list", `{"type":"array","items":{"type":"string"}}`, envelope, `["a"]`, `{"result":["a"]}`, `["a"]`},
		{"list that was had by the handshake", `{"type":"array","items":{"type":"string"}}`, envelope, `{"result":["a"]}`, `{"result":["a"]}`, `["a"]`},
		{"definition that was had by the handshake", envelope, envelope, `["a"]`, `{"result":["a"]}`, `{"result":["a"]}`},
		{"both had by it", envelope, envelope, `{"result":["a"]}`, `{"result":["a"]}`, `{"result":["a"]}`},
		{"object or not", `{"anyOf":[{"type":"object"},{"type":"null"}]}`,
			`{"type":"object","properties":{"result":{"anyOf":[{"type":"object"},{"type":"null"}]}},"required":["result"]}`, `{"a":1}`, `{"result":{"a":1}}`, `{"a":1}`},
		{"references", `{"$schema":"s","type":"array","items":{"$ref":"#/$defs/$ref"},"$defs":{"$ref":{"properties":{"default":{"$ref":"#"}},"default":{"$ref":"#/a"}},"own":{"$id":"x","$ref":"#/a"}}}`,
			`{"$schema":"s","type":"object","properties":{"result":{"$schema":"s","type":"array","items":{"$ref":"#/properties/result/$defs/$ref"},` +
				`"$defs":{"$ref":{"properties":{"default":{"$ref":"#/properties/result"}},"default":{"$ref":"#/a"}},"own":{"$id":"x","$ref":"#/a"}}}},"required":["result"]}`,
			`[]`, `{"result":[]}`, `[]`},
		{"object", `{"type":"object","properties":{"result":{},"n":{}},"required":["result"]}`, `{"type":"object","properties":{"result":{},"n":{}},"required":["result"]}`,
			`{"n":1}`, `{"n":1}`, `{"n":1}`},
	} {
		b := &relay{tools: []server.Tool{{Name: "t", Unchecked: true, Raw: json.RawMessage(`{"name":"t","inputSchema":{"type":"object"},"outputSchema":` + c.schema + `}`)}},
			call: func(context.Context, server.Call) (server.Reply, error) {
				return server.Reply{Raw: json.RawMessage(`{"content":[],"structuredContent":` + c.said + `}`)}, nil
			}}
		s := serveRelay(t, b)
		for i, want := range [][2]string{{c.handshake, c.handshakeSaid}, {c.schema, c.statelessSaid}} {
			p := eras[i].open(t, s)
			p.send(eras[i].message("1", "tools/list", "", ""))
			if line := p.line(); !strings.Contains(line, `"outputSchema":`+want[0]+`}]`) {
				t.Errorf("%s, %s: %s", c.name, eras[i].name, line)
			}
			p.send(eras[i].message("2", "tools/call", `"name":"t"`, ""))
			if line := p.line(); !strings.Contains(line, `"structuredContent":`+want[1]) {
				t.Errorf("%s, %s: %s", c.name, eras[i].name, line)
			}
		}
	}
}
