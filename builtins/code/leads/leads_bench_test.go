package leads

import (
	"context"
	"go/build"
	"path/filepath"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/cputime"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// BenchmarkLeads answers one question of each kind on Go's own source as a request
// does, after it has ranked the tree. The metric own-ms is the CPU time of the lead
// alone: what its kind of question adds to a request.
func BenchmarkLeads(b *testing.B) {
	root := codetest.OpenRoot(b, "src", filepath.Join(build.Default.GOROOT, "src"))
	type stage func(context.Context, *catalog.Env, string, contract.Result) (contract.Result, error)
	for _, c := range []struct {
		kind, question string
		lead           stage
	}{
		{"trace", "How does Transport reuse idle connections?", func(ctx context.Context, env *catalog.Env, q string, r contract.Result) (contract.Result, error) {
			_, err := usage.RunTrace(ctx, env, usage.TraceInput{References: r.References[:min(len(r.References), 3)], Limit: 4})
			return r, err
		}},
		{"callers", "Who calls roundTrip?", benchCallers},
		{"callers_common", "Who calls String?", benchCallers},
		{"message", "Where does the error \"malformed HTTP response\" come from?", func(ctx context.Context, env *catalog.Env, q string, _ contract.Result) (contract.Result, error) {
			return explainMessages(ctx, env, MessagesInput{Question: q, Tokens: 300})
		}},
		{"option", "Which option limits the number of idle connections per host?", func(ctx context.Context, env *catalog.Env, q string, _ contract.Result) (contract.Result, error) {
			return findOptions(ctx, env, OptionsInput{Question: q, Tokens: 300})
		}},
		{"extend", "How do I add a new RoundTripper implementation?", func(ctx context.Context, env *catalog.Env, q string, r contract.Result) (contract.Result, error) {
			return extend(ctx, env, ExtendInput{Question: q, References: r.References, Tokens: 300})
		}},
		{"coverage", "Which tests cover Transport.roundTrip?", func(ctx context.Context, env *catalog.Env, q string, r contract.Result) (contract.Result, error) {
			return coverage(ctx, env, CoverageInput{Question: q, References: r.References, Tokens: 300})
		}},
		{"overview", "Give me an overview of the architecture", func(ctx context.Context, env *catalog.Env, q string, r contract.Result) (contract.Result, error) {
			return overview(ctx, env, OverviewInput{Question: q, References: r.References[:min(len(r.References), 3)], Tokens: 300})
		}},
		{"examples", "Show me examples of how a RoundTripper is used", func(ctx context.Context, env *catalog.Env, q string, _ contract.Result) (contract.Result, error) {
			return patterns(ctx, env, PatternsInput{Question: q, Limit: 4})
		}},
	} {
		b.Run(c.kind, func(b *testing.B) {
			var own time.Duration
			for b.Loop() {
				env := codetest.EnvWithRoots(b, root)
				env.Memo = &catalog.Memo{}
				located := codetest.MustCall[contract.Result](b, find.Locate(), env, map[string]any{"question": c.question})
				start := cputime.Process()
				if _, err := c.lead(b.Context(), env, c.question, located); err != nil {
					b.Fatal(err)
				}
				own += cputime.Process() - start
			}
			b.ReportMetric(float64(own.Microseconds())/1000/float64(b.N), "own-ms")
		})
	}
}

func benchCallers(ctx context.Context, env *catalog.Env, question string, r contract.Result) (contract.Result, error) {
	out, err := usage.CallersOf().Run(ctx, env, map[string]any{"question": question, "references": r.References[:min(len(r.References), 1)]})
	if err != nil {
		return contract.Result{}, err
	}
	return out.(contract.Result), nil
}
