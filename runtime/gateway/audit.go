package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/session"
)

// The ways in which a call reaches a tool, as the log names them.
const (
	viaTool = "discovery" // a tool that runs tools
	viaList = "proxy"     // its own name in the list
)

// audited is call with a line in the log, who ran what, how long it took and how it
// ended, and with an entry in the session's conversation. Arguments and results are
// not in the log, nor a session's id, which is as good as a key over HTTP: digests
// tell equal ones apart.
func (g *Gateway) audited(ctx context.Context, t *tool, args json.RawMessage, c Caller, via string) (json.RawMessage, error) {
	start := g.opt.Now()
	raw, err := g.call(ctx, t, args, c)
	g.opt.Logger.LogAttrs(context.WithoutCancel(ctx), slog.LevelInfo, "tool executed",
		slog.String("session", session.Digest(c.Session.ID())), slog.String("server", t.Server), slog.String("tool", t.Name), slog.String("surface", via),
		slog.Int("argument_bytes", len(args)), slog.String("arguments", session.Digest(string(args))),
		slog.Int64("ms", g.opt.Now().Sub(start).Milliseconds()), slog.String("outcome", outcome(raw, err)))
	g.converse(t, args, c, raw, err)
	return raw, err
}

// converse adds a call that has ended to the session's conversation.
func (g *Gateway) converse(t *tool, args json.RawMessage, c Caller, raw json.RawMessage, err error) {
	if c.Session == nil {
		return
	}
	said := session.Call{Tool: t.Listed, Server: t.Server, Outcome: outcome(raw, err), Tokens: session.Tokens(raw)}
	if len(args) <= session.MaxRead {
		said.Arguments = g.masker(t.from).value(args)
	}
	c.Session.Add(said)
	if c.Called != nil {
		c.Called()
	}
}

// outcome is ok, failed where the tool says so itself, or the code of the error.
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
