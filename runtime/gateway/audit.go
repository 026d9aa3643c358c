package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// The ways in which a call reaches a tool, as named in the log.
const (
	viaTool = "discovery" // through a tool that runs tools
	viaList = "proxy"     // by its own name in the list
)

// callAudited runs call and reports it as an event (the caller, the tool, the time it took and the outcome) and as an entry
// in the session's conversation. Arguments and results are not in the event: a digest distinguishes them.
func (c *caller) callAudited(ctx context.Context, t *tool, args json.RawMessage, via string) (json.RawMessage, error) {
	began := c.opt.Now()
	if !event.Wants(ctx, event.Upstream) {
		raw, _, err := c.call(ctx, t, args)
		c.reportCall(t, args, raw, err, began)
		return raw, err
	}
	ctx, span := event.Start(ctx, event.Event{Kind: event.Upstream, Name: "tools/call", Server: t.Server, Tool: t.Name})
	raw, made, err := c.call(ctx, t, args)
	span.Message, span.Bytes = "tool executed", len(raw)
	span.Attrs = []slog.Attr{slog.String("surface", via), slog.Int("argument_bytes", len(args)), slog.Any("arguments", event.ID(event.HashID(string(args))))}
	if hides, known := c.by.Session.Hides(t.Listed); known {
		span.Attrs = append(span.Attrs, slog.Bool("hidden", hides))
	}
	span.Attrs = append(span.Attrs, made.attrs()...)
	how, code := outcome(raw, err), ""
	if err != nil {
		code = how
	}
	span.End(how, code)
	c.reportCall(t, args, raw, err, began)
	return raw, err
}

// Called is a tool call that has ended.
type Called struct {
	Session      *session.Session // nil if it belongs to no session
	Server, Tool string
	Arguments    json.RawMessage // as they came, including secrets
	At           time.Time       // when it began
	Elapsed      time.Duration
	OK           bool
}

// reportCall adds a finished call to the session's conversation and passes it to Options.Called.
func (c *caller) reportCall(t *tool, args, raw json.RawMessage, err error, began time.Time) {
	c.addToConversation(t, args, raw, err)
	if c.opt.Called != nil {
		c.opt.Called(Called{Session: c.by.Session, Server: t.Server, Tool: t.Name, Arguments: args, At: began, Elapsed: c.opt.Now().Sub(began), OK: outcome(raw, err) == session.OK})
	}
}

// addToConversation adds a finished call to the session's conversation.
func (c *caller) addToConversation(t *tool, args, raw json.RawMessage, err error) {
	if c.by.Session == nil {
		return
	}
	said := session.Call{Tool: t.Listed, Server: t.Server, Outcome: outcome(raw, err), Tokens: session.Tokens(raw)}
	if len(args) <= session.MaxRead {
		said.Arguments = c.masker(t.from).maskValue(args)
	}
	c.by.Session.Add(said)
	if c.by.Called != nil {
		c.by.Called()
	}
}

// stateEmitter returns a function that emits a change of a server's state.
func (reg *registry) stateEmitter(server string) func(state, problem string) {
	return func(state, problem string) {
		reg.opt.Events.Emit(event.Event{Kind: event.Upstream, Name: "state", Server: server, Outcome: state, Message: "server is " + state, Error: problem})
	}
}

// startRequest begins a request other than a tool call; done ends it.
func (c *caller) startRequest(ctx context.Context, server, method string) (_ context.Context, done func(json.RawMessage, error)) {
	ctx, span := event.Start(c.opt.Events.WithContext(ctx, "", c.by.Session.ID()), event.Event{Kind: event.Upstream, Name: method, Server: server})
	return ctx, func(raw json.RawMessage, err error) {
		if span == nil {
			return
		}
		span.Bytes = len(raw)
		how, code := outcome(raw, err), ""
		if err != nil {
			code = how
		}
		span.End(how, code)
	}
}

// outcome returns "ok", "failed" if the tool itself reports failure, or the code of the error.
func outcome(raw json.RawMessage, err error) string {
	var own *contract.Error
	var fault *upstream.Error
	var rpc *upstream.RPCError
	switch {
	case err == nil && failedResult(raw):
		return session.Failed
	case err == nil:
		return session.OK
	case errors.As(err, &own):
		return own.Code
	case errors.As(err, &fault):
		return fault.Code
	case errors.As(err, &rpc):
		return CodeExecution
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return CodeTimeout
	}
	var coded interface{ Code() string }
	if errors.As(err, &coded) {
		return coded.Code()
	}
	return CodeExecution
}
