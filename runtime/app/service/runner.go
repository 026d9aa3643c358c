package service

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// Elsewhere returns an error that explains how to call a tool that is not listed: an upstream tool runs through the
// tool that runs upstream tools. It returns nil if it has no advice to give.
func (b Backend) Elsewhere(_ context.Context, name string, args json.RawMessage) error {
	snap := b.snap()
	cfg := snap.Plan.Config.Gateway
	if !cfg.Discovers() && !cfg.Proxies() {
		return nil
	}
	listed, err := b.gatewayOf(b.as).Unlisted(name)
	if err != nil {
		return codedError(snap.maskError(err))
	}
	r, ok := runnerOf(snap.Plan.ToolsFor(catalog.Execute))
	if listed == "" || !ok || !cfg.Discovers() {
		return nil
	}
	e := &contract.Error{Name: "NotFoundError", Code: "TOOL_NOT_FOUND", Message: snap.Egress.Line(name) + " is not a tool of this list: " + r.tool.Name + " runs it"}
	return failure{e, "call " + r.tool.Name + " with " + r.call(listed, repeatableArgs(snap, args))}
}

// maxRepeated bounds the arguments that an error repeats, in bytes.
const maxRepeated = 600

// repeatableArgs returns the arguments for an error to repeat, or nil if they are long or
// contain anything to mask: incomplete arguments would not make a valid call.
func repeatableArgs(snap *Snapshot, args json.RawMessage) json.RawMessage {
	text := string(args)
	if len(text) > maxRepeated || snap.Egress.Line(text) != text || strings.Contains(text, "  ") || rawjson.Of(args) != rawjson.Object {
		return nil
	}
	return args
}

// runner is a tool that runs any upstream tool, with the names of its inputs for the
// tool's name and arguments.
type runner struct {
	tool       *plan.Tool
	name, args string
}

// runnerOf finds the tool whose inputs are a name and arbitrary arguments.
func runnerOf(list []*plan.Tool) (runner, bool) {
	for _, t := range list {
		r := runner{tool: t}
		for _, f := range t.Input.Fields {
			switch {
			case r.name == "" && f.Required && f.Schema.Type == schema.String:
				r.name = f.Name
			case r.args == "" && f.Schema.Type == schema.Object && f.Schema.Open != nil:
				r.args = f.Name
			}
		}
		if r.name != "" && r.args != "" {
			return r, true
		}
	}
	return runner{}, false
}

// RunUpstream returns the call that runs an upstream tool, through a runner tool that
// clients need not see.
func (s *Service) RunUpstream(tool string, args json.RawMessage) (Call, error) {
	snap := s.Snapshot()
	r, ok := runnerOf(snap.Plan.Reaching(catalog.Execute))
	if !ok {
		return Call{}, snap.maskError(&contract.Error{Name: "NotFoundError", Code: "TOOL_NOT_FOUND",
			Message: "no tool of the configuration runs those of upstream servers; one is needed that takes a name and arguments"})
	}
	raw, err := json.Marshal(map[string]any{r.name: tool, r.args: args})
	return Call{Tool: r.tool.Name, Args: raw}, err
}

// call formats the call that runs a tool.
func (r runner) call(tool string, args json.RawMessage) string {
	text := `{` + string(rawjson.Quote(r.name)) + `:` + string(rawjson.Quote(tool)) + `,` + string(rawjson.Quote(r.args)) + `:`
	if args == nil {
		return text + "…}, its arguments where … stands"
	}
	return text + string(args) + `}`
}
