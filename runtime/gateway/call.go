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

// Caller is who a call is made for: what of it goes back to the chat client
// while it runs. All fields may be nil or empty.
type Caller struct {
	Session *session.Session
	Called  func()          // is told of each call of a tool that the session's conversation has now
	Params  json.RawMessage // of the client's request: its _meta and answers to what a tool asked go along
	Note    func(method string, params json.RawMessage)
	// Rounds says that the caller answers a result of input_required itself.
	Rounds bool
	// Offers and LogLevel are what the client can be asked and which log notes it wants, as in upstream.Request.
	Offers   []string
	LogLevel string
	// Bounded says that a model reads the result: no more leaves at once than the
	// configuration lets it have.
	Bounded bool
	// Whole says that who reads the result cuts it himself: it comes in no pages.
	Whole bool
	Ask   func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
}

// For is the gateway on behalf of a caller.
func (g *Gateway) For(c Caller) catalog.Upstreams { return &bound{g, c} }

// bound is the gateway for one call.
type bound struct {
	*Gateway
	caller Caller
}

// Whole is the gateway for a caller that cuts results himself.
func (b *bound) Whole() catalog.Upstreams {
	c := b.caller
	c.Whole = true
	return &bound{b.Gateway, c}
}

// Find resolves a tool's name.
func (b *bound) Find(ctx context.Context, name, server string) (*catalog.UpstreamTool, error) {
	t, err := b.find(ctx, name, server)
	if err != nil {
		return nil, err
	}
	return t.UpstreamTool, nil
}

// Execute runs one tool.
func (b *bound) Execute(ctx context.Context, name, server string, args json.RawMessage) (*contract.ToolResult, error) {
	t, err := b.find(ctx, name, server)
	if err != nil {
		return nil, err
	}
	ctx = b.opt.Events.Into(ctx, "", b.caller.Session.ID())
	raw, err := b.audited(ctx, t, args, b.caller, viaTool)
	if err != nil {
		return nil, b.worded(ctx, t, err)
	}
	if raw, err = b.fit(ctx, t, raw, b.caller, false); err != nil {
		return nil, b.worded(ctx, t, err)
	}
	return &contract.ToolResult{Raw: raw}, nil
}

// Call runs a tool under its listed name, for clients that see it listed. The
// error of the server itself is given as it is (*upstream.RPCError).
func (g *Gateway) Call(ctx context.Context, listed string, args json.RawMessage, c Caller) (json.RawMessage, error) {
	t, err := g.find(ctx, listed, "")
	if err != nil {
		return nil, err
	}
	ctx = g.opt.Events.Into(ctx, "", c.Session.ID())
	raw, err := g.audited(ctx, t, args, c, viaList)
	if err != nil {
		return nil, err
	}
	return g.fit(ctx, t, raw, c, true)
}

// Has reports whether a tool can be called under this listed name. It asks no
// server.
func (g *Gateway) Has(listed string) bool {
	return g.catalog.Load().byName[listed] != nil || g.built().byName[listed] != nil
}

