package service

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/hook"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/gateway/selection"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/engine"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/pipeline/shared"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Service answers each call on the snapshot that is current when the call begins.
type Service struct {
	current atomic.Pointer[Snapshot]
	engine  *engine.Engine
	gateway *gateway.Gateway
	// sessions outlives reloads; access is checked at each call
	sessions *session.Store
	standing standing

	renewing  sync.Mutex // held while replaced roots are opened again
	reloading sync.Mutex // held while a configuration is loaded and swapped in
	mu        sync.Mutex
	watchers  map[int]func(session string)
	next      int
	samplers  samplers
	history   histories
	noticers  map[int]func(server.Notice)
	hooks     *hook.Runner
	events    *event.Stream
	last      atomic.Pointer[reloading]
	tracker   atomic.Pointer[usage.Tracker]
	learner   atomic.Pointer[selection.Learner]
	sharer    atomic.Pointer[shared.Sharer]
	ended     atomic.Pointer[func(session string)]

	// Recorded returns when what was emitted is on record, or cannot be. It is called before the reply of a tool that reads
	// documents is sent, and set before the first call; nil if nothing is recorded.
	Recorded func(context.Context) error

	libraries libraries
	books     books
	indexing  atomic.Pointer[indexing]
	reread    chan struct{} // signals that a configuration was swapped in
}

// New returns a service on a first snapshot. The pool keeps the size that this snapshot
// configures until the process ends.
func New(s *Snapshot) *Service {
	pool := s.Plan.Config.Pool
	events := s.opt.Events
	if events == nil {
		events = &event.Stream{}
	}
	svc := &Service{engine: engine.New(engine.NewPool(pool.Workers, pool.Queue)), sessions: session.NewStore(),
		watchers: map[int]func(string){}, noticers: map[int]func(server.Notice){}, hooks: hook.New(pool.Workers, events), events: events, reread: make(chan struct{}, 1)}
	svc.current.Store(s)
	svc.gateway = newGateway(svc, s)
	svc.configureGateway(s)
	svc.gateway.OnChange(func() { svc.notifyWatchers("") })
	return svc
}

// Gateway returns the gateway to the upstream servers of the current configuration.
func (s *Service) Gateway() *gateway.Gateway { return s.gateway }

// Events returns the service's stream of events.
func (s *Service) Events() *event.Stream { return s.events }

// Close stops the upstream servers. Calls in flight end with an error.
func (s *Service) Close() error {
	return errors.Join(s.gateway.Close(), s.libraries.close(), s.books.close())
}

// Snapshot returns the snapshot on which new calls run.
func (s *Service) Snapshot() *Snapshot { return s.current.Load() }

// Call is one call of a tool.
type Call struct {
	Tool          string
	Args          json.RawMessage
	Deterministic bool
	NoCache       bool                   // neither use nor fill the cache
	Probe         *catalog.Probe         // may be nil
	Progress      func(catalog.Progress) // may be nil
	Watched       bool                   // the user sees the progress, so an upstream tool may take its own time
	Sampler       *model.Limiter         // the caller's own model, for roles without one; may be nil
	Caller        gateway.Caller         // its session, and the client that upstream servers may talk to during the call
}

// Reply is the result of a call. JSON has passed runtime/safety/egress.
type Reply struct {
	JSON     json.RawMessage
	Type     *schema.Schema // of JSON; nil if unknown
	Again    bool           // the session got this answer to this question before
	Upstream bool           // JSON is the whole result of an upstream tool, with its content
	Response *engine.Response
}

// Call runs a tool. The arguments must already be validated against the tool's schema;
// defaults are filled in here.
func (s *Service) Call(ctx context.Context, c Call) (*Reply, error) {
	ctx = s.events.WithContext(ctx, "", c.Caller.Session.ID()) // for calls without a request
	snap := s.acquireFresh().ofProfile(c.Caller.Session.Identity().Profile)
	defer snap.lease.release()
	tool, ok := snap.Plan.Tool(c.Tool)
	if !ok {
		return nil, snap.maskError(&contract.Error{Name: "NotFoundError", Code: "TOOL_NOT_FOUND", Message: "tool " + c.Tool + " is not defined; see tools/list"})
	}
	var passed atomic.Bool
	c.Caller.Called = func() { passed.Store(true) }
	reply, err := s.runTool(ctx, snap, tool, c)
	if err != nil {
		err = snap.maskError(err)
	}
	if !passed.Load() || !(err == nil && reply.Upstream || err != nil && passesOn(tool.Pipeline)) { // otherwise the passed-on call is recorded already
		snap.recordCall(c, reply, err)
	}
	return reply, err
}

