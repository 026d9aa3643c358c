package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/tokens"
)

// Result passes a masked result through the tool_result hook. A hook that fails or
// is late is skipped: the result passes as it is.
func (r *Runner) Result(ctx context.Context, w World, res gateway.Result) json.RawMessage {
	if w.pipeline(toolResult) == nil {
		return res.Raw
	}
	result, err1 := exact(res.Raw)
	arguments, err2 := exact(res.Args)
	if err1 != nil || err2 != nil {
		return res.Raw
	}
	value, err := r.run(ctx, w, toolResult, res.Session, map[string]any{"server": res.Server, "tool": res.Tool, "arguments": arguments, "result": result,
		"tokens": tokens.Estimate(string(res.Raw))})
	var out json.RawMessage
	if err == nil {
		out, err = asResult(value, res.Raw)
	}
	if err != nil {
		r.skip(ctx, w, toolResult, res.Session, err)
		return res.Raw
	}
	return out
}

// exact decodes JSON with numbers as they were written.
func exact(raw json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// asResult is what a tool_result hook gives as a result: a whole one, or a text
// that takes the place of the content.
func asResult(value any, old json.RawMessage) (json.RawMessage, error) {
	if r, ok := value.(contract.ToolResult); ok {
		return r.Raw, nil
	}
	if text, ok := value.(string); ok {
		var was struct {
			IsError bool `json:"isError,omitempty"`
		}
		_ = json.Unmarshal(old, &was) // it was an object before
		return json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": text}}, "isError": was.IsError})
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var shape struct{ Content []json.RawMessage }
	if err := json.Unmarshal(raw, &shape); err != nil || shape.Content == nil {
		return nil, errors.New("its output is neither a text nor a result with content")
	}
	return raw, nil
}
