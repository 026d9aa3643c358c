package find

import (
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// A fault in one worker reaches the caller, where it ends the stage and not the process.
func TestAPanicOfAWorkerReachesTheCaller(t *testing.T) {
	r := codetest.WriteRoot(t, "code", map[string]string{"a.go": "package a\n"})
	defer func() {
		if recover() == nil {
			t.Error("no panic reached the caller")
		}
	}()
	at := map[string]place{"a.go": {root: r, rel: "a.go", size: 10}}
	_ = readDeep(t.Context(), codetest.EnvWithRoots(t, r), []string{"a.go"}, at, []*coderank.Collector{nil}, &source.ParseBudget{BytesLeft: 1 << 20})
}
