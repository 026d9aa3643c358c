package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
	"github.com/compactor-mcp/compactor/runtime/model/openai"
	written "github.com/compactor-mcp/compactor/runtime/pipeline/agent/reply"
)

// firstQuestions are what someone asks a chat model who works on this repository.
var firstQuestions = []string{
	"Where is the worker pool built?",
	"Who calls NewPool?",
	"How does a request end when its time is over?",
	"What happens when a model server does not answer?",
	`Why do I get this error: "roots: no configured root or directory below one"?`,
	"Which option limits the tokens of a reply?",
	"How do I add another kind of question?",
	"Which tests cover the redaction of private keys?",
	"What is this project and where should I start reading?",
	"Show me an example of a builtin that reads files",
}

// TestRealModelFirstCall lists compactor's tools to real models, as a chat client
// does, and looks at the first call that each makes for a question. Whatever a model
// calls as it was listed has to be answered; how often it does depends on the model,
// and of one that can call at least nine in ten are right.
func TestRealModelFirstCall(t *testing.T) {
	menus := map[string]string{
		"as shipped":         "",
		"all research tools": "menu: only: []",
		"one tool":           `menu: only: ["research_codebase"]`,
	}
	for _, weights := range modeltest.Weights(t) {
		srv := modeltest.Llama(t, weights, modeltest.Options{Window: 4096})
		ep, err := openai.New(model.Options{Name: weights, URL: srv.OpenAI(), Model: srv.Model})
		if err != nil {
			t.Fatal(err)
		}
		for menu, config := range menus {
			t.Run(weights+"/"+menu, func(t *testing.T) {
				right := 0
				for _, q := range firstQuestions {
					if firstCall(t, ep, menuClient(t, config), q) {
						right++
					}
				}
				t.Logf("%d of %d first calls are right", right, len(firstQuestions))
				if strings.Contains(weights, "1.5b") && menu == "as shipped" && right*10 < len(firstQuestions)*9 {
					t.Errorf("only %d of %d first calls are right", right, len(firstQuestions))
				}
			})
		}
	}
}

// menuClient connects to a server over this repository whose menu is configured so.
func menuClient(t *testing.T, config string) *client.Client {
	t.Helper()
	work, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	opt := service.Options{Defaults: compactor.Defaults, Work: work, Builtins: builtins.All, NoModel: true}
	opt.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(opt.Dir, "menu.cue"), []byte("package compactor\n\n"+config+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	snap, diags, err := service.Load(t.Context(), opt)
	if snap == nil {
		t.Fatal(diags, err)
	}
	t.Cleanup(func() { _ = snap.Close() })
	srv, err := server.New(service.Backend{Service: service.New(snap)}, server.Options{Name: "compactor"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	return connect(t, lines(t, srv), false)
}

// firstCall asks a model that is offered the tools of c, and reports whether it
// calls one of them with what that takes. What is called so has to be answered.
func firstCall(t *testing.T, ep model.Endpoint, c *client.Client, question string) bool {
	t.Helper()
	listed, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var offer []model.Tool
	var names []string
	for _, tool := range listed.Tools {
		input, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		offer = append(offer, model.Tool{Name: tool.Name, Description: tool.Description, Parameters: input})
		names = append(names, tool.Name)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	start := time.Now()
	said, err := ep.Chat(ctx, model.Request{Messages: []model.Message{{Role: model.User, Content: question}}, Tools: offer, MaxTokens: 300}, nil)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	name, args, form := callOf(said, names)
	t.Logf("%-80s %4.1f s  %s %s %v", question, time.Since(start).Seconds(), form, name, args)
	at := slices.Index(names, name)
	if at < 0 || !takes(listed.Tools[at].InputSchema, args) {
		t.Logf("said: %s", said.Text())
		return false
	}
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = name, args
	res, err := c.CallTool(ctx, req)
	if err != nil || res.IsError || len(res.Content) == 0 {
		t.Errorf("%s: %s %v is as listed and not answered: %+v, %v", question, name, args, res, err)
		return false
	}
	return true
}

// callOf is the first call of a reply, and whether its server saw it as one or it
// stands in the text, where LM Studio and others look for it too.
func callOf(said *model.Reply, known []string) (name string, args map[string]any, form string) {
	if len(said.Calls) > 0 {
		_ = json.Unmarshal([]byte(said.Calls[0].Arguments), &args) // what is none fits no schema
		return said.Calls[0].Name, args, "call"
	}
	if calls, _ := written.Calls(said.Text(), known); len(calls) > 0 {
		return calls[0].Name, calls[0].Arguments, "text"
	}
	return "", nil, "none"
}

// takes reports whether arguments have all that a tool must be given and nothing
// that it does not know. The server judges their values.
func takes(input mcp.ToolInputSchema, args map[string]any) bool {
	for name := range args {
		if _, known := input.Properties[name]; !known {
			return false
		}
	}
	return args != nil && !slices.ContainsFunc(input.Required, func(name string) bool { return args[name] == nil })
}
