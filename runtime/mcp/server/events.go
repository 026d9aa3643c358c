package server

import (
	"context"
	"log/slog"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// observe begins the events of a request, in the trace that its client sent along (the traceparent of W3C Trace Context
// in _meta) or a new one. done ends them. Of what the client sent they contain only names that we know.
func (s *Server) observe(ctx context.Context, sess *session, r *request) (_ context.Context, done func(answer)) {
	if !s.opt.Events.Active() {
		return ctx, func(answer) {}
	}
	ctx = s.opt.Events.WithContext(ctx, r.traceparent(), sess.id)
	e := event.Event{Kind: event.Request, Name: methodName(r.method), Bytes: len(r.rawParam)}
	if r.method == string(mcp.MethodToolsCall) {
		if name := textOf(r.param("name")); r.face != nil && r.face.surface.Load().tools[name] != nil {
			e.Tool = name
		}
	}
	if client := sess.declaredClient().Name; client != "" {
		e.Attrs = []slog.Attr{slog.String("client", client)}
	}
	ctx, span := event.Start(ctx, e)
	return ctx, func(a answer) {
		if span == nil {
			return
		}
		span.Bytes = len(a.result)
		switch {
		case a.silent:
			span.End("canceled", "")
		case a.err != nil:
			span.End(event.Failed, strconv.Itoa(a.err.Code))
		case a.code != "":
			span.End(event.Failed, a.code)
		default:
			span.End(event.OK, "")
		}
	}
}

// traceparent returns the trace that the request belongs to, "" if its client sent none.
func (r *request) traceparent() string {
	meta, err := rawjson.Members(r.param("_meta"))
	if err != nil {
		return ""
	}
	for _, m := range meta {
		if m.Name == "traceparent" {
			return event.Traceparent(textOf(m.Value))
		}
	}
	return ""
}

// known has the requests of the protocol.
var known = map[mcp.MCPMethod]bool{
	mcp.MethodInitialize: true, mcp.MethodPing: true, mcp.MethodServerDiscover: true, mcp.MethodSubscriptionsListen: true, mcp.MethodSetLogLevel: true,
	mcp.MethodToolsList: true, mcp.MethodToolsCall: true, mcp.MethodPromptsList: true, mcp.MethodPromptsGet: true, mcp.MethodCompletionComplete: true,
	mcp.MethodResourcesList: true, mcp.MethodResourcesTemplatesList: true, mcp.MethodResourcesRead: true,
	mcp.MethodResourcesSubscribe: true, mcp.MethodResourcesUnsubscribe: true,
}

// methodName returns a method as events have it. Methods unknown to the protocol all become one name: their names are
// the clients' words.
func methodName(method string) string {
	if known[mcp.MCPMethod(method)] {
		return method
	}
	return "unknown"
}
