package hook

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/engine"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Names of the hooks in a configuration.
const (
	toolsList  = "tools_list"
	toolResult = "tool_result"
)

// Runner runs hooks. It is safe for concurrent use.
type Runner struct {
	engine *engine.Engine
	alone  *engine.Engine // asks no model, so that its queue drains within moments
	events *event.Stream

	mu  sync.Mutex
	use map[string]Use
}

// maxWaiting bounds the hooks that wait for a worker of the engine without models.
const maxWaiting = 4096

// New returns a runner with its own pools: a hook runs inside a call that already holds
// a worker of the main pool. Events are emitted to events.
func New(workers int, events *event.Stream) *Runner {
	r := &Runner{engine: engine.New(engine.NewPool(workers, 8*workers)), alone: engine.New(engine.NewPool(workers, maxWaiting)), events: events,
		use: map[string]Use{}}
	events.Observe(r.count, event.Hook)
	return r
}

// Env is the configuration that a hook runs in.
type Env struct {
	Plan    *plan.Plan
	Roles   engine.RoleRunner
	Alone   engine.RoleRunner // like Roles, without models
	Sandbox *sandbox.Set
	Kinds   map[string][]string // kind of root → names of opened roots
	Line    func(string) string // formats an error for display
	Usage   catalog.Usage       // nil if usage is not learnt
}

// Chooses reports whether the tools_list hook may list different tools to different sessions.
func (w Env) Chooses() bool {
	p := w.pipeline(toolsList)
	return p != nil && p.DependsOnSession()
}

// OnLists reports whether a hook runs on tool lists.
func (w Env) OnLists() bool { return w.pipeline(toolsList) != nil }

// pipeline returns the pipeline that runs at a hook, or nil.
func (w Env) pipeline(hook string) *plan.Pipeline {
	h := w.Plan.Hooks[hook]
	if h == nil {
		return nil
	}
	if hook == toolsList {
		if runs, err := h.Holds(map[string]any{"selection": w.selectionInput()}); err != nil || !runs {
			return nil
		}
	}
	return h.Pipeline
}

// selectionInput returns the configured selection of tools in the form that pipelines read,
// or nil if it is not set.
func (w Env) selectionInput() any {
	s := w.Plan.Config.Gateway.Selection
	if s == nil {
		return nil
	}
	out := map[string]any{"strategy": s.Strategy, "tools": any(s.Tools), "pinned": s.Pinned, "unwanted": s.Unwanted, "min_tools": s.Min, "max_tools": s.Max,
		"room": s.Room, "miss": s.Miss, "cached": s.Cached}
	if s.Weights != nil {
		out["weights"] = s.Weights
	}
	return out
}

func (r *Runner) run(ctx context.Context, w Env, hook string, s *session.Session, input map[string]any) (value any, err error) {
	ctx, span := event.Start(r.events.WithContext(ctx, "", s.ID()), event.Event{Kind: event.Hook, Name: hook})
	defer func() { catalog.End(span, err) }()
	p := w.pipeline(hook)
	req := engine.Request{Pipeline: p, Roles: w.Roles, Session: s, Input: declaredInputs(p, input), Roots: w.Plan.Config.Roots,
		Sandbox: w.Sandbox, Kinds: w.Kinds, Usage: w.Usage, Scan: w.Plan.Config.Sandbox.ScanTime}
	res, err := r.engine.Run(ctx, req)
	if errors.Is(err, engine.ErrBusy) { // busy with models: the pipeline still works without them
		req.Roles = w.Alone
		res, err = r.alone.Run(ctx, req)
	}
	if err != nil {
		return nil, err
	}
	return res.Value, nil
}

// declaredInputs returns those inputs that the pipeline declares.
func declaredInputs(p *plan.Pipeline, input map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range input {
		if p.Input.Field(k) != nil || p.Input.Open != nil {
			out[k] = v
		}
	}
	return out
}

// Use counts how often a hook was skipped since the start.
type Use struct {
	Skipped int64  `json:"skipped"`
	Last    string `json:"last"` // the reason of the last time
}

// Skipped returns the hooks that were skipped, by name.
func (r *Runner) Skipped() map[string]Use {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.use)
}

// count updates the statistics of Skipped from an event.
func (r *Runner) count(e event.Event) {
	if e.Outcome != event.Skipped {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.use[e.Name] = Use{Skipped: r.use[e.Name].Skipped + 1, Last: e.Error}
}

// emitSkipped emits an event that a hook was skipped, and why. If the client has gone, it
// emits nothing: that is not the hook's fault.
func (r *Runner) emitSkipped(ctx context.Context, w Env, hook string, s *session.Session, err error) {
	if ctx.Err() != nil {
		return
	}
	_, e := contract.AsError(err)
	event.Emit(r.events.WithContext(ctx, "", s.ID()), event.Event{Kind: event.Hook, Name: hook, Outcome: event.Skipped, Code: e.Code,
		Message: "a hook was skipped", Error: w.Line(e.Message), Attrs: []slog.Attr{slog.String("hook", hook)}})
}
