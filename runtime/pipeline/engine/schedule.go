package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/conc"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// schedule runs the stages of one pipeline. A stage starts when all of its needs are
// terminal; the run is over when every stage is.
type schedule struct {
	*run
	p      *plan.Pipeline
	ledger *budget.Ledger
	until  time.Time // when models must be done, if the stage around it leaves time for others; else zero
	prefix string

	mu      sync.Mutex
	env     map[string]any // environment of expressions; grows as stages end
	results map[string]plan.Result
	traces  map[string][]StageTrace
	failed  error
}

func newSchedule(r *run, p *plan.Pipeline, env map[string]any, ledger *budget.Ledger, until time.Time, prefix string) *schedule {
	return &schedule{run: r, p: p, ledger: ledger, until: until, prefix: prefix, env: env,
		results: map[string]plan.Result{}, traces: map[string][]StageTrace{}}
}

// softDeadline ends the working stages early, so that those that compose the reply have
// time left. Without a time limit both deadlines are the same.
func softDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	hard, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, hard.Add(-time.Duration(float64(time.Until(hard))*reserve)))
}

// runAll starts each stage as soon as it can run and waits for all. The first stage that
// fails with onError "fail" ends the others.
func (g *schedule) runAll(hard, soft context.Context) error {
	hard, stopHard := context.WithCancelCause(hard)
	soft, stopSoft := context.WithCancelCause(soft)
	defer stopHard(nil)
	defer stopSoft(nil)
	ended := make(map[string]chan struct{}, len(g.p.Stages))
	for _, s := range g.p.Stages {
		ended[s.Name] = make(chan struct{})
	}
	var wg conc.WaitGroup
	for _, s := range g.p.Stages {
		wg.Go(func() {
			defer close(ended[s.Name])
			for _, n := range s.Needs {
				<-ended[n] // always closed: needs come from an acyclic graph
			}
			ctx := soft
			if s.Final {
				ctx = hard
			}
			if err := g.runStage(ctx, s); err != nil {
				stopHard(err)
				stopSoft(err)
			}
		})
	}
	wg.Wait()
	return g.failed
}

// runStage runs one stage to its end and records the result. It returns an error only if the
// whole pipeline must end.
func (g *schedule) runStage(ctx context.Context, s *plan.Stage) error {
	start := g.engine.now()
	env := g.snapshot()
	if cause := g.skipCause(s); cause != "" {
		g.emitSkipped(ctx, s, cause)
		g.recordResult(s, plan.Result{Status: plan.SkippedStatus, Skipped: cause}, nil, contract.Timing{})
		return nil
	}
	runnable, err := g.testCondition(s, env)
	if err == nil && !runnable {
		g.emitSkipped(ctx, s, "condition")
		g.recordResult(s, plan.Result{Status: plan.SkippedStatus, Skipped: "condition"}, nil, contract.Timing{})
		return nil
	}
	var res plan.Result
	var nested []StageTrace
	if err == nil {
		within, span := g.begin(ctx, s)
		res, nested, err = g.execute(within, s, env)
		g.noteStarved(ctx, err)
		endStage(span, res, err)
	}
	timing := contract.Since(start, g.engine.now(), g.req.Deterministic)
	if err == nil {
		g.recordResult(s, res, nested, timing)
		return nil
	}
	return g.applyOnError(s, env, res.Rounds, nested, timing, err)
}

// noteStarved records in the ledger that a stage failed because the time of its pipeline, or a budget, ran out.
func (g *schedule) noteStarved(ctx context.Context, err error) {
	var spent *budget.ExhaustedError
	if errors.As(err, &spent) || errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		g.ledger.Starve(err)
	}
}

// applyOnError applies onError.
func (g *schedule) applyOnError(s *plan.Stage, env map[string]any, rounds []any, nested []StageTrace, timing contract.Timing, err error) error {
	status, e := contract.AsError(err)
	res := plan.Result{Status: string(status), Error: e, Rounds: rounds}
	switch s.OnError {
	case plan.OnErrorContinue:
	case plan.OnErrorFallback:
		if s.Fallback != nil {
			v, evalErr := s.Fallback.Eval(env)
			if evalErr != nil {
				return g.abort(s, res, nested, timing, evalErr)
			}
			res.Status, res.Value = string(contract.OK), v
		}
	default:
		return g.abort(s, res, nested, timing, err)
	}
	g.recordResult(s, res, nested, timing)
	return nil
}

