package server_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// relay is a backend that passes on what a test gives it, as one in front of other servers does.
type relay struct {
	server.ToolsOnly
	call func(context.Context, server.Call) (server.Reply, error)

	offers  server.Offers
	forward func(context.Context, server.Forward) (json.RawMessage, error)
	ended   chan string // sessions that are over

	mu      sync.Mutex
	tools   []server.Tool
	changed func(string)
	tell    func(server.Notice)
}

func (b *relay) Tools(context.Context) []server.Tool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tools
}

func (b *relay) Instructions() string { return "" }

func (b *relay) OnChange(changed func(string)) func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changed = changed
	return func() {}
}

func (b *relay) Offers() server.Offers {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.offers
}

func (b *relay) OnNotice(tell func(server.Notice)) func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tell = tell
	return func() {}
}

func (b *relay) SessionEnded(session string) {
	if b.ended != nil {
		b.ended <- session
	}
}

func (b *relay) Forward(ctx context.Context, f server.Forward) (json.RawMessage, error) {
	return b.forward(ctx, f)
}

func (b *relay) Call(ctx context.Context, c server.Call) (server.Reply, error) { return b.call(ctx, c) }

// loose is an unchecked tool with a definition from elsewhere.
func loose(name string) server.Tool {
	return server.Tool{Name: name, Unchecked: true, Raw: json.RawMessage(`{"name":"` + name + `","inputSchema":{"type":"object"}}`)}
}

