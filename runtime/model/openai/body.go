package openai

import (
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// seed is constant: together with temperature 0, a question gets the same answer again,
// as far as the server can.
const seed = 1

// Fields of a request that some servers reject. Each can be left out without making the
// answer wrong; only its form is less certain.
const (
	fieldSchema      = "response_format"
	fieldOptions     = "stream_options"
	fieldSeed        = "seed"
	fieldTemperature = "temperature"
	fieldThinking    = "chat_template_kwargs"
	fieldMax         = "max_tokens" // if rejected, it is sent under its newer name
)

var droppable = []string{fieldSchema, fieldOptions, fieldSeed, fieldTemperature, fieldThinking, fieldMax}

// The order of the fields is their order in the request: equal requests have equal
// bytes, by which recordings are found.
type chatBody struct {
	Model         string          `json:"model"`
	Messages      []wireMessage   `json:"messages"`
	Tools         []wireTool      `json:"tools,omitempty"`
	Format        *wireFormat     `json:"response_format,omitempty"`
	MaxTokens     int             `json:"max_tokens,omitempty"`
	MaxCompletion int             `json:"max_completion_tokens,omitempty"`
	Temperature   *int            `json:"temperature,omitempty"`
	Seed          int             `json:"seed,omitempty"`
	Stream        bool            `json:"stream"`
	StreamOptions *streamOptions  `json:"stream_options,omitempty"`
	Template      *templateValues `json:"chat_template_kwargs,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type templateValues struct {
	EnableThinking bool `json:"enable_thinking"`
}

type wireMessage struct {
	Role    model.Role `json:"role"`
	Content string     `json:"content"` // never null: LM Studio rejects that
	Calls   []wireCall `json:"tool_calls,omitempty"`
	CallID  string     `json:"tool_call_id,omitempty"`
	Name    string     `json:"name,omitempty"`
}

type wireCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type wireTool struct {
	Type     string      `json:"type"`
	Function wireDeclare `json:"function"`
}

type wireDeclare struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

type wireFormat struct {
	Type   string     `json:"type"`
	Schema wireSchema `json:"json_schema"`
}

type wireSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

// chatJSON returns the body of a request, without the fields in left, which were
// rejected before. An error concerns the schema or the parameters of a tool.
func chatJSON(name string, req model.Request, kind kind, left map[string]bool) ([]byte, error) {
	b := chatBody{Model: name, Messages: toWireMessages(req.Messages), Tools: toWireTools(req.Tools), Stream: true}
	if req.Schema != nil && !left[fieldSchema] {
		b.Format = &wireFormat{Type: "json_schema", Schema: wireSchema{Name: req.Schema.Name, Strict: true, Schema: req.Schema.JSON}}
	}
	if left[fieldMax] {
		b.MaxCompletion = req.MaxTokens
	} else {
		b.MaxTokens = req.MaxTokens
	}
	if !left[fieldTemperature] {
		b.Temperature = new(int)
	}
	if !left[fieldSeed] {
		b.Seed = seed
	}
	if !left[fieldOptions] {
		b.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if kind.takesTemplateValues() && !left[fieldThinking] {
		b.Template = &templateValues{}
	}
	return rawjson.Marshal(b)
}

func toWireMessages(in []model.Message) []wireMessage {
	out := make([]wireMessage, len(in))
	for i, m := range in {
		out[i] = wireMessage{Role: m.Role, Content: m.Content, CallID: m.CallID, Name: m.Tool}
		for _, c := range m.Calls {
			out[i].Calls = append(out[i].Calls, wireCall{
				ID: c.ID, Type: "function", Function: wireFunction{Name: c.Name, Arguments: objectOrEmpty(c.Arguments)},
			})
		}
	}
	return out
}

// objectOrEmpty returns the arguments that a model wrote, or {} if they are not a JSON object:
// templates render past calls from them, and llama.cpp answers broken ones with an
// error.
func objectOrEmpty(arguments string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &fields) != nil || fields == nil {
		return "{}"
	}
	return arguments
}

func toWireTools(in []model.Tool) []wireTool {
	var out []wireTool
	for _, t := range in {
		params := t.Parameters
		if len(params) == 0 {
			params = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		out = append(out, wireTool{Type: "function", Function: wireDeclare{Name: t.Name, Description: t.Description, Parameters: params}})
	}
	return out
}
