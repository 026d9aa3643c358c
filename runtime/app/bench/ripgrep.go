package bench

import (
	"context"
	"os/exec"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Ripgrep is the cost of scanning the tree once with rg for the longest word of each
// question, as a familiar baseline.
type Ripgrep struct {
	CPU     Spread  `json:"cpu_ms"`
	Without float64 `json:"without_to_rg"` // ratio of CPU time
	Second  float64 `json:"second_to_rg"`
	Later   float64 `json:"later_to_rg"`
}

var wordRun = lazyregexp.New(`[A-Za-z0-9_]+`)

func longestWord(q string) string {
	longest := ""
	for _, w := range wordRun.FindAllString(q, -1) {
		if len(w) > len(longest) {
			longest = w
		}
	}
	return longest
}

// measureRipgrep runs rg for every question and round. It returns nil if rg is not installed.
func measureRipgrep(ctx context.Context, roots *sandbox.Set, r *Report) *Ripgrep {
	rg, err := exec.LookPath("rg")
	if err != nil {
		return nil
	}
	var ms []float64
	for range r.Rounds {
		for _, q := range r.Questions {
			args := []string{"--no-config", "-j2", "-n", "-i", "-F", "-e", longestWord(q), "--"}
			for _, root := range roots.Roots() {
				args = append(args, root.Path())
			}
			cmd := exec.CommandContext(ctx, rg, args...)
			cmd.Stdout = new(strings.Builder)
			_ = cmd.Run() // exit status 1 means no match
			if s := cmd.ProcessState; s != nil {
				ms = append(ms, float64(s.UserTime()+s.SystemTime())/1e6)
			}
		}
	}
	cpu := spreadOf(ms)
	return &Ripgrep{CPU: cpu, Without: ratio(r.Without.CPU.P50, cpu.P50), Second: ratio(r.Second.CPU.P50, cpu.P50), Later: ratio(r.Later.CPU.P50, cpu.P50)}
}