func (g *Gateway) call(ctx context.Context, t *tool, args json.RawMessage, c Caller) (json.RawMessage, *Summary, error) {
	t, err := g.permitted(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	given := args
	args, err = g.arguments(t, args)
	if err != nil {
		return nil, nil, err
	}
	e := t.from // not the one that has its name by now: this one was judged
	up, leave, err := g.enter(e)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	m := g.masker(e)
	raw, took, err := g.send(ctx, t, up, upstream.Request{Method: "tools/call", Session: c.Session.ID(), Note: m.notes(c.Note), Ask: m.asks(c.Ask), Rounds: c.Rounds,
		Offers: c.Offers, LogLevel: c.LogLevel, Admit: g.admission(t),
		Time: e.config().Tools[t.Name].Timeout}, args, c.Params)
	if held := (*notAdmitted)(nil); errors.As(err, &held) {
		return nil, nil, held.err
	}
	g.count(t, err == nil && !failedResult(raw))
	if err != nil {
		return nil, nil, withWayOut(m.fault(err))
	}
	if raw, err = m.foreign(ctx, raw); err != nil {
		return nil, nil, err
	}
	g.links.add(c.Session.ID(), t.Server, raw)
	mended := !bytes.Equal(given, took)
	if mended {
		raw = tellMended(raw, given, took, m)
	}
	if c.Bounded {
		raw = shaped(raw, t.def.tool.Output)
	}
	if mended && c.Bounded {
		raw = tellDoubtful(raw, given, took, m)
	}
	if raw, err = asked(e, raw); err != nil {
		return nil, nil, err
	}
	if g.opt.Result == nil {
		return raw, nil, nil
	}
	return g.hooked(ctx, t, m, Result{Session: c.Session, Server: t.Server, Tool: t.Name, Args: took, Raw: raw}, c)
}

// asked returns a result that may ask the client for something only as far as its server may.
func asked(e *entry, raw json.RawMessage) (json.RawMessage, error) {
	out, err := upstream.Question(raw, e.config().Allow)
	if err != nil {
		return nil, &upstream.Error{Code: CodeExecution, Server: e.config().Name, Message: err.Error(), Err: err}
	}
	return out, nil
}

// callParams are the parameters of tools/call: the tool's own name, the checked
// arguments, and what else the caller sent.
func callParams(name string, args, sent json.RawMessage) json.RawMessage {
	out := append([]byte(`{"name":`), rawjson.Quote(name)...)
	out = append(out, `,"arguments":`...)
	out = append(out, args...)
	members, _ := rawjson.Members(sent) // nil where there is nothing
	for _, m := range members {
		if strings.EqualFold(m.Name, "name") || strings.EqualFold(m.Name, "arguments") { // many servers read names in any capitals
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

// count counts the call for later searches. It never waits.
func (g *Gateway) count(t *tool, ok bool) {
	profile, s := "", g.storage.get()
	g.mu.Lock()
	if len(g.learns) > 0 {
		profile = g.learns[0]
	}
	if g.unkept {
		s = nil
	}
	g.mu.Unlock()
	g.uses().count(s, profile, t.Server, t.Name, ok)
}

// permitted refuses what rules or trust keep back, and says which. What people
// approve is taken up at once: it is looked for before refusing.
func (g *Gateway) permitted(ctx context.Context, t *tool) (*tool, error) {
	if t.Enabled {
		return t, nil
	}
	if t.Trust != trusted {
		if now := g.reconsider(ctx, t); now != nil {
			return now, nil
		}
	}
	return nil, t.keptBack()
}

// keptBack is why a tool cannot be run, for programs.
type keptBack struct {
	Trust string `json:"trust"`
	Why   string `json:"why"`
}

// keptBack is why a tool cannot be run.
func (t *tool) keptBack() error {
	e := &contract.Error{Name: "NotFoundError", Code: CodeNotFound, Message: "tool " + t.Listed + " cannot be run: " + t.Why, Data: t.errorData(keptBack{t.Trust, t.Why})}
	if t.Trust != trusted {
		e.Message += "; the user can decide with: compactor tools approve " + t.Listed
	}
	return e
}

// worded is the error of a call that a model reads: with a code, what to do, and
// no protocol words.
func (g *Gateway) worded(ctx context.Context, t *tool, err error) error {
	var rpc *upstream.RPCError
	var fault *upstream.Error
	switch {
	case errors.As(err, &rpc):
		e := &contract.Error{Name: "ToolError", Code: CodeExecution, Message: t.Listed + " failed: " + readable(rpc.Message), Data: t.errorData(detailsOf(rpc))}
		if rpc.Code == invalidParams {
			e.Code = CodeArguments
			return &refusedError{e, t.wanted(g.schemaOf(t).Hint())}
		}
		return e
	case errors.As(err, &fault):
		return &contract.Error{Name: "ToolError", Code: fault.Code, Message: t.Listed + ": " + fault.Message, Data: t.errorData(nil)}
	case errors.Is(err, context.DeadlineExceeded):
		limit := "servers." + t.Server + ".timeout"
		if ctx.Err() != nil { // the time of the whole request, which ends sooner where the client is shown no progress
			limit = "pool.deadline, or budget.time of its pipeline"
		}
		return &contract.Error{Name: "TimeoutError", Code: CodeTimeout, Data: t.errorData(nil), Message: t.Listed + " took longer than it may; ask it for less, or raise " + limit}
	}
	return err
}

// withWayOut says of a server that cannot be reached where its user sees more.
func withWayOut(err error) error {
	var fault *upstream.Error
	if !errors.As(err, &fault) || fault.Code != CodeConnection {
		return err
	}
	return &upstream.Error{Code: fault.Code, Server: fault.Server, Message: fault.Message + "; " + seeServer(fault.Server), Err: fault.Err}
}

const invalidParams = -32602
