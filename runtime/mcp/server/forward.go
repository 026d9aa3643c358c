package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/mark3labs/mcp-go/mcp"
)

// offered tells, for each method that a Forwarder may answer, whether it does.
var offered = map[mcp.MCPMethod]func(Offers) bool{
	mcp.MethodResourcesList:          func(o Offers) bool { return o.Resources },
	mcp.MethodResourcesTemplatesList: func(o Offers) bool { return o.Resources },
	mcp.MethodResourcesRead:          func(o Offers) bool { return o.Resources },
	mcp.MethodResourcesSubscribe:     Offers.canSubscribe,
	mcp.MethodResourcesUnsubscribe:   Offers.canSubscribe,
	mcp.MethodPromptsList:            func(o Offers) bool { return o.Prompts },
	mcp.MethodPromptsGet:             func(o Offers) bool { return o.Prompts },
	mcp.MethodCompletionComplete:     func(o Offers) bool { return o.Completions },
}

func (o Offers) canSubscribe() bool { return o.Resources && o.ResourceSubscribe }

// mayForward reports whether a request may take as long as another server does.
func (s *Server) mayForward(r *request) bool {
	return r.face != nil && r.face.surface.Load().forwards(r)
}

// forwards reports whether the backend answers a request. The stateless era has subscriptions/listen to subscribe.
func (s *surface) forwards(r *request) bool {
	method := mcp.MCPMethod(r.method)
	if r.modern && (method == mcp.MethodResourcesSubscribe || method == mcp.MethodResourcesUnsubscribe) {
		return false
	}
	is := offered[method]
	return is != nil && is(s.offers)
}

// forward lets the backend answer a request that is not about tools.
func (s *Server) forward(ctx context.Context, sess *session, r *request, out sink) answer {
	if twice := rawjson.Duplicate(r.rawParam); twice != "" {
		return failed(invalidParams("params: " + sanitize.OneLine(twice, maxWord) + " is given twice"))
	}
	settle, bad := sess.news.beginSubscribe(r)
	if bad != nil {
		return failed(bad)
	}
	n := s.newNotes(ctx, sess, r, out)
	f := Forward{Method: r.method, Params: r.rawParam, Session: sess.id, Client: r.sender(sess), Stateless: r.modern, LogLevel: string(n.level),
		Note: n.passNote, Ask: n.askFunc(sess, r)}
	if e := s.newErrand(ctx, sess, r); e != nil {
		f.Note, f.Ask = e.passNote, e.ask
		return e.run(ctx, n, func(ctx context.Context) answer {
			raw, err := s.relayForward(ctx, r.face, f)
			return s.forwardAnswer(ctx, r, raw, err)
		})
	}
	raw, err := s.relayForward(ctx, r.face, f)
	n.close()
	settle(err)
	return s.forwardAnswer(ctx, r, raw, err)
}

// forwardAnswer returns the answer to a request from the backend's result.
func (s *Server) forwardAnswer(ctx context.Context, r *request, raw json.RawMessage, err error) answer {
	switch {
	case context.Cause(ctx) == errCancelled:
		return answer{silent: true}
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return failed(stopped().rpc())
	case err != nil:
		return s.forwardFailure(r, err)
	}
	surf := r.face.surface.Load()
	result, err := surf.fitResult(mendedList(r.method, raw), r.modern, s.cacheHints(r)...)
	switch {
	case errors.Is(err, errNeedsInput):
		return failed(describeError(err).rpc())
	case err != nil:
		s.log.Error("a result cannot be passed on", "method", r.method, "error", err)
		return failed(internalProblem(r.method).rpc())
	}
	return answer{result: result}
}

// relayForward calls the backend and turns a panic into an error.
func (s *Server) relayForward(ctx context.Context, at *face, f Forward) (raw json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic in a request passed on", "method", f.Method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = panicked{}
		}
	}()
	return at.backend.Forward(ctx, f)
}

// forwardFailure turns an error of the backend into a JSON-RPC error.
func (s *Server) forwardFailure(r *request, err error) answer {
	if a, is := lackingFailure(r, err); is {
		return a
	}
	if a, is := rpcFailure(r, err); is {
		return a
	}
	if _, ok := err.(panicked); ok {
		return failed(internalProblem(r.method).rpc())
	}
	return failed(s.describeSafely(r.method, err).rpc())
}

// cacheHints returns how long clients of the stateless era may cache a result that does not say so itself.
func (s *Server) cacheHints(r *request) []rawjson.Member {
	ttl := s.opt.ListTTL.Milliseconds()
	switch mcp.MCPMethod(r.method) {
	case mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList, mcp.MethodPromptsList:
	case mcp.MethodResourcesRead:
		ttl = 0
	default:
		return nil
	}
	return []rawjson.Member{
		{Name: ttlKey, Value: json.RawMessage(strconv.FormatInt(ttl, 10))},
		{Name: scopeKey, Value: rawjson.Quote(string(mcp.CacheScopePrivate))},
	}
}
