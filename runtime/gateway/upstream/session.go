package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// errSession says that the server no longer knows the session, as after a restart. The request was not executed.
var errSession = errors.New("the server forgot the session")

// sessionWords match what servers say about an unknown session.
var sessionWords = lazyregexp.New(`(?i)session|not initialized`)

// codeSession is the code that SDKs return for an unknown session.
const codeSession = -32001

// refusesSession reports whether a status may be about a session: any 4xx but those about a login or a rate.
func refusesSession(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		return false
	}
	return status/100 == 4
}

// sessionLost reports whether an error message means that the session of a call is lost, and ends the connection if so.
// The word session may also refer to one of a tool's own: a ping settles it. refused says that the request did not run,
// so that it may be repeated; otherwise the caller receives own.
func (w *httpWire) sessionLost(of *call, said string, refused bool, own *RPCError) bool {
	if isHandshake(of.method) || !sessionWords.MatchString(said) || !w.sessionForgotten() {
		return false
	}
	if refused {
		of.frame.fate.Store(taken)
	} else {
		of.own.Store(own)
	}
	w.to.lost(errSession) // first: a notified caller must not find this connection again
	of.finish(nil, of.lostWith(errSession))
	return true
}

// reportsLostSession reports whether an answer with status 200 means that the session is lost. A tool that ran may mention a
// session too: the call is repeated only if the code or the method shows that it did not run.
func (w *httpWire) reportsLostSession(m message, of *call) bool {
	var rpc *RPCError
	if m.failure == nil || m.id != nil && keyOf(m.id) != of.key {
		return false
	}
	if _, err := m.answer(); !errors.As(err, &rpc) {
		return false
	}
	refused := of.method != string(mcp.MethodToolsCall) || rpc.Code == mcp.INVALID_REQUEST || rpc.Code == codeSession
	return w.sessionLost(of, rpc.Message, refused && !of.frame.spoken, rpc)
}

// sessionForgotten asks whether the server still knows the session.
func (w *httpWire) sessionForgotten() bool {
	header := w.sessionHeader(nil)
	if header[mcp.HeaderSessionID] == "" {
		return false
	}
	ctx, stop := context.WithTimeout(w.ctx, pingTime)
	defer stop()
	response, err := w.doWithLogin(ctx, http.MethodPost, w.spec.URL, []byte(`{"jsonrpc":"2.0","id":"session","method":"ping"}`), header)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusNotFound:
		return true
	case response.StatusCode/100 != 2:
		return sessionWords.Match(readRefusal(response))
	}
	return sessionWords.Match(failureIn(response))
}

// failureIn returns the error of the first answer in a response; nil for none.
func failureIn(response *http.Response) json.RawMessage {
	if mediaType(response) != "text/event-stream" {
		body, _ := readBody(response, maxRefusal)
		m, _ := parse(body)
		return m.failure
	}
	for r := newEventReader(response.Body, maxRefusal); ; {
		e, err := r.next()
		if err != nil {
			return nil
		}
		if m, err := parse(e.data); err == nil && m.method == "" {
			return m.failure
		}
	}
}
