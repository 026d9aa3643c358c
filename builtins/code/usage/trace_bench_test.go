package usage

import (
	"go/build"
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
)

// BenchmarkTrace finds the uses of three names in Go's own source: one of each degree
// of being common.
func BenchmarkTrace(b *testing.B) {
	env := codetest.EnvWithRoots(b, codetest.OpenRoot(b, "src", filepath.Join(build.Default.GOROOT, "src")))
	for _, c := range []struct {
		name  string
		names []string
	}{
		{"rare", []string{"rangeForTimestamp", "ErrUnexpectedEOF", "copyBuffer"}},
		{"usual", []string{"ReadMemStats", "NewReader", "ServeHTTP"}},
		{"common", []string{"Close", "String", "Errorf"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				codetest.MustCall[TraceOutput](b, Trace(), env, map[string]any{"names": c.names})
			}
		})
	}
}
