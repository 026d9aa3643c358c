package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/diag"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/server/rawjson"
)

// Caller is who a call is made for: what of it goes back to the chat client
// while it runs. All fields may be nil or empty.
type Caller struct {
	Session string
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
	Ask     func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
}

// For is the gateway on behalf of a caller.
func (g *Gateway) For(c Caller) catalog.Upstreams { return &bound{g, c} }

// bound is the gateway for one call.
type bound struct {
	*Gateway
	caller Caller
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
	raw, err := b.audited(ctx, t, args, b.caller, viaTool)
	if err != nil {
		return nil, b.worded(t, err)
	}
	return &contract.ToolResult{Raw: b.fit(t, raw, b.caller, false)}, nil
}

// Call runs a tool under its listed name, for clients that see it listed. The
// error of the server itself is given as it is (*upstream.RPCError).
func (g *Gateway) Call(ctx context.Context, listed string, args json.RawMessage, c Caller) (json.RawMessage, error) {
	t, err := g.find(ctx, listed, "")
	if err != nil {
		return nil, err
	}
	raw, err := g.audited(ctx, t, args, c, viaList)
	if err != nil {
		return nil, err
	}
	return g.fit(t, raw, c, true), nil
}

// Has reports whether a tool can be called under this listed name. It asks no
// server.
func (g *Gateway) Has(listed string) bool {
	return g.catalog.Load().byName[listed] != nil
}

func (g *Gateway) call(ctx context.Context, t *tool, args json.RawMessage, c Caller) (json.RawMessage, error) {
	t, err := g.permitted(ctx, t)
	if err != nil {
		return nil, err
	}
	args, err = g.arguments(t, args)
	if err != nil {
		return nil, err
	}
	e := t.from // not the one that has its name by now: this one was judged
	if err := e.begin(); err != nil {
		return nil, err
	}
	defer e.calls.Done()
	up, err := g.connection(e)
	if err != nil {
		return nil, err
	}
	defer up.Wanted()()
	m := g.masker(e)
	raw, args, err := g.send(ctx, t, up, upstream.Request{Method: "tools/call", Session: c.Session, Note: m.notes(c.Note), Ask: m.asks(c.Ask), Rounds: c.Rounds,
		Offers: c.Offers, LogLevel: c.LogLevel, Admit: g.admission(t),
		Time: e.config().Tools[t.Name].Timeout}, args, c.Params)
	if held := (*notAdmitted)(nil); errors.As(err, &held) {
		return nil, held.err
	}
	g.count(t, err == nil && !failedResult(raw))
	if err != nil {
		return nil, withWayOut(m.fault(err))
	}
	if raw, err = m.result(raw); err != nil || g.opt.Result == nil {
		return raw, err
	}
	hooked := g.opt.Result(ctx, Result{Server: t.Server, Tool: t.Name, Args: args, Raw: raw})
	if bytes.Equal(hooked, raw) {
		return raw, nil
	}
	return m.result(hooked) // a hook may have read more than the result
}

