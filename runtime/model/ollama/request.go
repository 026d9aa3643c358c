package ollama

import (
	"encoding/json"
	"fmt"

	"github.com/ollama/ollama/api"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// seed is fixed, so that a server gives the same answer to the same request.
const seed = 1

// buildRequest builds the request to the server. Equal requests are equal bytes.
func (e *Endpoint) buildRequest(who string, f facts, req model.Request) (*api.ChatRequest, error) {
	if len(req.Tools) > 0 && f.tell && !f.has(model.CanTools) {
		return nil, e.withName(model.Error{Kind: model.Unsupported,
			Message: who + " has no tools", Do: "ask without, or choose another model"}, who)
	}
	tools, err := toolsOf(req.Tools)
	if err != nil {
		return nil, e.withName(model.Error{Kind: model.Refused, Message: err.Error(), Err: err}, who)
	}
	yes, no := true, false
	ask := &api.ChatRequest{
		Model: who, Messages: messagesOf(req.Messages), Tools: tools, Stream: &yes,
		// Without both, Ollama silently drops what does not fit.
		Truncate: &no, Shift: &no,
		Options: map[string]any{"num_ctx": f.window, "temperature": 0, "seed": seed},
		Think:   f.thinkValue(),
	}
	if req.MaxTokens > 0 {
		ask.Options["num_predict"] = req.MaxTokens
	}
	// With a format, Ollama's models call no tools.
	if req.Schema != nil && len(tools) == 0 {
		ask.Format = req.Schema.JSON
	}
	return ask, nil
}

// thinkValue turns thinking off, which is on by default. The option must not be sent to a
// model that does not think.
func (f facts) thinkValue() *api.ThinkValue {
	switch {
	case !f.has(model.CanThink):
		return nil
	case f.levels:
		return &api.ThinkValue{Value: "low"}
	}
	return &api.ThinkValue{Value: false}
}

func messagesOf(all []model.Message) []api.Message {
	out := make([]api.Message, 0, len(all))
	for _, m := range all {
		to := api.Message{Role: string(m.Role), Content: m.Content}
		if m.Role == model.ToolRole {
			to.ToolName, to.ToolCallID = m.Tool, m.CallID
		}
		for i, c := range m.Calls {
			to.ToolCalls = append(to.ToolCalls, api.ToolCall{ID: c.ID, Function: api.ToolCallFunction{
				Index: i, Name: c.Name, Arguments: argumentsOf(c.Arguments)}})
		}
		out = append(out, to)
	}
	return out
}

// argumentsOf parses the arguments of an earlier call. Ollama accepts only an object:
// anything else that the model wrote goes into a member "arguments".
func argumentsOf(text string) api.ToolCallFunctionArguments {
	args := api.NewToolCallFunctionArguments()
	if text == "" || json.Unmarshal([]byte(text), &args) == nil {
		return args
	}
	args = api.NewToolCallFunctionArguments()
	args.Set("arguments", text)
	return args
}

func toolsOf(all []model.Tool) (api.Tools, error) {
	var out api.Tools
	for _, t := range all {
		f := api.ToolFunction{Name: t.Name, Description: t.Description}
		if len(t.Parameters) > 0 {
			if err := json.Unmarshal(t.Parameters, &f.Parameters); err != nil {
				return nil, fmt.Errorf("tool %s has parameters that Ollama does not take: %s", t.Name, oneLine(err.Error()))
			}
		}
		if f.Parameters.Type == "" {
			f.Parameters.Type = "object"
		}
		if f.Parameters.Properties == nil {
			f.Parameters.Properties = api.NewToolPropertiesMap()
		}
		out = append(out, api.Tool{Type: "function", Function: f})
	}
	return out, nil
}