func (s *Service) runTool(ctx context.Context, snap *Snapshot, tool *plan.Tool, c Call) (*Reply, error) {
	input, err := inputOf(tool, c.Args)
	if err != nil {
		return nil, err
	}
	limits, tokens, raised := readLimits(input, tool.Least)
	roots, err := snap.narrowRoots(input[plan.RequestRoots])
	if err != nil {
		return nil, err
	}
	ctx, cancel := deadline(ctx, snap, c.Watched && tool.Upstream())
	defer cancel()
	sess := c.Caller.Session
	question := snap.Egress.Text(questionOf(tool, input))
	snap.emitQuestion(ctx, question)
	web, documents, kept := snap.web(), s.searchableLibrary(snap, c), snap.cacheFor(c)
	res, err := s.engine.Run(ctx, engine.Request{
		Pipeline: tool.Pipeline, Roles: agent.Runner{Chain: snap.Models.chainOf(c), Mask: snap.maskOf}, Input: input, Roots: roots.dirs, Sandbox: roots.set, Kinds: roots.kinds,
		Artifacts: snap.Artifacts, Upstreams: s.upstreamsFor(c.Caller), Web: web, Documents: documents, Notes: s.notesFor(snap, sess, documents), History: s.history.reader(kept != nil), Limits: limits, Tokens: tokens, Scan: snap.Plan.Config.Sandbox.ScanTime, Session: sess,
		Deterministic: c.Deterministic, Cache: kept, Probe: c.Probe, Progress: c.Progress,
	})
	c.Probe.To(catalog.PartRest)
	if err != nil {
		return &Reply{Response: res}, err
	}
	if r, ok := res.Value.(contract.ToolResult); ok {
		return &Reply{JSON: r.Raw, Upstream: true, Response: res}, nil
	}
	exit := snap.Egress.WithCitations(web)
	if tool.Reach&catalog.Documents != 0 && len(documents) > 0 {
		exit = exit.Beside(documents)
	}
	out, err := exit.Apply(context.WithoutCancel(ctx), res.Value, tool.Pipeline.Result, roots.set, tokens, nonEmpty(roots.remark, raised)...)
	if err != nil {
		return nil, err
	}
	if len(documents) > 0 && tool.Reach&catalog.Documents != 0 {
		awaitRecord(ctx, s.Recorded)
	}
	again := sess.RecordQuestion(question, out, roots.set)
	return &Reply{JSON: out, Type: tool.Pipeline.Result, Again: again, Response: res}, nil
}

// recordTime is how long an answer waits for its record, the first one also for the store to open. It is sent in any
// case.
const recordTime = 10 * time.Second

// awaitRecord waits until what a call emitted is on record: an answer that was sent must be in the audit, even if this
// process is killed right after it.
func awaitRecord(ctx context.Context, recorded func(context.Context) error) {
	if recorded == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	_ = recorded(ctx) // the timeline itself reports a store that cannot be written
}

// deadline sets the time limit of a call, whatever a pipeline allows itself: chat clients give up after about a
// minute. Patient callers, whose clients show the progress of an upstream tool, get no limit here.
func deadline(ctx context.Context, snap *Snapshot, patient bool) (context.Context, context.CancelFunc) {
	if d := snap.Plan.Config.Pool.Deadline; d > 0 && !patient {
		return context.WithTimeout(ctx, d)
	}
	return context.WithCancel(ctx)
}

// maskError returns an error with its texts masked for output.
func (s *Snapshot) maskError(err error) error {
	status, e := contract.AsError(err)
	hint := hintOf(err)
	e = &contract.Error{Name: e.Name, Code: e.Code, Message: s.Egress.Line(e.Message), Data: e.Data}
	if status == contract.Timeout {
		e.Message = "the time budget ran out before there was anything to report; ask a narrower question or raise constraints.time_ms"
	}
	if hint != "" {
		return &hinted{e, s.Egress.Line(hint)}
	}
	return e
}

// hinted is an error with a hint on what to do.
type hinted struct {
	err  *contract.Error
	hint string
}

func (h *hinted) Error() string { return h.err.Message }
func (h *hinted) Unwrap() error { return h.err }

// Hint returns the hint.
func (h *hinted) Hint() string { return h.hint }

func hintOf(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

func inputOf(t *plan.Tool, args json.RawMessage) (map[string]any, error) {
	input := map[string]any{}
	if len(args) > 0 {
		if err := decodeInput(t.Input, args, &input); err != nil {
			return nil, &contract.Error{Name: "ValidationError", Code: "VALIDATION_ERROR", Message: "arguments are not a JSON object: " + err.Error()}
		}
	}
	fillDefaults(t.Input, input)
	return input, nil
}

func fillDefaults(s *schema.Schema, input map[string]any) {
	for _, f := range s.Fields {
		v, there := input[f.Name]
		switch {
		case !there && f.Schema.Default != nil:
			input[f.Name] = f.Schema.Default
		case f.Schema.Type == schema.Object:
			if m, ok := v.(map[string]any); ok {
				fillDefaults(f.Schema, m)
			}
		}
	}
}

// narrowed is the part of the roots that a call requested.
type narrowed struct {
	set   *sandbox.Set
	kinds map[string][]string
	dirs  map[string][]string
	// remark mentions names that are not roots, if any
	remark string
}
