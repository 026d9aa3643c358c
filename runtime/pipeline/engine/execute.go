package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// execute runs a stage once, with each once per item, and with repeat in rounds.
func (g *schedule) execute(ctx context.Context, s *plan.Stage, env map[string]any) (plan.Result, []StageTrace, error) {
	ledger := g.ledger.Child(s.Budget)
	if s.Role != nil {
		ledger = ledger.Child(s.Role.Budget)
	}
	if s.Repeat != nil {
		return g.runRounds(ctx, s, env, ledger)
	}
	if s.Each == nil {
		v, nested, err := g.runWithRetry(ctx, s, env, ledger, g.shareOf(s))
		return resultOf(v, err), nested, err
	}
	list, err := s.Each.Eval(env)
	if err != nil {
		return plan.Result{}, nil, err
	}
	items, ok := list.([]any)
	if !ok && list != nil {
		return plan.Result{}, nil, &plan.EvalError{Source: s.Each.Source, Err: fmt.Errorf("is %T, want a list", list)}
	}
	if s.Max > 0 && len(items) > s.Max {
		items = items[:s.Max]
	}
	return g.fanOut(ctx, s, env, ledger, items)
}

// fanOut runs all items, limited by the request's tasks, and keeps their order. One
// item's failure does not affect the others; the stage fails only if all of them fail.
func (g *schedule) fanOut(ctx context.Context, s *plan.Stage, env map[string]any, ledger *budget.Ledger, items []any) (plan.Result, []StageTrace, error) {
	results := make([]plan.Result, len(items))
	nested := make([][]StageTrace, len(items))
	errs := make([]error, len(items))
	var wg conc.WaitGroup
	for i, item := range items {
		wg.Go(func() {
			v, t, err := g.runWithRetry(ctx, s, plan.WithItem(env, item), ledger, g.shareOf(s))
			nested[i], errs[i], results[i] = t, err, resultOf(v, err)
		})
	}
	wg.Wait()
	var traces []StageTrace
	failed := 0
	for i := range items {
		traces = append(traces, nested[i]...)
		if errs[i] != nil {
			failed++
			g.noteStarved(ctx, errs[i])
		}
	}
	if failed > 0 && failed == len(items) {
		return plan.Result{}, traces, errs[0]
	}
	return plan.Result{Status: string(contract.OK), Value: results}, traces, nil
}

// runWithRetry runs a stage's target and retries it after an error up to s.Retry times. A
// deadline, a cancellation and an exhausted budget are final. share returns the time until
// which its models may work.
func (g *schedule) runWithRetry(ctx context.Context, s *plan.Stage, env map[string]any, ledger *budget.Ledger, share func(context.Context) time.Time) (any, []StageTrace, error) {
	for attempt := 0; ; attempt++ {
		v, nested, err := g.attempt(ctx, s, env, ledger, share)
		if err == nil || attempt >= s.Retry || ctx.Err() != nil || !isRetryable(err) {
			return v, nested, err
		}
	}
}

func isRetryable(err error) bool {
	status, e := contract.AsError(err)
	return status == contract.Failed && e.Code != "BUDGET_EXHAUSTED" && e.Code != "INVALID_INPUT"
}

func (g *schedule) attempt(ctx context.Context, s *plan.Stage, env map[string]any, ledger *budget.Ledger, share func(context.Context) time.Time) (any, []StageTrace, error) {
	input := make(map[string]any, len(s.With))
	for name, p := range s.With {
		v, err := p.Eval(env)
		if err != nil {
			return nil, nil, fmt.Errorf("input %s: %w", name, err)
		}
		input[name] = v
	}
	until := share(ctx)
	ctx, cancel := g.withLimits(ctx, s)
	defer cancel()
	if s.Kind == plan.PipelineStage {
		within, cancel := withTime(ctx, s.Pipeline.Budget.Time)
		defer cancel()
		v, trace, err := g.run.runPipeline(within, s.Pipeline, input, ledger, until, g.prefix+s.Name+".")
		if within.Err() != nil && ctx.Err() == nil {
			ledger.Cut("time")
		}
		return v, trace, err
	}
	var value any
	err := g.tasks.do(ctx, func() error {
		var err error
		if s.Role == nil && s.Builtin.NeedsNoWorker() { // it needs no worker
			value, err = g.runTarget(ctx, s, ledger, input, until)
			return err
		}
		if full := g.engine.pool.work(ctx, func() { value, err = g.runTarget(ctx, s, ledger, input, until) }); full != nil {
			return full
		}
		return err
	})
	return value, nil, err
}

// withLimits applies the stage's timeout and the time limits of its budget and its role's,
// whichever is tightest.
func (g *schedule) withLimits(ctx context.Context, s *plan.Stage) (context.Context, context.CancelFunc) {
	return withTime(ctx, budget.Limits{Time: s.Timeout}.Narrow(stageLimits(s)).Time)
}

// stageLimits returns the limits of a stage and its role.
func stageLimits(s *plan.Stage) budget.Limits {
	if s.Role != nil {
		return s.Budget.Narrow(s.Role.Budget)
	}
	return s.Budget
}

// runTarget runs a role or a builtin. A panic in one ends that stage, not the server.
func (g *schedule) runTarget(ctx context.Context, s *plan.Stage, ledger *budget.Ledger, input map[string]any, until time.Time) (v any, err error) {
	defer func() {
		if p := recover(); p != nil {
			v, err = nil, &contract.Error{Name: "InternalError", Code: "INTERNAL",
				Message: s.Runs() + " panicked on this input; please report it"}
		}
	}()
	env, err := g.buildEnv(ctx, s, ledger, g.info)
	if err != nil {
		return nil, err
	}
	if s.Kind == plan.RoleStage {
		env.Until = until
		return g.req.Roles.Run(ctx, s.Role, env, input)
	}
	return s.Builtin.Run(ctx, env, input)
}

// shareOf returns the function by which a stage's models share the remaining time with those of later stages.
func (g *schedule) shareOf(s *plan.Stage) func(context.Context) time.Time {
	return func(ctx context.Context) time.Time { return g.modelDeadline(ctx, s.Asks, s.OwnAsks()) }
}

// modelDeadline returns the time until which the first of several roles in a row may wait for their models: an
// equal part of the remaining time for each, less the time to answer without the model. Zero means no limit.
func (g *schedule) modelDeadline(ctx context.Context, roles, first int) time.Time {
	deadline, ok := ctx.Deadline()
	if !g.until.IsZero() && (!ok || g.until.Before(deadline)) {
		deadline, ok = g.until, true
	}
	if !ok {
		return time.Time{}
	}
	now := g.engine.now()
	left := deadline.Sub(now)
	const least, most = 100 * time.Millisecond, 2 * time.Second
	left -= min(max(left/20, least), most)
	return now.Add(left * time.Duration(max(first, 1)) / time.Duration(max(roles, 1)))
}
