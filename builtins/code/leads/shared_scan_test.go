package leads

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// TestATreeIsScannedOnceForAQuestion says that a stage that ranks the tree for the
// same words in another way reads it once, and finds what it would have found.
func TestATreeIsScannedOnceForAQuestion(t *testing.T) {
	files := map[string]string{
		"pool/pool.go":      "package pool\n\n// Pool runs work.\ntype Pool struct{}\n\nfunc NewPool(n int) *Pool { return &Pool{} }\n\n// Drain waits for the pool's work.\nfunc (p *Pool) Drain() {}\n",
		"pool/pool_test.go": "package pool\n\nfunc TestDrain(t *testing.T) {\n\tp := NewPool(1)\n\tp.Drain()\n}\n",
		"docs/pool.md":      "# Pool\n\nDrain a pool with `Drain`.\n",
	}
	for i := range 20 {
		files[fmt.Sprintf("use/use%02d.go", i)] = "package use\n\nfunc f() {\n\tpool.NewPool(1).Drain()\n}\n"
		files[fmt.Sprintf("use/use%02d_test.go", i)] = fmt.Sprintf("package use\n\nfunc TestDrainOfPool%d(t *testing.T) {\n\tpool.NewPool(1).Drain()\n}\n", i)
	}
	const question = "Which tests cover Pool.Drain, and examples of it?"
	run := func(memo *catalog.Memo) (scans int, answers string) {
		env := codetest.NewEnv(t, files)
		env.Memo = memo
		ctx := event.WithView(t.Context(), func(e event.Event) {
			if e.Name == "scan" {
				scans++
			}
		}, event.Builtin)
		located, err := find.Locate().Run(ctx, env, map[string]any{"question": question, "limit": 12})
		if err != nil {
			t.Fatal(err)
		}
		for _, stage := range []func(context.Context) (any, error){
			func(ctx context.Context) (any, error) {
				return coverage(ctx, env, CoverageInput{Question: question, References: located.(contract.Result).References, Tokens: 300})
			},
			func(ctx context.Context) (any, error) {
				return patterns(ctx, env, PatternsInput{Question: question, Limit: 4})
			},
		} {
			out, err := stage(ctx)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := json.Marshal(out)
			answers += string(text) + "\n"
		}
		return scans, answers
	}
	scans, got := run(&catalog.Memo{})
	apart, want := run(nil)
	if got != want {
		t.Errorf("with one scan\n%swith one for each\n%s", got, want)
	}
	if scans != 1 || apart < 3 {
		t.Errorf("%d and %d scans, want 1 and 3 or more", scans, apart)
	}
}
