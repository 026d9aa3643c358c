package server_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// One wrong detail of a resource or a prompt costs strict clients no list of all servers' either.
func TestListsThatStrictClientsRefuseAreMended(t *testing.T) {
	for _, c := range []struct{ method, raw, want string }{
		{"resources/list", `{"resources":[ {"uri":"a:1","name":"n","size":1e2,"annotations":{"x":1},"future":null} ],"nextCursor":"c"}`, ""},
		{"resources/list", `{"resources":[{"uri":"a:1","name":"n","title":null,"description":null,"mimeType":null,"size":"big","annotations":null,"_meta":1,"icons":[{}]}]}`,
			`{"resources":[{"uri":"a:1","name":"n"}]`},
		{"resources/list", `{"resources":[{"name":"n"},{"uri":"a:1"},7,{"uri":"b:2","name":null,"x":1}]}`,
			`{"resources":[{"uri":"a:1","name":"a:1"},{"uri":"b:2","x":1,"name":"b:2"}]`},
		{"resources/templates/list", `{"resourceTemplates":[{"uriTemplate":"a:{x}","name":"n","mimeType":[]},{"uri":"a:1","name":"n"}]}`,
			`{"resourceTemplates":[{"uriTemplate":"a:{x}","name":"n"}]`},
		{"prompts/list", `{"prompts":[{"name":"p","arguments":null},{"name":"q","arguments":[{"name":"a","required":"yes","description":null},{"description":"no name"}]},{"title":"t"}]}`,
			`{"prompts":[{"name":"p"},{"name":"q","arguments":[{"name":"a"}]}]`},
	} {
		if c.want == "" {
			c.want = strings.TrimSuffix(c.raw, "}")
		}
		b := &relay{offers: server.Offers{Resources: true, Prompts: true},
			forward: func(context.Context, server.Forward) (json.RawMessage, error) { return json.RawMessage(c.raw), nil }}
		s := serveRelay(t, b)
		for _, era := range eras {
			p := era.open(t, s)
			p.send(era.message("1", c.method, "", ""))
			if line := p.line(); !strings.Contains(line, `"result":`+c.want) {
				t.Errorf("%s, %s: %s\nnot %s", c.method, era.name, line, c.want)
			}
		}
	}
}
