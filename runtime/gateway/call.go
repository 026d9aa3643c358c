package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// Caller describes the client that a call is made for and what is passed back to it while the call runs. All fields may
// be nil or empty.
type Caller struct {
	Session *session.Session
	Called  func()          // called after each tool call that was added to the session's conversation
	Params  json.RawMessage // of the client's request: its _meta and its answers to a tool's questions are passed on
	Note    func(method string, params json.RawMessage)
	// Rounds says that the caller itself answers a result of type input_required.
	Rounds bool
	// Offers and LogLevel are what the client can be asked and which log notes it wants, as in upstream.Request.
	Offers   []string
	LogLevel string
	// Bounded says that a model reads the result: it is limited to the configured size.
	Bounded bool
	// Whole says that the caller cuts the result itself: it is not split into pages.
	Whole bool
	Ask   func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
}

// For returns the gateway on behalf of a caller.
func (g *Gateway) For(c Caller) catalog.Upstreams { return &caller{g, c} }

// caller is a gateway as one client uses it: it runs tools and forwards requests, with the client's session, notes and
// questions.
type caller struct {
	*Gateway
	by Caller // who the client is
}

// PassThrough returns the gateway for a caller that cuts results itself.
func (c *caller) PassThrough() catalog.Upstreams {
	by := c.by
	by.Whole = true
	return &caller{c.Gateway, by}
}

// Find resolves a tool's name.
func (c *caller) Find(ctx context.Context, name, server string) (*catalog.UpstreamTool, error) {
	t, err := c.find(ctx, name, server)
	if err != nil {
		return nil, err
	}
	return t.UpstreamTool, nil
}

// Execute runs one tool.
func (c *caller) Execute(ctx context.Context, name, server string, args json.RawMessage) (*contract.ToolResult, error) {
	t, err := c.find(ctx, name, server)
	if err != nil {
		return nil, err
	}
	ctx = c.opt.Events.WithContext(ctx, "", c.by.Session.ID())
	raw, err := c.callAudited(ctx, t, args, viaTool)
	if err != nil {
		return nil, c.errorForModel(ctx, t, err)
	}
	if raw, err = c.fitResult(ctx, t, raw, false); err != nil {
		return nil, c.errorForModel(ctx, t, err)
	}
	return &contract.ToolResult{Raw: raw}, nil
}

// Call runs a tool under its listed name, for clients that see it listed. The server's own error is returned unchanged
// (*upstream.RPCError).
func (g *Gateway) Call(ctx context.Context, listed string, args json.RawMessage, by Caller) (json.RawMessage, error) {
	return (&caller{g, by}).callListed(ctx, listed, args)
}

func (c *caller) callListed(ctx context.Context, listed string, args json.RawMessage) (json.RawMessage, error) {
	t, err := c.find(ctx, listed, "")
	if err != nil {
		return nil, err
	}
	ctx = c.opt.Events.WithContext(ctx, "", c.by.Session.ID())
	raw, err := c.callAudited(ctx, t, args, viaList)
	if err != nil {
		return nil, err
	}
	return c.fitResult(ctx, t, raw, true)
}

// Has reports whether a tool can be called under this listed name. It asks no server.
func (g *Gateway) Has(listed string) bool {
	return g.catalog.Load().byName[listed] != nil || g.currentCatalog().byName[listed] != nil
}

