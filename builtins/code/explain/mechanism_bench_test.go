package explain

import (
	"go/build"
	"path/filepath"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/cputime"
)

// BenchmarkMechanism traces and explains three places of Go's own source. The metric
// own-ms is the CPU time of what is done for the lines and the callees: all of the
// analysis, and of the trace what exceeds a scan for the three names alone.
func BenchmarkMechanism(b *testing.B) {
	env := codetest.EnvWithRoots(b, codetest.OpenRoot(b, "src", filepath.Join(build.Default.GOROOT, "src")))
	refs := []string{"net/http/server.go:2000", "net/http/transport.go:600", "encoding/json/decode.go:180"}
	var names []string
	traced, err := usage.RunTrace(b.Context(), env, usage.TraceInput{References: refs, Limit: 4})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range traced.Calls {
		names = append(names, c.Name)
	}
	var own time.Duration
	for b.Loop() {
		start := cputime.Process()
		if _, err := usage.RunTrace(b.Context(), env, usage.TraceInput{Names: names, Limit: 4}); err != nil {
			b.Fatal(err)
		}
		plain := cputime.Process() - start
		start = cputime.Process()
		tr, err := usage.RunTrace(b.Context(), env, usage.TraceInput{References: refs, Limit: 4})
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range refs {
			in := AnalyzeInput{Reference: r, Question: "how does the server handle a request when the connection is closed", Callers: tr.Calls, Defs: tr.Defs, Most: 2}
			if _, err := analyze(b.Context(), env, in); err != nil {
				b.Fatal(err)
			}
		}
		own += cputime.Process() - start - plain
	}
	b.ReportMetric(float64(own.Milliseconds())/float64(b.N), "own-ms")
}
