package service

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/compactor-mcp/compactor/runtime/agent"
	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/engine"
	"github.com/compactor-mcp/compactor/runtime/event"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/plan"
	"github.com/compactor-mcp/compactor/runtime/tokens"
)

// listHookTime bounds the hook on lists: a client waits for its list before it
// shows anything at all.
const listHookTime = time.Second

// hookRunners run the pipelines of hooks. They have a pool of their own: a hook
// runs inside a call that holds a worker of the other.
func hookRunners(workers int) *engine.Engine { return engine.New(engine.NewPool(workers, 8*workers)) }

// hook runs the pipeline of a hook, if there is one and the snapshot lasts.
func (s *Service) hook(ctx context.Context, name string, input map[string]any) (value any, ran bool, err error) {
	snap := s.acquire()
	defer snap.lease.release()
	h, ok := snap.Plan.Config.Hooks[name]
	if !ok {
		return nil, false, nil
	}
	ctx, span := event.Start(s.events.Into(ctx, "", ""), event.Event{Kind: event.Hook, Name: name})
	defer func() { catalog.End(span, err) }()
	p := snap.Plan.Pipelines[h.Pipeline]
	res, err := s.hooks.Run(ctx, engine.Request{Pipeline: p, Roles: agent.Runner{Chain: snap.Models.chainOf(Call{}), Mask: snap.maskOf},
		Input: only(p, input), Roots: snap.Plan.Config.Roots, Sandbox: snap.Roots, Kinds: snap.Kinds, Scan: snap.Plan.Config.Sandbox.ScanTime})
	if err != nil {
		return nil, true, err
	}
	return res.Value, true, nil
}

// only are the inputs that a pipeline asks for.
func only(p *plan.Pipeline, input map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range input {
		if p.Input.Field(k) != nil || p.Input.Open != nil {
			out[k] = v
		}
	}
	return out
}

// chosen are the upstream tools that the tools_list hook leaves, in its order. A
// hook that fails or is late is skipped: the list is whole then.
func (s *Service) chosen(list []gateway.Listed) []gateway.Listed {
	if len(list) == 0 {
		return list
	}
	ctx, cancel := context.WithTimeout(context.Background(), listHookTime)
	defer cancel()
	tools := make([]any, len(list))
	byName := make(map[string]gateway.Listed, len(list))
	for i, t := range list {
		byName[t.Name] = t
		tools[i] = map[string]any{"name": t.Name, "server": t.Server, "description": t.Description, "tags": t.Tags, "uses": t.Uses}
	}
	value, ran, err := s.hook(ctx, "tools_list", map[string]any{"tools": tools})
	if !ran {
		return list
	}
	names, bad := toolNames(value)
	if err == nil {
		err = bad
	}
	if err != nil {
		s.skipped(ctx, "tools_list", err)
		return list
	}
	out := []gateway.Listed{}
	for _, n := range names {
		if t, ok := byName[n]; ok {
			out = append(out, t)
			delete(byName, n) // a name twice is one tool
		}
	}
	return out
}

// toolNames reads what a tools_list hook gives: names, or objects with a name.
func toolNames(value any) ([]string, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, fmt.Errorf("its output is not a list of tools")
	}
	var out []string
	for _, it := range items {
		var name string
		var object struct{ Name string }
		if json.Unmarshal(it, &name) != nil {
			if json.Unmarshal(it, &object) != nil || object.Name == "" {
				return nil, fmt.Errorf("its output is not a list of tools")
			}
			name = object.Name
		}
		out = append(out, name)
	}
	return out, nil
}

// result passes a masked result through the tool_result hook. A hook that fails
// or is late is skipped: the result passes as it is.
func (s *Service) result(ctx context.Context, r gateway.Result) json.RawMessage {
	if _, ok := s.Snapshot().Plan.Config.Hooks["tool_result"]; !ok {
		return r.Raw
	}
	result, err1 := exact(r.Raw)
	arguments, err2 := exact(r.Args)
	if err1 != nil || err2 != nil {
		return r.Raw
	}
	value, ran, err := s.hook(ctx, "tool_result", map[string]any{"server": r.Server, "tool": r.Tool, "arguments": arguments, "result": result,
		"tokens": tokens.Estimate(string(r.Raw))})
	if !ran {
		return r.Raw
	}
	raw, bad := asResult(value, r.Raw)
	if err == nil {
		err = bad
	}
	if err != nil {
		s.skipped(ctx, "tool_result", err)
		return r.Raw
	}
	return raw
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
		return nil, fmt.Errorf("its output is neither a text nor a result with content")
	}
	return raw, nil
}

// warn logs what a person should look at.
func (s *Snapshot) warn(what string, more ...any) {
	if s.opt.Logger != nil {
		s.opt.Logger.Warn(what, more...)
	}
}
