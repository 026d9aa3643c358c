package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/gateway"
)

// Result passes a masked result through the tool_result hook, if it runs on it. A hook
// that fails or is late is skipped: the result passes unchanged, unless it had to be
// shortened; then a text about the failure replaces it.
func (r *Runner) Result(ctx context.Context, w Env, res gateway.Result) (out gateway.HookResult) {
	defer func() {
		if recover() != nil { // a bug of ours costs the hook, not the result
			r.emitSkipped(ctx, w, toolResult, res.Session, errBroke)
			out = gateway.HookResult{Raw: res.Raw}
		}
	}()
	h := w.Plan.Hooks[toolResult]
	if h == nil {
		return gateway.HookResult{Raw: res.Raw}
	}
	m := sizedResult{Result: res}
	if h.Reads("tokens") {
		m.countTokens()
	}
	input, err := m.conditionInput(h)
	if err != nil {
		return gateway.HookResult{Raw: res.Raw}
	}
	if runs, err := h.Holds(input); err != nil || !runs {
		if err != nil {
			r.emitSkipped(ctx, w, toolResult, res.Session, err)
		}
		return gateway.HookResult{Raw: res.Raw}
	}
	if input, err = m.addLarge(input, h.Reads); err != nil {
		return gateway.HookResult{Raw: res.Raw}
	}
	value, err := r.run(ctx, w, toolResult, res.Session, input)
	if err == nil {
		out, err = m.applyOutput(value)
	}
	if err != nil {
		r.emitSkipped(ctx, w, toolResult, res.Session, err)
		if res.Summaries != nil && ctx.Err() == nil {
			_, e := contract.AsError(err)
			return m.failureNote(e.Code + ": " + w.Line(e.Message))
		}
		return gateway.HookResult{Raw: res.Raw}
	}
	return out
}

var errBroke = &contract.Error{Name: "HookError", Code: "INTERNAL", Message: "internal error; please report it"}

// decodeExact decodes JSON and keeps numbers as they are written.
func decodeExact(raw json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// asResult converts the output of a tool_result hook to a result. A text replaces the
// content.
func asResult(value any, old json.RawMessage) (json.RawMessage, error) {
	if r, ok := value.(contract.ToolResult); ok {
		return r.Raw, nil
	}
	if text, ok := value.(string); ok {
		var was struct {
			IsError bool `json:"isError,omitempty"`
		}
		_ = json.Unmarshal(old, &was) // it is an object: it was decoded before
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
