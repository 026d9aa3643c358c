package service

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/model/sampling"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// Backend adapts the service to the MCP server.
type Backend struct {
	*Service
	Version       string
	Deterministic bool

	as string // profile of its clients; "" for the profile of unassigned clients
}

// Tools lists the configuration's tools, followed by the upstream tools if these are listed individually.
func (b Backend) Tools(ctx context.Context) []server.Tool {
	snap := b.snap()
	cfg := snap.Plan.Config.Gateway
	digest := sync.OnceValue(func() string { return sanitize.Text(b.gatewayOf(b.as).Digest(cfg.Digest)) }) // lazy: it is counted token by token
	var out []server.Tool
	for _, t := range b.ownTools(snap) {
		tool := listedTool(t)
		if strings.Contains(tool.Description, digestMark) {
			tool.Description = strings.ReplaceAll(tool.Description, digestMark, digest())
		}
		out = append(out, tool)
	}
	if !cfg.Proxies() {
		return out
	}
	all := b.gatewayOf(b.as).Listed()
	chosen := all
	if !b.Chooses() {
		chosen = b.chooseTools(ctx, nil, all)
	}
	shown := map[string]bool{}
	for _, t := range chosen {
		shown[t.Name] = true
		out = snap.appendProxied(out, t, false)
	}
	for _, t := range all { // tools that the hook leaves out can still be called
		if !shown[t.Name] {
			out = snap.appendProxied(out, t, true)
		}
	}
	return out
}

// ownTools returns the configuration's tools that are listed.
func (b Backend) ownTools(s *Snapshot) (out []*plan.Tool) {
	behind := b.gatewayOf(b.as).Configured()
	for _, t := range s.Plan.Tools {
		if s.Plan.OnMenu(t, behind) {
			out = append(out, t)
		}
	}
	return out
}

// Chooses reports whether sessions may be listed different tools.
func (b Backend) Chooses() bool {
	snap := b.snap()
	return snap.Plan.Config.Gateway.Proxies() && snap.hookEnv().Chooses()
}

// Choose returns the names of the tools that a session is listed.
func (b Backend) Choose(ctx context.Context, who server.Session) []string {
	snap := b.snap()
	var names []string
	for _, t := range b.ownTools(snap) {
		names = append(names, t.Name)
	}
	for _, t := range b.chooseTools(ctx, b.openSession(who.ID, who.Client, who.Stateless), b.gatewayOf(b.as).Listed()) {
		if _, own := snap.Plan.Tool(t.Name); !own { // if both have the name, ours takes precedence
			names = append(names, t.Name)
		}
	}
	return names
}

// Await waits for servers whose tools are not known yet, if upstream tools are listed
// individually. changed reports whether the list is new to clients.
func (b Backend) Await(ctx context.Context, tool string) (changed bool, err error) {
	if !b.snap().Plan.Config.Gateway.Proxies() {
		return false, nil
	}
	if tool == "" {
		b.gatewayOf(b.as).WaitForCatalogs(ctx)
	} else if err = b.gatewayOf(b.as).WaitForTool(ctx, tool); err != nil {
		return false, codedError(err)
	}
	return b.gatewayOf(b.as).HasUnannounced(), nil
}

// Missing reports whether there are servers that Await would wait for.
func (b Backend) Missing() bool {
	return b.snap().Plan.Config.Gateway.Proxies() && b.gatewayOf(b.as).Missing()
}

// appendProxied appends an upstream tool to list, unless its name is taken by our own or its definition is invalid.
func (s *Snapshot) appendProxied(list []server.Tool, t gateway.Listed, hidden bool) []server.Tool {
	tool := server.Tool{Name: t.Name, Raw: t.Definition, Unchecked: true, Hidden: hidden}
	if _, own := s.Plan.Tool(t.Name); own { // ours takes precedence
		return list
	}
	if err := tool.Check(); err != nil { // one invalid tool would make clients reject the whole list
		s.warn("a tool of a server cannot be listed", "tool", t.Name, "error", err)
		return list
	}
	return append(list, tool)
}

// digestMark is the placeholder in a description for the digest of the upstream servers.
const digestMark = "{servers}"

// listedTool converts a tool of the configuration for clients. A configuration may come with a repository, so its texts
// are sanitized like a server's.
func listedTool(t *plan.Tool) server.Tool {
	s := server.Tool{Name: t.Name, Title: sanitize.Text(t.Title), Description: sanitize.Text(oneParagraph(t.Description)), Input: cleanSchema(t.Input),
		Annotations: server.Annotations(t.Hints), Unchecked: t.Input.Open != nil}
	if len(t.Advanced) > 0 {
		s.Plain = cleanSchema(t.PlainInput())
	}
	// The discovery tools exist to save tokens, and output schemas would be most of
	// their size.
	if t.Output.Type == schema.Object && !t.Upstream() {
		s.Output = cleanSchema(t.Output)
	}
	return s
}

// cleanSchema returns a schema with sanitized texts.
func cleanSchema(s *schema.Schema) json.RawMessage {
	var words *redact.Redactor // secrets are masked where values leave
	out, _, _ := words.JSON(context.Background(), s.JSON(), redact.Frame{Clean: sanitize.Text})
	return out
}

