package catalog

import "github.com/compactor-mcp/compactor/runtime/base/budget"

// RunInfo is what a stage may know about the run it is part of: the stages that ended
// before it, and the resources used.
type RunInfo struct {
	Tasks    int      // stages and fan-out items that ran
	Roles    []string // names of roles that ran, in the plan's order
	Timeouts int      // stages that ran out of time
	Usage    budget.Usage
	Model    ModelUse
}
