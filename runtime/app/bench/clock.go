package bench

import (
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/cputime"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

var began = time.Now()

// processSpent returns the CPU and wall time that the process has used so far.
func processSpent() catalog.Spent {
	return catalog.Spent{CPU: int64(cputime.Process()), Wall: int64(time.Since(began))}
}
