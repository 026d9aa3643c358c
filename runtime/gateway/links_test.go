package gateway

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// A resource that no server lists is asked of the server that named it or has others of its kind, and of no other: its address
// is its server's secret.
func TestAnUnlistedResourceIsAskedOfItsServer(t *testing.T) {
	var mu sync.Mutex
	var heard []string
	refuse := false
	of := func(name, listed, template string) web {
		return func(method string, params json.RawMessage) string {
			switch method {
			case "resources/list":
				return resources(listed)
			case "resources/templates/list":
				if template != "" {
					return `{"resourceTemplates":[{"uriTemplate":"` + template + `","name":"t"}]}`
				}
				return `{"resourceTemplates":[]}`
			case "resources/read":
				mu.Lock()
				heard = append(heard, name)
				mu.Unlock()
				if name == "b" && strings.Contains(string(params), "note:7") && len(heard) == 1 && refuse {
					return ""
				}
				return `{"contents":[]}`
			case "tools/list":
				return `{"tools":[{"name":"find","inputSchema":{"type":"object"}}]}`
			case "tools/call":
				return `{"content":[{"type":"resource_link","uri":"note:7","name":"n"},{"type":"resource","resource":{"uri":"blob:8","text":"x"}}]}`
			}
			return ""
		}
	}
	g := newWeb(t, map[string]web{"a": of("a", "https://a.example/1", ""), "b": of("b", "https://b.example/1", "note:{id}"), "c": of("c", "c:1", "")}, Options{})
	g.Tools(t.Context())
	caller := func(id string) Caller { return Caller{Session: session.New(session.Who{ID: id})} }
	for _, id := range []string{"s", ""} {
		if _, err := g.Call(t.Context(), "c__find", json.RawMessage(`{}`), caller(id)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ session, uri, want string }{
		{"s", "c:1", "c"},                                 // listed
		{"s", "blob:8", "c"},                              // named to this session
		{"s", "note:7", "b c"},                            // that fits a template
		{"t", "note:7", "b"},                              // named to another
		{"s", "HTTPS://B.example/2?token=x", "b"},         // of its authority
		{"t", "blob:8", ""},                               // named to another
		{"", "blob:8", ""},                                // named to somebody without a session
		{"s", "https://nobody.example/secret-of-one", ""}, // of a scheme that two have
		{"s", "no address", ""},
	} {
		heard, refuse = nil, strings.Contains(c.want, " ")
		_, err := g.Forward(t.Context(), "resources/read", json.RawMessage(`{"uri":"`+c.uri+`"}`), caller(c.session))
		if got := strings.Join(heard, " "); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s for %q: asked of %q, %v; want %q", c.uri, c.session, got, err, c.want)
		}
	}
}