func (g *schedule) abort(s *plan.Stage, res plan.Result, nested []StageTrace, timing contract.Timing, err error) error {
	g.mu.Lock()
	if g.failed == nil {
		g.failed = &StageError{Stage: g.prefix + s.Name, Err: err}
		err = g.failed
	}
	g.mu.Unlock()
	g.recordResult(s, res, nested, timing)
	return err
}

// StageError is a failure together with the stage in which it happened.
type StageError struct {
	Stage string
	Err   error
}

func (e *StageError) Error() string { return "stage " + e.Stage + ": " + e.Err.Error() }

func (e *StageError) Unwrap() error { return e.Err }

// Code returns the code of the failure itself.
func (e *StageError) Code() string {
	_, ce := contract.AsError(e.Err)
	return ce.Code
}

// skipCause returns why a stage cannot run given its needs, or "": every edge into it is dead,
// or, with join "all", any is. An edge is dead if the stage at its other end was skipped,
// but not if that stage failed and tolerates failures.
func (g *schedule) skipCause(s *plan.Stage) string {
	if g.isAborted() {
		return "aborted"
	}
	var dead []string
	g.mu.Lock()
	for _, n := range s.Needs {
		if g.results[n].Status == plan.SkippedStatus {
			dead = append(dead, n)
		}
	}
	g.mu.Unlock()
	if len(dead) == 0 || (len(dead) < len(s.Needs) && !s.JoinAll) {
		return ""
	}
	return "needs " + dead[0] + ", which was skipped"
}

func (g *schedule) testCondition(s *plan.Stage, env map[string]any) (bool, error) {
	if s.When == nil {
		return true, nil
	}
	return s.When.Test(env)
}

// snapshot returns the current environment: stages that s can read are terminal, others may be missing.
func (g *schedule) snapshot() map[string]any {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := make(map[string]any, len(g.env))
	for k, v := range g.env {
		out[k] = v
	}
	return out
}

func (g *schedule) recordResult(s *plan.Stage, r plan.Result, nested []StageTrace, timing contract.Timing) {
	r.Timing = timing
	items := 0
	if list, ok := r.Value.([]plan.Result); ok {
		items = len(list)
	}
	t := StageTrace{Stage: g.prefix + s.Name, Kind: s.Kind, Runs: s.Runs(), Status: r.Status, Skipped: r.Skipped,
		FanOut: s.Each != nil, Items: items, Rounds: len(r.Rounds), Error: r.Error, Timing: timing}
	g.mu.Lock()
	defer g.mu.Unlock()
	s.Set(g.env, r)
	g.results[s.Name] = r
	g.traces[s.Name] = append([]StageTrace{t}, nested...)
}

func (g *schedule) isAborted() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.failed != nil
}

func (g *schedule) countDone() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.results)
}

// trace lists what has happened so far, in the plan's order.
func (g *schedule) trace() []StageTrace {
	g.mu.Lock()
	defer g.mu.Unlock()
	var out []StageTrace
	for _, s := range g.p.Stages {
		out = append(out, g.traces[s.Name]...)
	}
	return out
}

// evalOutput evaluates the reply. A bare "stage.value" passes the Go value on unchanged, so
// that a report keeps its type on the way to runtime/safety/egress.
func (g *schedule) evalOutput() (any, error) {
	if r, ok := g.results[g.p.Whole()]; ok && r.Value != nil {
		return r.Value, nil
	}
	return g.p.Output.Eval(g.env)
}

// info returns the facts that a stage may know about the run it is part of.
func (g *schedule) info() catalog.RunInfo {
	info := catalog.RunInfo{Usage: g.run.ledger.Usage(), Model: g.run.tally.Use()}
	for _, t := range g.trace() {
		switch {
		case t.Skipped != "", t.FanOut && t.Items == 0, t.Rounds > 0: // its rounds follow
			continue
		case t.FanOut:
			info.Tasks += t.Items
		default:
			info.Tasks++
		}
		if t.Status == string(contract.Timeout) {
			info.Timeouts++
		}
		if t.Kind == plan.RoleStage && !slices.Contains(info.Roles, t.Runs) {
			info.Roles = append(info.Roles, t.Runs)
		}
	}
	return info
}
