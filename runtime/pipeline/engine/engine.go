// Package engine runs a plan.Plan: stages in the order of their needs, conditions,
// fan-out, retries, deadlines, one ledger per request and one worker pool per server.
//
// It knows nothing about MCP, CUE or the command line, nor about what the stages do:
// builtins come with the plan, and a RoleRunner runs roles.
package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/cache"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// RoleRunner runs one role once: ground, ask a model if there is one, verify, apply
// bounds, or fall back. The returned value fits the role's output. runtime/pipeline/agent
// implements it.
type RoleRunner interface {
	Run(ctx context.Context, role *plan.Role, env *catalog.Env, input map[string]any) (any, error)
}

// Engine runs requests. It is safe for concurrent use.
type Engine struct {
	pool *Pool
	now  func() time.Time
}

// New returns an engine whose requests share pool.
func New(pool *Pool) *Engine {
	return &Engine{pool: pool, now: time.Now}
}

// Request is one call of a pipeline.
type Request struct {
	Pipeline      *plan.Pipeline
	Roles         RoleRunner
	Input         map[string]any
	Roots         map[string][]string // directories by kind, as expressions see them
	Sandbox       *sandbox.Set        // the opened roots
	Kinds         map[string][]string // kind of root → names of opened roots
	Artifacts     *sandbox.ArtifactDir
	Upstreams     catalog.Upstreams // nil if there are no servers
	Usage         catalog.Usage     // nil if nothing is learnt
	Web           catalog.Web       // nil if the configuration opens no host
	Documents     catalog.Library   // nil if it has no collection
	Notes         *catalog.Notes    // pins on Documents; nil if none are kept
	History       catalog.Historian // nil if there is no history to read
	Limits        budget.Limits     // narrows the pipeline's budget
	Tokens        int               // tokens that the reply may have; 0 if not given
	Scan          time.Duration     // how long a scan may take
	Session       *session.Session  // the client's, as expressions see it; nil if there is none
	Deterministic bool
	Cache         *cache.Cache           // nil if nothing is kept between requests
	Probe         *catalog.Probe         // nil if nothing is measured
	Progress      func(catalog.Progress) // may be nil
}

// Response is the outcome of a request.
type Response struct {
	Value any // value of the pipeline's output
	Trace []StageTrace
	Usage budget.Usage
	Model catalog.ModelUse
	Time  contract.Timing
}

// StageTrace records how one stage went. Traces are in the plan's order. Stages of a
// nested pipeline follow the stage that ran it, with its name as a prefix.
type StageTrace struct {
	Stage   string
	Kind    plan.Kind
	Runs    string // name of the role, builtin or pipeline
	Status  string
	Skipped string
	FanOut  bool
	Items   int // number of runs of a fan-out
	Rounds  int // number of rounds of a repeated stage; their rows follow its own
	Round   int // number of this round, of such a row
	Error   *contract.Error
	Timing  contract.Timing
}

// reserve is the share of a request's time kept for the stages that compose the reply, so
// that work cut off by the deadline still becomes an answer.
const reserve = 0.1

// Run runs a pipeline to its end. The error is a *contract.Error, a context error, or
// ErrBusy; the response is valid in any case and tells how far the run got.
func (e *Engine) Run(ctx context.Context, req Request) (*Response, error) {
	if !req.Pipeline.NeedsNoWorker() {
		release, err := e.pool.admit()
		if err != nil {
			return &Response{}, err
		}
		defer release()
	}
	start := e.now()
	r := &run{engine: e, req: req, start: start}
	ctx = r.withViews(ctx)
	limits := req.Limits.Narrow(req.Pipeline.Budget)
	ledger := budget.New(limits)
	hard, cancel := withTime(ctx, limits.Time)
	defer cancel()
	r.ledger, r.tasks = ledger, newTasks(limits.Tasks)
	r.view = sync.OnceValue(func() session.View { return req.Session.View(req.Sandbox) })
	input, _ := contract.Outside(req.Input).(map[string]any)
	value, trace, err := r.runPipeline(hard, req.Pipeline, input, ledger, time.Time{}, "")
	value = contract.Outside(value)
	if hard.Err() != nil && ctx.Err() == nil {
		ledger.Cut("time")
	}
	res := &Response{Value: value, Trace: trace, Usage: ledger.Usage(), Model: r.tally.Use(), Time: contract.Since(start, e.now(), req.Deterministic)}
	return res, err
}

