package plan

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// ExplainedRole describes what a stage's role takes and returns, and how it is answered.
type ExplainedRole struct {
	Task     string          `json:"task"` // off if no model is asked
	Input    json.RawMessage `json:"input"`
	Output   json.RawMessage `json:"output"`
	Fallback string          `json:"fallback"` // the answer without a model
	Checks   []string        `json:"checks,omitempty"`

	in, out *schema.Schema
}

func explainRole(r *Role) *ExplainedRole {
	e := &ExplainedRole{Task: r.Task.Name, Input: r.In.JSON(), Output: r.Out.JSON(), Fallback: r.describeFallback(), in: r.In, out: r.Out}
	if !r.Asks() {
		e.Task = task.Off
	}
	for _, c := range r.Checks {
		e.Checks = append(e.Checks, c.describeCheck())
	}
	return e
}

// describeFallback describes the answer without a model.
func (r *Role) describeFallback() string {
	f := r.Fallback
	switch {
	case f.Builtin.Name != "":
		return "builtin " + f.Builtin.Name
	case f.Value != nil:
		return "the value " + f.Value.Source
	case f.Code != "":
		return "the error " + f.Code
	}
	return "builtin " + r.Ground.Name
}

// describeCheck formats a check with its limit and fields, if the role sets them, and the consequence of a failure.
func (c Check) describeCheck() string {
	text := c.Name
	if c.Most > 0 {
		text += fmt.Sprintf(" %d", c.Most)
	}
	if len(c.Fields) > 0 {
		text += " of " + strings.Join(c.Fields, ", ")
	}
	return text + ", else " + c.Fail
}

// describeRole describes the role in words, for display below its stage.
func (e *ExplainedRole) describeRole() []string {
	asks := "task " + e.Task
	if e.Task == task.Off {
		asks = "asks no model"
	}
	out := []string{"takes " + e.in.Line(), "gives " + e.out.Line(), asks + "; without a model " + e.Fallback}
	if len(e.Checks) > 0 {
		out = append(out, "checks "+strings.Join(e.Checks, "; "))
	}
	return out
}
