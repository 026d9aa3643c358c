package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs/brief"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// ShowIn names a tool.
type ShowIn struct {
	Tool     string `json:"tool" doc:"name of the tool, as a search gives it"`
	Server   string `json:"server,omitempty" doc:"its server, where the name alone could mean two"`
	Property string `json:"property,omitempty" doc:"show the schema of this argument alone, such as filter.tags: where the whole is cut"`
	Tokens   int    `json:"tokens,omitempty" doc:"that the description and the schemas have at most; 0 for no limit" min:"0"`
}

// ShowOut is all that a model needs to run a tool.
type ShowOut struct {
	Tool         string            `json:"tool" doc:"name to run it by"`
	Server       string            `json:"server" doc:"that runs it"`
	Description  string            `json:"description" doc:"in the server's words"`
	InputSchema  json.RawMessage   `json:"input_schema" doc:"JSON schema of the arguments"`
	OutputSchema json.RawMessage   `json:"output_schema,omitempty" doc:"JSON schema of the structured result"`
	Examples     []json.RawMessage `json:"examples,omitempty" doc:"arguments of calls as they may be"`
	Hints        string            `json:"hints,omitempty" doc:"read-only or destructive"`
	Tags         []string          `json:"tags,omitempty" doc:"given by the configuration"`
	Disabled     string            `json:"disabled,omitempty" doc:"why it cannot be run"`
	Flags        []string          `json:"flags,omitempty" doc:"what was taken out of its texts"`
	LeftOut      []string          `json:"left_out,omitempty" doc:"what is cut: ask again with property to see it"`
}

// Whole marks the value as never cut: half a schema is useless.
func (ShowOut) Whole() {}

// Show returns tools.show, which shows the schema of one upstream tool.
func Show() catalog.Builtin {
	return catalog.New("tools.show", "Show the schema and the full description of one upstream tool", catalog.Upstream,
		func(ctx context.Context, env *catalog.Env, in ShowIn) (ShowOut, error) {
			up, err := requireUpstreams(env)
			if err != nil {
				return ShowOut{}, err
			}
			t, err := up.Find(ctx, in.Tool, in.Server)
			if err != nil {
				return ShowOut{}, err
			}
			out := ShowOut{Tool: t.Listed, Server: t.Server, Description: t.Description, InputSchema: t.Input, OutputSchema: t.Output, Hints: t.Hints,
				Tags: t.Tags, Flags: t.Flags}
			if t.Examples != nil {
				out.Examples = t.Examples()
			}
			if !t.Enabled {
				out.Disabled = t.Why
			}
			if in.Property != "" {
				if out.InputSchema = brief.Property(t.Input, in.Property); out.InputSchema == nil {
					return ShowOut{}, noProperty(t, in.Property)
				}
				out.Description, out.OutputSchema, out.Examples = "", nil, nil
			}
			out.fitTokens(in.Tokens)
			return out, nil
		})
}

// fitTokens cuts the output to room tokens; 0 means no limit. The description gets at most half of them,
// the arguments at most three quarters of the rest.
func (o *ShowOut) fitTokens(room int) {
	if room <= 0 {
		return
	}
	if size, _ := tokens.Head(o.Description, room/2); size < len(o.Description) {
		o.LeftOut = append(o.LeftOut, fmt.Sprintf("description: the last %d of %d bytes", len(o.Description)-size, len(o.Description)))
		o.Description = contract.Shorten(o.Description, size)
	}
	room -= tokens.Count(o.Description)
	within := room
	if o.OutputSchema != nil || o.Examples != nil {
		within = room * 3 / 4
	}
	input, left := brief.Fit(o.InputSchema, func(s string) bool { return tokens.Fits(s, within) })
	o.InputSchema = input
	o.LeftOut = append(o.LeftOut, left...)
	room -= tokens.Count(string(o.InputSchema))
	for i, e := range o.Examples {
		if room -= tokens.Count(string(e)); room < 0 {
			o.LeftOut = append(o.LeftOut, fmt.Sprintf("%d of %d examples", len(o.Examples)-i, len(o.Examples)))
			o.Examples = o.Examples[:i:i]
			break
		}
	}
	if o.OutputSchema != nil && !tokens.Fits(string(o.OutputSchema), room) {
		o.OutputSchema, left = brief.Fit(o.OutputSchema, func(s string) bool { return tokens.Fits(s, room) })
		for _, note := range left {
			o.LeftOut = append(o.LeftOut, "of the result, "+note)
		}
	}
}

// noProperty returns the error for an argument that a tool does not have.
func noProperty(t *catalog.UpstreamTool, property string) error {
	var names []string
	for _, p := range brief.Params(t.Input) {
		names = append(names, p.Name)
	}
	return &contract.Error{Name: "ValidationError", Code: "TOOL_VALIDATION_ERROR",
		Message: fmt.Sprintf("%s has no argument %q; it has: %s", t.Listed, property, diag.Some(property, names))}
}
