package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/mark3labs/mcp-go/mcp"
)

// maxAsks limits a server's requests under way on one connection.
const maxAsks = 32

// maxReplies limits our replies that wait to be read. A server that asks and does not read gets no more of them.
const maxReplies = 256

// maxID limits the bytes of a server's request id, which our answer repeats.
const maxID = 4 << 10

// handleRequest answers a request of the server.
func (c *conn) handleRequest(m message, via *call) {
	if len(m.id) > maxID {
		return
	}
	if m.bad != nil {
		c.answer(m.id, nil, &RPCError{Code: mcp.INVALID_REQUEST, Message: m.bad.Error()})
		return
	}
	if m.method == string(mcp.MethodPing) {
		c.answer(m.id, json.RawMessage(`{}`), nil)
		return
	}
	ask, refusal := c.askerFor(m.method, via)
	if refusal != nil {
		c.answer(m.id, nil, refusal)
		return
	}
	key := string(m.id)
	ctx, full := c.enroll(key)
	if full {
		c.answer(m.id, nil, &RPCError{Code: mcp.INTERNAL_ERROR, Message: fmt.Sprintf("more than %d requests at once", maxAsks)})
	}
	if ctx == nil {
		return
	}
	c.spawn(func() {
		defer c.cancelRequest(key)
		result, err := ask(ctx, m.method, withoutContext(m.method, m.params))
		if ctx.Err() == nil {
			c.answer(m.id, result, asRPC(err))
		}
	})
}

// enroll registers a request of the server. The context is nil if the request is not to be handled: there are too many,
// or its id is in use.
func (c *conn) enroll(key string) (ctx context.Context, full bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, twice := c.asks[key]; twice || len(c.asks) >= maxAsks {
		return nil, !twice
	}
	ctx, c.asks[key] = context.WithCancel(c.ctx)
	return ctx, false
}

// cancelRequest removes a request of the server and cancels its handling.
func (c *conn) cancelRequest(key string) {
	c.mu.Lock()
	cancel := c.asks[key]
	delete(c.asks, key)
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// withoutContext removes includeContext from sampling params, which asks for the context of "this server" or of all: to
// the client, all of compactor is one server, so the context would include other servers' results.
func withoutContext(method string, params json.RawMessage) json.RawMessage {
	if askFor(method) != Sampling {
		return params
	}
	return rawjson.Rewrite(params, func(name string, value json.RawMessage) json.RawMessage {
		if strings.EqualFold(name, "includeContext") {
			return nil
		}
		return value
	})
}

type asker = func(context.Context, string, json.RawMessage) (json.RawMessage, error)

// askerFor returns the function that passes a server's request to a caller, or an error if there is none to ask.
func (c *conn) askerFor(method string, via *call) (asker, *RPCError) {
	what := askFor(method)
	if what == "" {
		return nil, &RPCError{Code: mcp.METHOD_NOT_FOUND, Message: "this client does not know " + sanitize.OneLine(method, maxLine)}
	}
	if !c.server.spec.allows(what) {
		return nil, &RPCError{Code: mcp.METHOD_NOT_FOUND, Message: what + " is not allowed for this server"}
	}
	if via != nil {
		if via.ask == nil {
			return nil, &RPCError{Code: mcp.INVALID_REQUEST, Message: what + " needs a request whose caller can be asked"}
		}
		return boundAsk(via), nil
	}
	// The request names no request of ours. A guess could show one caller another's data.
	owner, certain := c.owner()
	if !certain || c.newest(owner, math.MaxInt64) == nil {
		return nil, &RPCError{Code: mcp.INVALID_REQUEST, Message: what + " needs requests under way that are all of one caller who can be asked: see connections"}
	}
	return c.anyOf(owner), nil
}

// anyOf asks an owner through one of its calls under way. If that call ends first, the request did not belong to it,
// and is passed through another one.
func (c *conn) anyOf(owner string) asker {
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		for call := c.newest(owner, math.MaxInt64); call != nil; call = c.newest(owner, call.id) {
			result, err := boundAsk(call)(ctx, method, params)
			if err == nil || ctx.Err() != nil || !call.isOver() {
				return result, err
			}
		}
		return nil, &RPCError{Code: mcp.INVALID_REQUEST, Message: "the request it was asked for has ended"}
	}
}

// boundAsk returns the ask function of a call, canceled when the call ends.
func boundAsk(via *call) asker {
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stop := make(chan struct{})
		defer close(stop)
		go func() {
			select {
			case <-via.done:
				cancel()
			case <-stop:
			}
		}()
		return via.ask(ctx, method, params)
	}
}

// askFor returns the name that Spec.Allow uses for a request of the server.
func askFor(method string) string {
	switch mcp.MCPMethod(method) {
	case mcp.MethodSamplingCreateMessage:
		return Sampling
	case mcp.MethodElicitationCreate:
		return Elicitation
	case mcp.MethodListRoots:
		return Roots
	}
	return ""
}

func (c *conn) answer(id, result json.RawMessage, failure *RPCError) {
	if failure == nil && rawjson.Of(result) != rawjson.Object {
		failure = &RPCError{Code: mcp.INTERNAL_ERROR, Message: "the client did not respond"}
	}
	body := encodeReply(id, compact(result), failure)
	c.mu.Lock()
	full := c.replies == maxReplies
	if !full {
		c.replies++
	}
	c.mu.Unlock()
	if full {
		return
	}
	c.sendLater("", body, func() {
		c.mu.Lock()
		c.replies--
		c.mu.Unlock()
	})
}

// asRPC returns an error in the form that the server may see: an RPCError unchanged, any other without its text.
func asRPC(err error) *RPCError {
	var rpc *RPCError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &rpc):
		return rpc
	}
	return &RPCError{Code: mcp.INTERNAL_ERROR, Message: "the client could not respond"}
}
