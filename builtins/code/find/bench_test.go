package find

import (
	"go/build"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/cputime"
)

// BenchmarkGrepAgainstRipgrep searches Go's own source for every kind of pattern. The metric
// cpu/rg is the CPU time, of user and system, against ripgrep on two threads
// that runs in between: the median of the pairs.
func BenchmarkGrepAgainstRipgrep(b *testing.B) {
	rg, err := exec.LookPath("rg")
	if err != nil {
		b.Skip("rg is not installed: there is nothing to compare with")
	}
	dir := filepath.Join(build.Default.GOROOT, "src")
	env := codetest.EnvWithRoots(b, codetest.OpenRoot(b, "src", dir))
	for _, c := range []struct {
		name, pattern string
		fold          bool
	}{
		{name: "literal", pattern: `ErrUnexpectedEOF`},
		{name: "regex_with_literal", pattern: `\bfunc\s+\w*Handler`},
		{name: "alternation", pattern: `ErrUnexpectedEOF|copyBuffer|readDirNames|loadLocation|parseHeader|newWriter|ReverseProxy|Fprintf`},
		{name: "ignore_case", pattern: `failed to connect`, fold: true},
		{name: "no_literal", pattern: `[a-z]+_[0-9]{4}x`},
		{name: "no_literal_many_hits", pattern: `\b[A-Z]\w+\([a-z]+, [a-z]+\)$`},
	} {
		b.Run(c.name, func(b *testing.B) {
			args := []string{"-j2", "-n", "--no-messages", "-e", c.pattern, dir}
			if c.fold {
				args = append(args, "-i")
			}
			var ratios []float64
			for b.Loop() {
				cmd := exec.Command(rg, args...)
				if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
					b.Fatal(err)
				}
				theirs := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				before := cputime.Process()
				codetest.MustCall[GrepOutput](b, Grep(), env, map[string]any{"pattern": c.pattern, "ignore_case": c.fold, "limit": 200})
				ratios = append(ratios, float64(cputime.Process()-before)/float64(max(theirs, time.Microsecond)))
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "cpu/rg")
		})
	}
}
