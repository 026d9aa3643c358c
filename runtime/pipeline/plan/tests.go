package plan

import (
	"maps"
	"slices"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// checkEnv is the environment for the expectations of a config test: the reply as JSON,
// and the error code if the call failed.
var checkEnv = &schema.Schema{Type: schema.Object, Fields: []schema.Field{
	{Name: "result", Schema: &schema.Schema{}},
	{Name: "error", Schema: &schema.Schema{Type: schema.String}},
	{Name: "tokens", Schema: &schema.Schema{Type: schema.Integer}},
}}

// compileTests compiles the expectations of the configuration's own tests.
func (c *compiler) compileTests() {
	c.plan.Checks = map[string][]*Program{}
	tools := slices.Sorted(maps.Keys(c.cfg.Tools))
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Tests)) {
		t := c.cfg.Tests[name]
		if _, ok := c.cfg.Tools[t.Tool]; !ok {
			c.reportUnknown("C103", "tool", t.Tool, tools, "tests", name, "tool")
		}
		for i, src := range t.Expect {
			path := []string{"tests", name, "expect", strconv.Itoa(i)}
			if p := c.compileAt(src, checkEnv, true, setting{}, path, nil); p != nil {
				c.plan.Checks[name] = append(c.plan.Checks[name], p)
			}
		}
	}
}