// serveRelay starts a server over a backend.
func serveRelay(t testing.TB, b server.Backend) *server.Server {
	t.Helper()
	s, err := server.New(b, server.Options{Name: "relay", Version: "1", Grace: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// relayCall serves one tool named t.
func relayCall(t testing.TB, call func(context.Context, server.Call) (server.Reply, error)) *server.Server {
	t.Helper()
	return serveRelay(t, &relay{call: call, tools: []server.Tool{loose("t")}})
}

// A definition passes with all it holds, also what no version of the protocol knows, in both eras; and again after a
// change.
func TestRawToolsAreListedAsTheyAre(t *testing.T) {
	raw := `{"title":"T","name":"up_search","icons":[{"src":"data:,x","sizes":["48x48"]}],"inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema",` +
		`"type":"object","properties":{"n":{"type":"integer","minimum":9007199254740993,"default":1.0e2}},"oneOf":[{"required":["n"]},{}],"$defs":{"a":{"$anchor":"x"}}},` +
		`"execution":{"taskSupport":"optional"},"annotations":{"readOnlyHint":true,"x":1},"_meta":{"k":"\u003c\/b>"},"future":[1,2]}`
	tool := server.Tool{Name: "up_search", Raw: json.RawMessage(raw), Unchecked: true, Description: "not sent"}
	b := &relay{tools: []server.Tool{tool, {Name: "own", Description: "Own."}}}
	s := serveRelay(t, b)
	for _, again := range []bool{false, true} {
		for _, era := range eras {
			p := era.open(t, s)
			p.send(era.message("1", "tools/list", "", ""))
			if line := p.line(); !strings.Contains(line, `"tools":[`+raw+`,{"name":"own"`) {
				t.Errorf("%s: %s", era.name, line)
			}
		}
		if again {
			break
		}
		raw = strings.Replace(raw, `"T"`, `"T2"`, 1)
		b.mu.Lock()
		tool.Raw = json.RawMessage(strings.ReplaceAll(raw, `,"`, ",\n\t\"")) // space between tokens does not count
		b.tools = []server.Tool{tool, b.tools[1]}
		b.mu.Unlock()
		b.changed("")
	}
}

// A definition that cannot be served is told from one that can, before it is in a list.
func TestToolCheck(t *testing.T) {
	ok := `{"name":"a","inputSchema":{"type":"object"}}`
	for _, c := range []struct{ raw, want string }{
		{ok, ""},
		{`{"name":"a","inputSchema":{"properties":{"x":{"type":"string","x-mcp-header":"bad name"}}}}`, ""},
		{`{"name":"b","inputSchema":{"type":"object"}}`, `tool a: definition: its name is "b"`},
		{`{"inputSchema":{"type":"object"}}`, `tool a: definition: its name is ""`},
		{`{"name":"a","inputSchema":{"type":"array"}}`, `tool a: definition: its input is not an object but of type "array"`},
		{`{"name":"a"}`, "tool a: definition: inputSchema is not a JSON object"},
		{`{"name":"a","inputSchema":[]}`, "tool a: definition: inputSchema is not a JSON object"},
		{`{"name":"a","inputSchema":{},"name":"a"}`, "tool a: definition: name is given twice"},
		{`[]`, "tool a: definition: not a JSON object"},
		{`{"name":"a"`, "tool a: definition: not valid json at byte 11: unexpected end of JSON input"},
	} {
		err := server.Tool{Name: "a", Raw: json.RawMessage(c.raw), Unchecked: true}.Check()
		if got := errText(err); got != c.want {
			t.Errorf("%s: %q, want %q", c.raw, got, c.want)
		}
	}
	if got := errText(server.Tool{Name: "a b"}.Check()); !strings.HasPrefix(got, `tool "a b": a name has`) {
		t.Error(got)
	}
	if got := errText(server.Tool{Name: "a", Raw: json.RawMessage(`{"name":"a","inputSchema":{"type":"string"}}`)}.Check()); !strings.Contains(got, "arguments are an object") {
		t.Error("a schema that arguments are checked by is not read: " + got)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Arguments of an unchecked tool arrive as they were sent; those of a checked one mended by the definition's schema.
func TestUncheckedArguments(t *testing.T) {
	checked := loose("checked")
	checked.Raw = json.RawMessage(`{"name":"checked","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}`)
	checked.Unchecked = false
	b := &relay{tools: []server.Tool{loose("t"), checked}, call: func(_ context.Context, c server.Call) (server.Reply, error) {
		return server.Reply{Text: string(c.Args) + " of " + string(c.Params)}, nil
	}}
	p := eras[0].open(t, serveRelay(t, b))
	for params, want := range map[string]string{
		`"name":"t","arguments":{"n": 12345678901234567890, "x":1.50,"x ":"\u00e4"}`: `{"n": 12345678901234567890, "x":1.50,"x ":"\u00e4"} of {`,
		`"name":"t","arguments":"{\"n\":1}"`:                                         `"{\"n\":1}" of {`,
		`"name":"t","arguments":null`:                                                `null of {`,
		`"name":"t"`:                                                                 `{} of {"name":"t","_meta"`,
		`"name":"t","requestState":"s","inputResponses":{"a":{}}`:                    `{} of {"name":"t","requestState":"s","inputResponses":{"a":{}},"_meta":{}}`,
		`"name":"t","arguments":{"a":[{"b":1,"b":2}]}`:                               "TOOL_VALIDATION_ERROR: arguments.a[0].b: given twice\ncall it again and give it once",
		`"name":"t","inputResponses":{"b":1,"b":2}`:                                  "TOOL_VALIDATION_ERROR: inputResponses.b: given twice",
		`"name":"checked","arguments":{"n":"1"}`:                                     `{"n":1} of {`,
	} {
		p.send(eras[0].message("1", "tools/call", params, ""))
		if w := p.next(); !strings.HasPrefix(textOf(t, w.Result), want) {
			t.Errorf("%s: got %s", params, w.Result)
		}
	}
}

// What the client declared reaches a call whole, in both eras.
func TestDeclaredCapabilities(t *testing.T) {
	s := relayCall(t, func(_ context.Context, c server.Call) (server.Reply, error) {
		return server.Reply{Text: strings.Join(c.Client.Capabilities, " ") + " " + string(c.Client.Declared)}, nil
	})
	caps := `{"sampling":{"tools":{}},"elicitation":{"url":{}},"future":{"n":1.0}}`
	want := "elicitation future sampling " + caps
	p := dial(t, s)
	p.send(strings.Replace(initialize, `"capabilities":{}`, `"capabilities":`+caps, 1))
	p.next()
	p.send(eras[0].message("1", "tools/call", `"name":"t"`, ""))
	if got := textOf(t, p.next().Result); got != want {
		t.Error(got)
	}
	p.send(strings.Replace(eras[1].message("1", "tools/call", `"name":"t"`, ""), `clientCapabilities":{}`, `clientCapabilities":`+caps, 1))
	if got := textOf(t, p.next().Result); got != want {
		t.Error(got)
	}
}
