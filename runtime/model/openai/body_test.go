package openai

import (
	"encoding/json"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// TestBody writes a request out: the same always, byte for byte, because
// recordings are found by it.
func TestBody(t *testing.T) {
	req := model.Request{
		Messages: []model.Message{
			{Role: model.System, Content: "Answer <briefly> & well."},
			{Role: model.User, Content: "Where?"},
			{Role: model.Assistant, Calls: []model.ToolCall{{ID: "1", Name: "grep", Arguments: `{"word":"a"}`}, {ID: "2", Name: "ls", Arguments: `{"broken`}}},
			{Role: model.ToolRole, CallID: "1", Tool: "grep", Content: "a.go:1"},
		},
		Tools: []model.Tool{
			{Name: "grep", Description: "find a word", Parameters: json.RawMessage(`{"type": "object"}`)},
			{Name: "ls"},
		},
		Schema:    &model.Schema{Name: "answer", JSON: json.RawMessage(`{"type": "object"}`)},
		MaxTokens: 200,
	}
	const want = `{"model":"m","messages":[` +
		`{"role":"system","content":"Answer <briefly> & well."},` +
		`{"role":"user","content":"Where?"},` +
		`{"role":"assistant","content":"","tool_calls":[{"id":"1","type":"function","function":{"name":"grep","arguments":"{\"word\":\"a\"}"}},{"id":"2","type":"function","function":{"name":"ls","arguments":"{}"}}]},` +
		`{"role":"tool","content":"a.go:1","tool_call_id":"1","name":"grep"}],` +
		`"tools":[{"type":"function","function":{"name":"grep","description":"find a word","parameters":{"type":"object"}}},{"type":"function","function":{"name":"ls","parameters":{"type":"object","properties":{}}}}],` +
		`"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{"type":"object"}}},` +
		`"max_tokens":200,"temperature":0,"seed":1,"stream":true,"stream_options":{"include_usage":true}}`
	for range 10 {
		got, err := chatJSON("m", req, plain, nil)
		if err != nil || string(got) != want {
			t.Fatalf("%v\ngot  %s\nwant %s", err, got, want)
		}
	}
}

func TestBrokenSchemaIsNotSent(t *testing.T) {
	server := studio(t, "lmstudio-reasoning")
	req := say("hi")
	req.Schema = &model.Schema{Name: "a", JSON: json.RawMessage(`{"type":`)}
	_, err := endpoint(t, model.Options{Client: server}).Chat(t.Context(), req, nil)
	if !model.Is(err, model.Refused) || len(server.to(chatPath)) != 0 {
		t.Errorf("%v", err)
	}
}
