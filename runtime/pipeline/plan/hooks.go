package plan

import (
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Hook is a pipeline that runs on the traffic of upstream servers.
type Hook struct {
	Pipeline *Pipeline
	When     *Program // nil for always
}

// hookInputs are the inputs that a hook's pipeline may ask for and its condition reads.
var hookInputs = map[string]*schema.Schema{
	"tools_list": {Type: schema.Object, Fields: []schema.Field{
		{Name: "selection", Schema: selection},
		{Name: "tools", Required: true, Schema: &schema.Schema{Type: schema.Array, Items: &schema.Schema{}}},
	}},
	"tool_result": {Type: schema.Object, Fields: []schema.Field{
		{Name: "arguments", Required: true, Schema: &schema.Schema{}},
		{Name: "most", Required: true, Schema: &schema.Schema{Type: schema.Integer, Doc: "tokens that a short text may have"}},
		{Name: "raw", Required: true, Schema: str("the result as it was sent, JSON in a text")},
		{Name: "result", Required: true, Schema: &schema.Schema{}},
		{Name: "schema", Schema: &schema.Schema{Doc: "that the structured content is held against"}},
		{Name: "server", Required: true, Schema: str("")},
		{Name: "summarization", Schema: summarization},
		{Name: "tokens", Required: true, Schema: &schema.Schema{Type: schema.Integer}},
		{Name: "tool", Required: true, Schema: str("")},
	}},
}

// whenInputs are the inputs of a condition that sees fewer: the condition of tools_list
// is evaluated once for all sessions.
var whenInputs = map[string]*schema.Schema{
	"tools_list": {Type: schema.Object, Fields: []schema.Field{{Name: "selection", Schema: selection}}},
}

// whenInput returns the schema of the environment of a hook's condition.
func whenInput(hook string) *schema.Schema {
	if less := whenInputs[hook]; less != nil {
		return less
	}
	return hookInputs[hook]
}

var selection = &schema.Schema{Type: schema.Object, Doc: "which tools are listed", Fields: []schema.Field{
	{Name: "cached", Required: true, Schema: &schema.Schema{Type: schema.Number}},
	{Name: "max_tools", Required: true, Schema: &schema.Schema{Type: schema.Integer}},
	{Name: "min_tools", Required: true, Schema: &schema.Schema{Type: schema.Integer}},
	{Name: "miss", Required: true, Schema: &schema.Schema{Type: schema.Number}},
	{Name: "pinned", Required: true, Schema: texts},
	{Name: "room", Required: true, Schema: &schema.Schema{Type: schema.Integer}},
	{Name: "strategy", Required: true, Schema: str("prediction, allowlist, denylist or none")},
	{Name: "tools", Required: true, Schema: texts},
	{Name: "unwanted", Required: true, Schema: texts},
	{Name: "weights", Schema: &schema.Schema{Doc: "of the predictors, by name"}},
}}

var texts = &schema.Schema{Type: schema.Array, Items: &schema.Schema{Type: schema.String}}

var summarization = &schema.Schema{Type: schema.Object, Doc: "what becomes of the long results of a tool", Fields: []schema.Field{
	{Name: "size_threshold_tokens", Required: true, Schema: &schema.Schema{Type: schema.Integer}},
	{Name: "summary_max_token_limit", Required: true, Schema: &schema.Schema{Type: schema.Integer}},
}}

// resolveHooks resolves the pipelines that run on upstream traffic.
func (c *compiler) resolveHooks() {
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Hooks)) {
		h := c.cfg.Hooks[name]
		p, ok := c.plan.Pipelines[h.Pipeline]
		if !ok {
			c.reportUnknown("C105", "pipeline", h.Pipeline, slices.Sorted(maps.Keys(c.cfg.Pipelines)), "hooks", name, "pipeline")
			continue
		}
		c.onTraffic(name, p)
		inputs := hookInputs[name]
		for _, f := range p.Input.Fields {
			if f.Required && f.Schema.Default == nil && inputs.Field(f.Name) == nil {
				d := c.at("C106", "hooks", name, "pipeline")
				d.Message = "pipeline " + h.Pipeline + " needs input " + f.Name + ", which the hook does not have"
				d.Allowed = inputs.Names()
				c.report(d)
			}
		}
		hook := &Hook{Pipeline: p}
		if h.When != "" {
			hook.When = c.compileAt(h.When, whenInput(name), true, setting{}, []string{"hooks", name, "when"}, nil)
		}
		c.plan.Hooks[name] = hook
	}
}

// Holds reports whether a hook runs on the inputs of its pipeline.
func (h *Hook) Holds(input map[string]any) (bool, error) {
	if h.When == nil {
		return true, nil
	}
	return h.When.Test(input)
}

// Sees reports whether an expression reads a name of its environment, or all of it.
func (p *Program) Sees(name string) bool {
	return slices.Contains(p.Reads, name) || slices.Contains(p.Reads, envAll)
}

// Reads reports whether a hook's condition or pipeline can see an input.
func (h *Hook) Reads(input string) bool {
	return h.Pipeline.Input.Field(input) != nil || h.Pipeline.Input.Open != nil || h.When != nil && h.When.Sees(input)
}