// Echo returns a text of a client in the form in which an error may repeat it.
func (b Backend) Echo(text string) string { return b.snap().Egress.Line(text) }

// Instructions tells a chat model when to use compactor at all: it joins the
// instructions of the tools that the model sees.
func (b Backend) Instructions() string {
	p, behind := b.snap().Plan, b.gatewayOf(b.as).Configured()
	var parts []string
	for _, t := range p.Tools {
		if t.Instructions != "" && p.OnMenu(t, behind) {
			parts = append(parts, sanitize.Text(oneParagraph(t.Instructions)))
		}
	}
	return strings.Join(parts, " ")
}

// ShowsOutput reports whether a client gets the output schemas of tools.
func (b Backend) ShowsOutput(c server.Client) bool { return b.snap().Plan.ShowsOutput(c.Name) }

// ShowsAdvanced reports whether a client gets the inputs that tools declare as advanced.
func (b Backend) ShowsAdvanced(c server.Client) bool { return b.snap().Plan.ShowsAdvanced(c.Name) }

// Call runs a tool for a client.
func (b Backend) Call(ctx context.Context, c server.Call) (server.Reply, error) {
	sess := b.openSession(c.Session, c.Client, c.Stateless)
	if c.Session == "" {
		sess.Assume(b.standing.listOf(sess.Identity()))
	}
	caller := gateway.Caller{Bounded: true, Session: sess, Params: c.Params, Note: c.Note, Ask: c.Ask, Rounds: c.Stateless,
		Offers: offersOf(c.Client, c.Ask != nil || c.Stateless), LogLevel: c.LogLevel}
	defer b.notifyCalled(c.Session)
	m := newMeter(c.Progress, c.Note)
	if c.Note != nil {
		caller.Note = m.passNote
	}
	if c.Watched {
		defer m.startHeartbeat(ctx)()
	}
	tool, own := b.snap().Plan.Tool(c.Tool)
	if !own && b.gatewayOf(b.as).Has(c.Tool) {
		raw, err := b.gatewayOf(b.as).Call(ctx, c.Tool, c.Args, caller)
		return server.Reply{Raw: raw}, upstreamError(err)
	}
	if own && !callsOne(tool.Pipeline) { // parameters that the client sent next to the arguments are meant for one server
		caller.Params, caller.Rounds = nil, false
	}
	call := Call{Tool: c.Tool, Args: c.Args, Deterministic: b.Deterministic, Caller: caller, Watched: c.Watched}
	if !own || !tool.Upstream() { // for upstream tools, the only progress is the server's
		call.Progress = m.noteStage
	}
	if c.Sample != nil {
		ctx, call.Sampler = sampling.With(ctx, askThrough(c.Sample)), b.samplers.samplerFor(c.Session)
	}
	reply, err := b.Service.Call(ctx, call)
	if err != nil {
		return server.Reply{}, codedError(err)
	}
	if reply.Upstream {
		return server.Reply{Raw: reply.JSON}, nil
	}
	return replyOf(reply), nil
}

// upstreamError converts an error of an upstream server for clients: a JSON-RPC error keeps
// the server's own form, any other gets ours.
func upstreamError(err error) error {
	var rpc *upstream.RPCError
	var fault *upstream.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &rpc):
		return refusal{rpc}
	case errors.As(err, &fault):
		return failure{&contract.Error{Code: fault.Code, Message: "server " + fault.Error(), Data: &contract.ErrorData{Server: fault.Server}}, ""}
	}
	return codedError(err)
}

// refusal is an upstream server's own JSON-RPC error.
type refusal struct{ err *upstream.RPCError }

func (r refusal) Error() string { return r.err.Message }

// RPC returns the parts of the JSON-RPC error.
func (r refusal) RPC() (int, string, json.RawMessage) { return r.err.Code, r.err.Message, r.err.Data }

// failure exposes the code of a contract.Error to the server as a method.
type failure struct {
	err  *contract.Error
	hint string
}

func (f failure) Error() string { return f.err.Message }
func (f failure) Code() string  { return f.err.Code }
func (f failure) Unwrap() error { return f.err }
func (f failure) Hint() string  { return f.hint }

// Members returns the members of the error's data.
func (f failure) Members() map[string]any { return f.err.Data.Members() }

func codedError(err error) error {
	var e *contract.Error
	if errors.As(err, &e) {
		return failure{e, hintOf(err)}
	}
	return err
}

// sameAgain is put before the reply to a repeated question, so that the model notices it is going in circles.
const sameAgain = "Same as before (ask something else, or answer with this):\n"

// replyOf returns objects as structured content. The text for the model is the rendered form of their type if it has
// one, and else the same JSON. A bare string is returned as text alone.
func replyOf(reply *Reply) server.Reply {
	var s string
	raw := reply.JSON
	if json.Unmarshal(raw, &s) == nil {
		return server.Reply{Text: s}
	}
	r := server.Reply{Text: string(raw)}
	if text, ok := render.ForModel(raw, reply.Type); ok {
		r.Text = text
		if reply.Again {
			r.Text = sameAgain + text
		}
	}
	if len(raw) > 0 && raw[0] == '{' {
		r.Structured = raw
	}
	return r
}