func (c *caller) call(ctx context.Context, t *tool, args json.RawMessage) (json.RawMessage, *Summary, error) {
	t, err := c.checkPermitted(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	given := args
	args, err = c.checkArguments(t, args)
	if err != nil {
		return nil, nil, err
	}
	e := t.from // not the entry that has this name now: this one was checked
	up, leave, err := c.enterCall(e)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	m := c.masker(e)
	raw, took, err := c.send(ctx, t, up, upstream.Request{Method: "tools/call", Session: c.by.Session.ID(), Note: m.maskNotes(c.by.Note), Ask: m.maskAsks(c.by.Ask), Rounds: c.by.Rounds,
		Offers: c.by.Offers, LogLevel: c.by.LogLevel, Admit: c.admissionCheck(t),
		Time: e.config().Tools[t.Name].Timeout}, args, c.by.Params)
	if held := (*notAdmitted)(nil); errors.As(err, &held) {
		return nil, nil, held.err
	}
	c.count(t, err == nil && !failedResult(raw))
	if err != nil {
		return nil, nil, withWayOut(m.maskError(err))
	}
	if raw, err = m.maskForeign(ctx, raw); err != nil {
		return nil, nil, err
	}
	c.links.add(c.by.Session.ID(), t.Server, raw)
	mended := !bytes.Equal(given, took)
	if mended {
		raw = tellMended(raw, given, took, m)
	}
	if c.by.Bounded {
		raw = shapeResult(raw, t.def.tool.Output)
	}
	if mended && c.by.Bounded {
		raw = tellDoubtful(raw, given, took, m)
	}
	if raw, err = checkQuestion(e, raw); err != nil {
		return nil, nil, err
	}
	if c.opt.Result == nil {
		return raw, nil, nil
	}
	return c.runResultHook(ctx, t, m, Result{Session: c.by.Session, Server: t.Server, Tool: t.Name, Args: took, Raw: raw})
}

// checkQuestion returns a result that asks the client only for what its server may ask for.
func checkQuestion(e *serverEntry, raw json.RawMessage) (json.RawMessage, error) {
	out, err := upstream.Question(raw, e.config().Allow)
	if err != nil {
		return nil, &upstream.Error{Code: CodeExecution, Server: e.config().Name, Message: err.Error(), Err: err}
	}
	return out, nil
}

// callParams returns the parameters of tools/call: the tool's own name, the checked arguments, and any other members
// that the caller sent.
func callParams(name string, args, sent json.RawMessage) json.RawMessage {
	out := append([]byte(`{"name":`), rawjson.Quote(name)...)
	out = append(out, `,"arguments":`...)
	out = append(out, args...)
	members, _ := rawjson.Members(sent) // nil if there are none
	for _, m := range members {
		if strings.EqualFold(m.Name, "name") || strings.EqualFold(m.Name, "arguments") { // many servers ignore case
			continue
		}
		out = append(append(append(out, ','), rawjson.Quote(m.Name)...), ':')
		out = append(out, m.Value...)
	}
	return append(out, '}')
}

func failedResult(raw json.RawMessage) bool {
	var r struct {
		IsError bool `json:"isError"`
	}
	return json.Unmarshal(raw, &r) == nil && r.IsError
}

// count counts the call for later searches. It never blocks.
func (c *caller) count(t *tool, ok bool) {
	profile, s := "", c.storage.get()
	c.mu.Lock()
	if len(c.learns) > 0 {
		profile = c.learns[0]
	}
	if c.unkept {
		s = nil
	}
	c.mu.Unlock()
	c.uses().count(s, profile, t.Server, t.Name, ok)
}

// checkPermitted refuses a tool that rules or trust keep back, and says which of the two. Before refusing it looks for new
// approvals, so that they take effect at once.
func (c *caller) checkPermitted(ctx context.Context, t *tool) (*tool, error) {
	if t.Enabled {
		return t, nil
	}
	if t.Trust != trusted {
		if now := c.recheckApproval(ctx, t); now != nil {
			return now, nil
		}
	}
	return nil, t.blockedReason()
}

// keptBack is the reason why a tool cannot be run, for programs.
type keptBack struct {
	Trust string `json:"trust"`
	Why   string `json:"why"`
}

// blockedReason returns the error that says why a tool cannot be run.
func (t *tool) blockedReason() error {
	e := &contract.Error{Name: "NotFoundError", Code: CodeNotFound, Message: "tool " + t.Listed + " cannot be run: " + t.Why, Data: t.errorData(keptBack{t.Trust, t.Why})}
	if t.Trust != trusted {
		e.Message += "; the user can decide with: compactor tools approve " + t.Listed
	}
	return e
}

// errorForModel turns the error of a call into one for a model: with a code and advice, without protocol terms.
func (c *caller) errorForModel(ctx context.Context, t *tool, err error) error {
	var rpc *upstream.RPCError
	var fault *upstream.Error
	switch {
	case errors.As(err, &rpc):
		e := &contract.Error{Name: "ToolError", Code: CodeExecution, Message: t.Listed + " failed: " + readable(rpc.Message), Data: t.errorData(detailsOf(rpc))}
		if rpc.Code == invalidParams {
			e.Code = CodeArguments
			return &refusedError{e, t.schemaHint(c.schemaOf(t).Hint())}
		}
		return e
	case errors.As(err, &fault):
		return &contract.Error{Name: "ToolError", Code: fault.Code, Message: t.Listed + ": " + fault.Message, Data: t.errorData(nil)}
	case errors.Is(err, context.DeadlineExceeded):
		limit := "servers." + t.Server + ".timeout"
		if ctx.Err() != nil { // the time of the whole request, which ends sooner if the client is shown no progress
			limit = "pool.deadline, or budget.time of its pipeline"
		}
		return &contract.Error{Name: "TimeoutError", Code: CodeTimeout, Data: t.errorData(nil), Message: t.Listed + " took longer than it may; ask it for less, or raise " + limit}
	}
	return err
}

// withWayOut adds to the error of an unreachable server where its user can find out more.
func withWayOut(err error) error {
	var fault *upstream.Error
	if !errors.As(err, &fault) || fault.Code != CodeConnection {
		return err
	}
	return &upstream.Error{Code: fault.Code, Server: fault.Server, Message: fault.Message + "; " + seeServer(fault.Server), Err: fault.Err}
}

const invalidParams = -32602
