package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// fixtures are the tools, resources and prompts that the conformance suite asks for by name. Some are as a backend of its
// own would serve them, the others as one that passes them on.
type fixtures struct {
	server.ToolsOnly
	mu      sync.Mutex
	grown   int
	changed []func(string)
	tell    []func(server.Notice)
}

func serveFixtures(t *testing.T) string {
	t.Helper()
	s, err := server.New(&fixtures{}, server.Options{Name: "fixtures", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return serve(t, s, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0"}).String()
}

const (
	dot     = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
	silence = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
	text1   = `{"type":"text","text":"Text."}`
	image   = `{"type":"image","data":"` + dot + `","mimeType":"image/png"}`
	audio   = `{"type":"audio","data":"` + silence + `","mimeType":"audio/wav"}`
	embed   = `{"type":"resource","resource":{"uri":"test://embedded-resource","mimeType":"text/plain","text":"Text."}}`
)

// fixtureContent is what the tools with fixed results give.
var fixtureContent = map[string]string{
	"test_simple_text": text1, "test_image_content": image, "test_audio_content": audio, "test_embedded_resource": embed,
	"test_multiple_content_types": text1 + "," + image + "," + embed,
	"test_tool_with_logging":      text1, "test_logging_tool": text1, "test_tool_with_progress": text1,
	"test_streaming_elicitation": text1, "test_trigger_prompt_change": text1, "test_x_mcp_header": text1, "test_trigger_tool_change": text1,
	"test_sampling": "", "test_error_handling": text1, "test_missing_capability": text1, "json_schema_2020_12_tool": text1,
}

var fixtureInput = map[string]string{
	"test_sampling":     `{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`,
	"test_x_mcp_header": `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},"required":["region"]}`,
	"json_schema_2020_12_tool": `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
		"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
		"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},
			"phone":{"type":"string"},"email":{"type":"string"}},
		"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
		"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
		"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}`,
}

func (f *fixtures) Tools(context.Context) []server.Tool {
	f.mu.Lock()
	defer f.mu.Unlock()
	tools := []server.Tool{}
	for _, name := range slices.Sorted(maps.Keys(fixtureContent)) {
		input := fixtureInput[name]
		tool := server.Tool{Name: name, Description: "Fixture.", Input: json.RawMessage(input)}
		if input != "" {
			tool = server.Tool{Name: name, Raw: json.RawMessage(`{"name":"` + name + `","description":"Fixture.","inputSchema":` + input + `}`)}
		}
		tools = append(tools, tool)
	}
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(elicitations)), slices.Sorted(maps.Keys(inputTools))) {
		tools = append(tools, server.Tool{Name: name, Unchecked: true,
			Raw: json.RawMessage(`{"name":"` + name + `","description":"Fixture.","inputSchema":{"type":"object"}}`)})
	}
	for i := range f.grown {
		tools = append(tools, server.Tool{Name: "grown_" + string(rune('a'+i)), Description: "Grown."})
	}
	return tools
}

func (f *fixtures) Instructions() string { return "" }

func (f *fixtures) OnChange(changed func(string)) func() {
	f.changed = append(f.changed, changed)
	return func() {}
}

func (f *fixtures) Call(ctx context.Context, c server.Call) (server.Reply, error) {
	switch c.Tool {
	case "test_tool_with_logging", "test_logging_tool":
		for range 3 {
			c.Log(server.Log{Level: "info", Message: "working"})
		}
	case "test_tool_with_progress", "test_streaming_elicitation":
		for _, done := range []float64{0, 50, 100} {
			c.Progress(server.Progress{Done: done, Total: 100})
		}
	case "test_error_handling":
		return server.Reply{}, errors.New("this tool fails on purpose")
	case "test_missing_capability":
		return server.Reply{}, &server.MissingCapability{Name: "sampling"}
	case "test_sampling":
		return sample(ctx, c)
	case "test_trigger_prompt_change":
		for _, tell := range f.tell {
			tell(server.Notice{Method: "notifications/prompts/list_changed"})
		}
	case "test_trigger_tool_change":
		f.mu.Lock()
		f.grown++
		f.mu.Unlock()
		for _, changed := range f.changed {
			changed("")
		}
	}
	if schema := elicitations[c.Tool]; schema != "" {
		return elicit(ctx, c, schema)
	}
	if tool, is := inputTools[c.Tool]; is {
		raw, err := tool.run(ctx, c.Params, c.Client, c.Stateless, c.Ask)
		return server.Reply{Raw: raw}, err
	}
	return server.Reply{Content: json.RawMessage("[" + fixtureContent[c.Tool] + "]")}, nil
}

// sample asks the client's model what the tool was asked.
func sample(ctx context.Context, c server.Call) (server.Reply, error) {
	var in struct{ Prompt string }
	if err := json.Unmarshal(c.Args, &in); err != nil {
		return server.Reply{}, err
	}
	if c.Sample == nil {
		return sampleRaw(ctx, c.Ask, in.Prompt)
	}
	r, err := c.Sample(ctx, server.SampleRequest{Messages: []server.SampleMessage{{Role: "user", Text: in.Prompt}}, MaxTokens: 100})
	return server.Reply{Text: "LLM response: " + r.Text}, err
}

// sampleRaw asks as other servers do.
func sampleRaw(ctx context.Context, ask server.AskFunc, prompt string) (server.Reply, error) {
	if ask == nil {
		return server.Reply{}, &server.MissingCapability{Name: "sampling"}
	}
	params := fmt.Sprintf(`{"messages":[{"role":"user","content":{"type":"text","text":%q}}],"maxTokens":100}`, prompt)
	raw, err := ask(ctx, "sampling/createMessage", json.RawMessage(params))
	var no *server.AskError
	if errors.As(err, &no) && no.RPCCode() == -32601 {
		return server.Reply{}, &server.MissingCapability{Name: "sampling"}
	}
	var out struct{ Content struct{ Text string } }
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	return server.Reply{Text: "LLM response: " + out.Content.Text}, err
}
