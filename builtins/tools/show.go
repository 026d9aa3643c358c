package tools

import (
	"context"
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/catalog"
)

// ShowIn names a tool.
type ShowIn struct {
	Tool   string `json:"tool" doc:"name of the tool, as a search gives it"`
	Server string `json:"server,omitempty" doc:"its server, where the name alone could mean two"`
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
}

// Whole marks it as a value that leaves uncut: half a schema is none.
func (ShowOut) Whole() {}

// Show is tools.show.
func Show() catalog.Builtin {
	return catalog.New("tools.show", "Show the schema and the full description of one upstream tool", catalog.Upstream,
		func(ctx context.Context, env *catalog.Env, in ShowIn) (ShowOut, error) {
			up, err := upstreams(env)
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
			return out, nil
		})
}