// Result is a masked result, and what it answers.
type Result struct {
	Server, Tool string
	Args, Raw    json.RawMessage
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

// count books the call for later searches. It never waits.
func (g *Gateway) count(t *tool, ok bool) {
	g.uses().add(t.Server, t.Name)
	if s := g.kept(); s != nil {
		s.Count(t.Server, t.Name, ok)
	}
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

// find resolves the name of a tool as models write it.
func (g *Gateway) find(ctx context.Context, name, server string) (*tool, error) {
	name = strings.TrimSpace(name)
	if t := g.catalog.Load().lookup(name, server); t != nil {
		if !t.from.isOutdated() {
			return t, nil
		}
		g.reread(ctx, t.from) // it is judged on what the server offers now
	}
	if t := g.findRecalled(ctx, name, server); t != nil {
		return t, nil
	}
	if name == "" {
		return nil, g.catalog.Load().notFound(name, server, "", g.echo)
	}
	at := ""
	if e := g.meant(name, server); e != nil {
		if err := g.demand(ctx, e); err != nil {
			return nil, err
		}
		at = e.config().Name
	} else {
		g.settle(ctx) // a server that was never asked may have it
	}
	c := g.catalog.Load()
	if t := c.lookup(name, server); t != nil {
		return t, nil
	}
	return nil, c.notFound(name, server, at, g.echo)
}

// findRecalled looks among what earlier runs have seen, so that a program that
// has just begun does not wait for other servers than the tool's. What the
// server offers now is asked behind it, as for every list of an earlier run.
func (g *Gateway) findRecalled(ctx context.Context, name, server string) *tool {
	recalled := g.takeUp(ctx)
	if len(recalled) == 0 {
		return nil
	}
	t := g.catalog.Load().lookup(name, server)
	for _, e := range recalled {
		if t == nil || t.from == e {
			g.spawn(func(life context.Context) { _, _ = g.fetch(life, e) })
		}
	}
	return t
}

// reread waits a little for a server's changed list.
func (g *Gateway) reread(ctx context.Context, e *entry) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, _ = g.fetch(ctx, e)
}

// lookup finds a tool by its listed name, by server and name, or by its own
// name where one alone has it, in these capitals or else in any.
func (c *Catalog) lookup(name, server string) *tool {
	if t := c.byName[name]; t != nil && (server == "" || server == t.Server) {
		return t
	}
	var found, same []*tool
	for _, u := range c.Tools.List {
		if server != "" && !strings.EqualFold(u.Server, server) || !answers(u, name) {
			continue
		}
		found = append(found, c.byName[u.Listed])
		if u.Name == name {
			same = append(same, c.byName[u.Listed])
		}
	}
	switch {
	case len(same) == 1:
		return same[0]
	case len(found) == 1:
		return found[0]
	}
	return nil // none, or several could be meant
}

func answers(u *catalog.UpstreamTool, name string) bool {
	if strings.EqualFold(u.Name, name) || strings.EqualFold(u.Listed, name) {
		return true
	}
	rest, ok := cutPrefixFold(name, u.Server)
	if !ok {
		return false
	}
	for _, sep := range []string{separator, ".", "/", ":", "_", "-"} {
		if own, ok := strings.CutPrefix(rest, sep); ok && strings.EqualFold(own, u.Name) {
			return true
		}
	}
	return false
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// nearest is a tool that may have been meant, for programs.
type nearest struct {
	Nearest string `json:"nearest"`
}

// notFound names the nearest tools, of the server at which it must be or of all, or
// the servers there are.
func (c *Catalog) notFound(name, server, at string, echo func(string) string) error {
	e := &contract.Error{Name: "NotFoundError", Code: CodeNotFound, Message: fmt.Sprintf("there is no tool %q", echo(name)),
		Data: &contract.ErrorData{Server: echo(server), Tool: echo(name)}}
	if name == "" {
		e.Message = "tool is missing: which one? find it with search_tools"
		return e
	}
	if server != "" {
		e.Message += " at server " + echo(server)
		if _, ok := c.byServer[server]; !ok {
			e.Message += ", which is not known"
		}
	}
	if why := c.refusal(name, server); why != "" {
		e.Message = why
		return e
	}
	var several []string
	for _, u := range c.Tools.List {
		if strings.EqualFold(u.Name, name) && u.Enabled && (at == "" || at == u.Server) {
			several = append(several, u.Listed)
		}
	}
	near := c.nearest(name, at)
	switch {
	case len(several) > 1:
		e.Message = fmt.Sprintf("%d tools are called %s: name it %s", len(several), echo(name), strings.Join(several, " or "))
	case near != "":
		e.Data.Details = nearest{near}
		e.Message += "; did you mean " + near + "?"
	default:
		e.Message += "; find it with search_tools"
	}
	if at == "" {
		e.Message += unreached(c.Tools)
	}
	return e
}

// nearest is the listed name of the tool whose name is most like this one, of one
// server or of all; "" where none is.
func (c *Catalog) nearest(name, at string) string {
	var own, listed []string
	for _, t := range c.Tools.List {
		if t.Enabled && (at == "" || at == t.Server) {
			own, listed = append(own, t.Name), append(listed, t.Listed)
		}
	}
	if near := diag.Nearest(name, listed); near != "" {
		return near
	}
	if i := slices.Index(own, diag.Nearest(name, own)); i >= 0 {
		return listed[i]
	}
	return ""
}

// worded is the error of a call that a model reads: with a code, what to do, and
// no protocol words.
func (g *Gateway) worded(t *tool, err error) error {
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
		return &contract.Error{Name: "TimeoutError", Code: CodeTimeout, Data: t.errorData(nil), Message: t.Listed + " took longer than it may; ask it for less, or raise servers." +
			t.Server + ".timeout"}
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
