package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// fixtureLists are the results of the lists.
var fixtureLists = map[string]string{
	"resources/list": `{"resources":[{"uri":"test://static-text","name":"Text","description":"Fixture.","mimeType":"text/plain"},
		{"uri":"test://static-binary","name":"Dot","description":"Fixture.","mimeType":"image/png"},
		{"uri":"test://watched-resource","name":"Watched","description":"Fixture.","mimeType":"text/plain"}]}`,
	"resources/templates/list": `{"resourceTemplates":[{"uriTemplate":"test://template/{id}/data","name":"Data","description":"Fixture.","mimeType":"application/json"}]}`,
	"prompts/list": `{"prompts":[{"name":"test_simple_prompt","description":"Fixture."},
		{"name":"test_prompt_with_arguments","description":"Fixture.","arguments":[{"name":"arg1","description":"One.","required":true},{"name":"arg2","description":"Two.","required":true}]},
		{"name":"test_prompt_with_embedded_resource","description":"Fixture.","arguments":[{"name":"resourceUri","description":"A resource.","required":true}]},
		{"name":"test_prompt_with_image","description":"Fixture."},
		{"name":"test_input_required_result_prompt","description":"Fixture."}]}`,
	"completion/complete":   `{"completion":{"values":["paris","park","party"],"total":150,"hasMore":true}}`,
	"resources/subscribe":   `{}`,
	"resources/unsubscribe": `{}`,
}

func (f *fixtures) Offers() server.Offers { return everything }

func (f *fixtures) OnNotice(tell func(server.Notice)) func() {
	f.tell = append(f.tell, tell)
	return func() {}
}

func (f *fixtures) Forward(ctx context.Context, r server.Forward) (json.RawMessage, error) {
	switch r.Method {
	case "resources/read":
		return readFixture(r.Params)
	case "prompts/get":
		return promptFixture(ctx, r)
	}
	return json.RawMessage(fixtureLists[r.Method]), nil
}

func readFixture(params json.RawMessage) (json.RawMessage, error) {
	var in struct{ URI string }
	if err := json.Unmarshal(params, &in); err != nil {
		return nil, err
	}
	content := ""
	id, isData := strings.CutPrefix(in.URI, "test://template/")
	switch {
	case in.URI == "test://static-text":
		content = `"mimeType":"text/plain","text":"This is the content of the static text resource."`
	case in.URI == "test://static-binary":
		content = `"mimeType":"image/png","blob":"` + dot + `"`
	case isData:
		id = strings.TrimSuffix(id, "/data")
		content = fmt.Sprintf(`"mimeType":"application/json","text":%q`, `{"id":"`+id+`","templateTest":true,"data":"Data for ID: `+id+`"}`)
	default:
		return nil, rpcErr{-32002, "Resource not found", fmt.Sprintf(`{"uri":%q}`, in.URI)}
	}
	return json.RawMessage(fmt.Sprintf(`{"contents":[{"uri":%q,%s}]}`, in.URI, content)), nil
}

func promptFixture(ctx context.Context, r server.Forward) (json.RawMessage, error) {
	var in struct {
		Name      string
		Arguments map[string]string
	}
	if err := json.Unmarshal(r.Params, &in); err != nil {
		return nil, err
	}
	says := func(content string) string { return `{"role":"user","content":` + content + `}` }
	messages := ""
	switch in.Name {
	case "test_simple_prompt":
		messages = says(`{"type":"text","text":"This is a simple prompt for testing."}`)
	case "test_prompt_with_arguments":
		messages = says(fmt.Sprintf(`{"type":"text","text":"Prompt with arguments: arg1='%s', arg2='%s'"}`, in.Arguments["arg1"], in.Arguments["arg2"]))
	case "test_prompt_with_embedded_resource":
		messages = says(fmt.Sprintf(`{"type":"resource","resource":{"uri":%q,"mimeType":"text/plain","text":"Embedded resource content for testing."}}`, in.Arguments["resourceUri"])) +
			"," + says(`{"type":"text","text":"Please process the embedded resource above."}`)
	case "test_prompt_with_image":
		messages = says(image) + "," + says(`{"type":"text","text":"Please analyze the image above."}`)
	case "test_input_required_result_prompt":
		return inputPrompt.run(ctx, r.Params, r.Client, r.Stateless, r.Ask)
	default:
		return nil, rpcErr{-32602, "no such prompt", ""}
	}
	return json.RawMessage(`{"messages":[` + messages + `]}`), nil
}
