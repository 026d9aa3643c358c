package server_test

import (
	"context"
	"net"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// user answers a client's questions.
type user struct{}

func (user) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	content := map[string]any{"name": "Ada", "username": "ada", "email": "ada@host.test", "asked": r.Params.Message}
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionAccept, Content: content}}, nil
}

// A real client finds what other servers have, over streams of events and over lines, in both eras.
func TestClientsOfABackendThatForwards(t *testing.T) {
	for _, era := range eras {
		t.Run("http/"+era.name, func(t *testing.T) {
			addr := serveFixtures(t)
			tryForwarding(t, httpTransport(t, "http://"+addr+server.Path, "tcp", addr), era)
		})
		t.Run("lines/"+era.name, func(t *testing.T) {
			s, err := server.New(&fixtures{}, server.Options{Name: "fixtures", Version: "1"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			conn, err := net.Dial("unix", serve(t, s, server.Transport{Kind: server.Unix, Listen: socketPath(t)}).String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			tryForwarding(t, transport.NewIO(conn, conn, nil), era)
		})
	}
}

func tryForwarding(t *testing.T, tr transport.Interface, era era) {
	c, _ := initializeClient(t, tr, era.modern, client.WithElicitationHandler(user{}))
	ctx := t.Context()
	resources, err := c.ListResources(ctx, mcp.ListResourcesRequest{})
	if err != nil || len(resources.Resources) != 3 {
		t.Errorf("resources: %+v %v", resources, err)
	}
	templates, err := c.ListResourceTemplates(ctx, mcp.ListResourceTemplatesRequest{})
	if err != nil || len(templates.ResourceTemplates) != 1 {
		t.Errorf("templates: %+v %v", templates, err)
	}
	read := mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: "test://template/7/data"}}
	content, err := c.ReadResource(ctx, read)
	if err != nil || content.Contents[0].(mcp.TextResourceContents).Text != `{"id":"7","templateTest":true,"data":"Data for ID: 7"}` {
		t.Errorf("content: %+v %v", content, err)
	}
	prompts, err := c.ListPrompts(ctx, mcp.ListPromptsRequest{})
	if err != nil || len(prompts.Prompts) != 5 {
		t.Errorf("prompts: %+v %v", prompts, err)
	}
	var get mcp.GetPromptRequest
	get.Params.Name, get.Params.Arguments = "test_prompt_with_arguments", map[string]string{"arg1": "a", "arg2": "b"}
	prompt, err := c.GetPrompt(ctx, get)
	if err != nil || prompt.Messages[0].Content.(mcp.TextContent).Text != "Prompt with arguments: arg1='a', arg2='b'" {
		t.Errorf("prompt: %+v %v", prompt, err)
	}
	tool, want := "test_elicitation", `Elicitation completed: action=accept, content={"asked":"who?","email":"ada@host.test","name":"Ada","username":"ada"}`
	if era.modern {
		tool, want = "test_input_required_result_elicitation", `{"asked":"What is your name?","email":"ada@host.test","name":"Ada","username":"ada"}`
	}
	res, err := c.CallTool(ctx, call(tool, map[string]any{"message": "who?"}))
	if got := text(t, res, err); got != want {
		t.Errorf("%s: %s", tool, got)
	}
}