func withTime(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, d)
}

// run is one request in progress.
type run struct {
	engine *Engine
	req    Request
	ledger *budget.Ledger
	start  time.Time
	tasks  tasks
	memo   catalog.Memo
	tally  catalog.Tally
	view   func() session.View // shared by all pipelines of the request
	rounds atomic.Int64        // of its repeated stages
}

// buildEnv builds the environment that one stage sees.
func (r *run) buildEnv(ctx context.Context, s *plan.Stage, ledger *budget.Ledger, info func() catalog.RunInfo) (*catalog.Env, error) {
	env := &catalog.Env{
		Ledger: ledger, Scan: r.req.Scan, Tokens: r.req.Tokens, Workers: r.engine.pool.workers, Now: r.engine.now,
		Deterministic: r.req.Deterministic, Run: info, Progress: progressIn(ctx), Memo: &r.memo, Tally: r.tally.Through(countIn(ctx)),
		Cache: r.req.Cache,
	}
	caps := s.Builtin.Caps
	if s.Role != nil { // for what its model may be shown or call, and its fallback
		caps |= s.Role.Evidence.Caps | s.Role.Fallback.Builtin.Caps
		for _, t := range s.Role.Tools {
			caps |= t.Builtin.Caps
		}
		for _, c := range s.Role.Checks {
			if c.Roots {
				caps |= catalog.Roots
			}
		}
	}
	if caps&catalog.Artifacts != 0 {
		env.Artifacts = r.req.Artifacts
	}
	if caps&catalog.History != 0 {
		env.History = r.req.History
	}
	if caps&catalog.Upstream != 0 {
		env.Upstreams = r.req.Upstreams
	}
	if caps&catalog.Learnt != 0 {
		env.Usage = r.req.Usage
	}
	if caps&catalog.Network != 0 {
		env.Web = r.req.Web
	}
	if caps&catalog.Documents != 0 {
		env.Documents, env.Notes = r.req.Documents, r.req.Notes
		if caps&catalog.Annotate == 0 {
			env.Notes = env.Notes.ReadOnly()
		}
	}
	if caps&catalog.Roots == 0 {
		return env, nil
	}
	var err error
	env.Roots, err = r.rootsFor(s)
	return env, err
}

// rootsFor narrows the roots to the kinds that the stage's role may read; a stage without
// a role reads code.
func (r *run) rootsFor(s *plan.Stage) (*sandbox.Set, error) {
	if s.Builtin.Caps&catalog.AllKinds != 0 {
		return r.req.Sandbox, nil
	}
	kinds := []string{"code"}
	if s.Role != nil {
		kinds = s.Role.Role.Roots
	}
	var names []string
	for _, k := range kinds {
		names = append(names, r.req.Kinds[k]...)
	}
	if len(names) == 0 { // Narrow takes an empty list to mean all names
		return sandbox.NewSet(), nil
	}
	return r.req.Sandbox.Narrow(names)
}

// runPipeline runs a graph and evaluates its output. until is when its models must be done; zero for no limit.
func (r *run) runPipeline(ctx context.Context, p *plan.Pipeline, input map[string]any, ledger *budget.Ledger, until time.Time, prefix string) (any, []StageTrace, error) {
	env, err := p.Env(input, r.req.Roots, r.req.Documents.Names(), r.view)
	if err != nil {
		return nil, nil, fmt.Errorf("pipeline %s: %w", p.Name, err)
	}
	g := newSchedule(r, p, env, ledger.Child(p.Budget), until, prefix)
	soft, cancel := softDeadline(ctx)
	defer cancel()
	if err := g.runAll(ctx, soft); err != nil {
		return nil, g.trace(), err
	}
	value, err := g.evalOutput()
	return value, g.trace(), err
}
