package server

import (
	"context"
	"encoding/json"
	"runtime/debug"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// sink receives the frames of one request, in order. A transport implements it.
type sink interface {
	// send blocks while the client reads slowly, until ctx ends or the client is gone.
	send(ctx context.Context, frame []byte) error
	// requests reports whether requests to the client may be sent.
	requests() bool
	// beat shows that a long silent stream is alive, if the transport needs that.
	beat() error
}

// handle answers one request. It never panics.
func (s *Server) handle(ctx context.Context, sess *session, r *request, out sink) (a answer) {
	stranger := s.resolveFace(sess, r)
	ctx, done := s.observe(ctx, sess, r)
	defer func() { done(a) }()
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "method", r.method, "panic", p, "stack", string(debug.Stack()))
			a = failed(&rpcError{Code: mcp.INTERNAL_ERROR, Message: "internal error"})
		}
	}()
	if err := r.checkEra(); err != nil {
		return failed(err)
	}
	if stranger != nil && r.method != string(mcp.MethodPing) {
		return failed(stranger)
	}
	if r.modern && r.method == string(mcp.MethodSubscriptionsListen) {
		return s.serveListen(ctx, sess, r, out) // until the client has enough
	}
	s.quiet.begin()
	defer s.quiet.end()
	if a, is := s.takeUp(ctx, sess, r, out); is {
		return a
	}
	switch mcp.MCPMethod(r.method) {
	case mcp.MethodToolsList:
		return s.listTools(ctx, sess, r)
	case mcp.MethodToolsCall:
		return s.callTool(ctx, sess, r, out)
	}
	if r.face != nil && r.face.surface.Load().forwards(r) {
		return s.forward(ctx, sess, r, out)
	}
	return s.answerByLibrary(ctx, sess, r)
}

func (s *Server) listTools(ctx context.Context, sess *session, r *request) answer {
	if cursor := r.param("cursor"); cursor != nil && rawjson.Of(cursor) != rawjson.Null {
		return failed(invalidParams("cursor: unknown; the list has one page"))
	}
	as := r.face.lookFor(r.sender(sess))
	_ = s.awaitTools(ctx, r.face, "") // unavailable tools are not listed
	who := r.sessionOf(sess)
	if r.face.sharer != nil && sess.shared.Load() {
		r.face.sharer.RefreshSession(ctx, sess.id)
	}
	result, names, err := s.listFor(ctx, r.face, who, as)
	if err != nil {
		s.log.Error("the list of tools cannot be encoded", "error", err)
		return failed(&rpcError{Code: mcp.INTERNAL_ERROR, Message: "internal error"})
	}
	s.recordPresented(sess, r.face, who, names)
	return answer{result: result}
}

// lookFor returns how much of our own tools a client is shown.
func (f *face) lookFor(c Client) listVariant {
	as := wholeLook
	if !f.backend.ShowsOutput(c) {
		as &^= withOutputs
	}
	if !f.backend.ShowsAdvanced(c) {
		as &^= withAdvanced
	}
	return as
}

// mayWait reports whether a request may take as long as the backend needs to load its tools or to choose among them.
func (s *Server) mayWait(r *request) bool {
	if r.method != string(mcp.MethodToolsList) || r.face == nil {
		return false
	}
	return r.face.surface.Load().parts != nil || r.face.backend.Missing()
}

// answerByLibrary answers a method with mcp-go. It re-encodes the message, because the library matches names regardless of case
// and reads ids as floats: it must only see what we have understood the same way.
func (s *Server) answerByLibrary(ctx context.Context, sess *session, r *request) answer {
	protocols := s.libraryServer(r)
	data, err := rawjson.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      int             `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params,omitempty"`
	}{mcp.JSONRPC_VERSION, 1, r.method, r.rawParam})
	if err != nil {
		return failed(invalidRequest("the message cannot be read"))
	}
	switch reply := protocols.HandleMessage(protocols.WithContext(ctx, sess), data).(type) {
	case mcp.JSONRPCResponse:
		result, err := rawjson.Marshal(reply.Result)
		if err != nil {
			return failed(&rpcError{Code: mcp.INTERNAL_ERROR, Message: "internal error"})
		}
		if r.method == string(mcp.MethodInitialize) {
			sess.setCapabilities(r.param("capabilities"))
		}
		return answer{result: result}
	case mcp.JSONRPCError:
		return failed(&rpcError{Code: reply.Error.Code, Message: sanitize.OneLine(s.echo(reply.Error.Message), maxLine), Data: reply.Error.Data})
	}
	return failed(&rpcError{Code: mcp.METHOD_NOT_FOUND, Message: "method " + sanitize.OneLine(s.echo(r.method), maxWord) + " not found"})
}

// libraryServer returns the library's server for a request. A client whose profile does not exist may still ping.
func (s *Server) libraryServer(r *request) *mcpserver.MCPServer {
	if r.face != nil {
		return r.face.surface.Load().protocols
	}
	return s.knownFace(s.first).surface.Load().protocols
}
