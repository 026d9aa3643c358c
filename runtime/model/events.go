package model

import (
	"context"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// endChat ends the span of a request with its outcome.
func endChat(span *event.Span, reply *Reply, err error) {
	if span == nil {
		return
	}
	if reply != nil {
		span.TokensIn, span.TokensOut = reply.Usage.In, reply.Usage.Out
	}
	if err == nil {
		span.End(event.OK, "")
		return
	}
	span.Error = plainMessage(err)
	var e *Error
	switch {
	case errors.Is(err, context.Canceled):
		span.End("canceled", "")
	case errors.As(err, &e):
		span.End(event.Failed, string(e.Kind))
	default:
		span.End(event.Failed, "")
	}
}
