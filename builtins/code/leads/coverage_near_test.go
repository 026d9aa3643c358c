package leads

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// Where a search for tests brings tests alone, those beside the code that is asked about
// and that use it come first, though their names share no more words than others.
func TestCoverageFindsTheTestsBesideTheCode(t *testing.T) {
	files := map[string]string{
		"engine/pool.go":        "package engine\n\n// Pool is the fixed set of workers.\ntype Pool struct{ slots chan int }\n\n// NewPool makes a worker pool.\nfunc NewPool(n int) *Pool { return &Pool{make(chan int, n)} }\n",
		"engine/engine_test.go": "package engine\n\nfunc TestPoolRefusesWhatDoesNotFit(t *testing.T) {\n\tp := NewPool(1)\n\t_ = p\n}\n",
		"service/call_test.go":  "package service\n\nfunc TestACallHoldsNoWorker(t *testing.T) {\n\tcall(t)\n}\n\nfunc TestWorkersAreTold(t *testing.T) {\n\tcall(t)\n}\n",
	}
	r := codetest.MustCall[contract.Result](t, Coverage(), codetest.NewEnv(t, files), map[string]any{"question": "which tests cover the worker pool?",
		"references": []string{"service/call_test.go:3"}})
	if !strings.HasPrefix(r.Summary, "`TestPoolRefusesWhatDoesNotFit` (engine/engine_test.go:3)") {
		t.Errorf("the pool's own test is not first:\n%s", r.Summary)
	}
}
