package service

import (
	"fmt"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// readLimits reads the limits of a call, which can only narrow the configured ones. A
// limit too small for an answer is raised to the tool's minimum, which raised reports.
func readLimits(input map[string]any, least config.Least) (limits budget.Limits, tokens int, raised string) {
	c, _ := input[plan.RequestLimits].(map[string]any)
	var said []string
	num := func(key string, least int) int {
		f, _ := c[key].(float64)
		n := int(f)
		if n > 0 && n < least {
			said = append(said, fmt.Sprintf("%s from %d to %d", key, n, least))
			return least
		}
		return n
	}
	limits = budget.Limits{Time: time.Duration(num("time_ms", least.TimeMS)) * time.Millisecond, Files: num("files", least.Files), Bytes: int64(num("bytes", least.Bytes))}
	tokens = num("tokens", least.Tokens)
	if len(said) > 0 {
		raised = "limits too small to answer in were raised: " + strings.Join(said, ", ")
	}
	return limits, tokens, raised
}

// nonEmpty returns the non-empty texts.
func nonEmpty(list ...string) (out []string) {
	for _, text := range list {
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}
