package service

import (
	"context"
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// Invoke validates and repairs the arguments as the MCP server does, then calls the tool.
func (s *Service) Invoke(ctx context.Context, c Call) (*Reply, error) {
	tool, err := s.Tool(c.Tool)
	if err != nil {
		return nil, err
	}
	if tool.Input.Open == nil { // an open input is validated by its recipient
		if c.Args, err = toolargs.Validate(tool.Input.JSON(), c.Args); err != nil {
			return nil, s.Snapshot().maskError(err)
		}
	}
	return s.Call(ctx, c)
}

// Tool returns a tool, or an error that suggests the nearest name.
func (s *Service) Tool(name string) (*plan.Tool, error) {
	snap := s.Snapshot()
	p := snap.Plan
	if t, ok := p.Tool(name); ok {
		return t, nil
	}
	msg := "tool " + name + " is not defined"
	if snap.held.Holds("tools", name) {
		msg = "tool " + name + " is not available: it came with a project configuration you have not allowed; review and allow it with: " + snap.AllowWith()
	} else if near := diag.Nearest(name, p.ToolNames()); near != "" {
		msg += "; did you mean " + near + "?"
	} else {
		msg += "; there are: " + diag.Some(name, p.ToolNames())
	}
	return nil, snap.maskError(&contract.Error{Name: "NotFoundError", Code: "TOOL_NOT_FOUND", Message: msg})
}

// Command returns the tool that runs for a compactor command, or an error that says how
// to assign one.
func (s *Service) Command(name string) (*plan.Tool, error) {
	snap := s.Snapshot()
	if t, ok := snap.Plan.Command(name); ok {
		return t, nil
	}
	return nil, snap.maskError(&contract.Error{Name: "NotFoundError", Code: "TOOL_NOT_FOUND",
		Message: "no tool of the configuration is there for this command; name one with: tools: NAME: command: \"" + name + "\""})
}

// AskTool returns the tool of compactor ask, or that of compactor research if the former is not served because no
// collection is configured; codeAlone reports the latter.
func AskTool(s *Service) (t *plan.Tool, codeAlone bool, err error) {
	if t, err = s.Command(plan.Ask); err == nil {
		return t, false, nil
	}
	if code, codeErr := s.Command(plan.Research); codeErr == nil && len(s.Snapshot().Plan.Config.Collections) == 0 {
		return code, true, nil
	}
	return nil, false, err
}

// Explain describes the effect of a call without running it; see plan.Explanation.
func (s *Service) Explain(ctx context.Context, tool string, raw json.RawMessage) (*plan.Explanation, error) {
	t, err := s.Tool(tool)
	if err != nil {
		return nil, err
	}
	if raw, err = toolargs.Validate(t.Input.JSON(), raw); err != nil {
		return nil, err
	}
	input, err := inputOf(t, raw)
	if err != nil {
		return nil, err
	}
	snap := s.Snapshot()
	n, err := snap.narrowRoots(input[plan.RequestRoots])
	if err != nil {
		return nil, err
	}
	return snap.Plan.Explain(ctx, t, input, n.dirs)
}

// Empty reports whether a reply has an empty list of references, and no citations.
func Empty(reply json.RawMessage) bool {
	var r struct {
		References *[]string         `json:"references"`
		Citations  []json.RawMessage `json:"citations"`
	}
	return json.Unmarshal(reply, &r) == nil && r.References != nil && len(*r.References)+len(r.Citations) == 0
}
