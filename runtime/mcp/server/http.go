package server

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// Handler serves streamable HTTP at whatever path it is mounted on. It expects runtime/mcp/guard before it.
func (s *Server) Handler() http.Handler { return &endpoint{s} }

type endpoint struct{ server *Server }

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	modern := mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
	switch {
	case r.Method == http.MethodPost:
		e.post(w, r)
	case r.Method == http.MethodGet && !modern:
		e.get(w, r)
	case r.Method == http.MethodDelete && !modern:
		e.delete(w, r)
	default:
		w.Header().Set("Allow", "POST")
		if !modern {
			w.Header().Set("Allow", "POST, GET, DELETE")
		}
		refuseHTTP(w, http.StatusMethodNotAllowed, "this method is not served here: send messages by POST")
	}
}

// refuseHTTP rejects something that is not a message of the protocol, with one line of plain text.
func refuseHTTP(w http.ResponseWriter, status int, text string) { http.Error(w, text, status) }

// maxListen limits a subscriptions/listen, in bytes: enough for maxFollows resources with addresses of some length.
const maxListen = 256 << 10

// post handles one message.
func (e *endpoint) post(w http.ResponseWriter, r *http.Request) {
	if !e.checkMediaTypes(w, r) {
		return
	}
	body, ok := e.readBody(w, r)
	if !ok {
		return
	}
	m, bad := parse(body)
	if bad != nil {
		reply(w, http.StatusBadRequest, failed(bad).frame(m.id))
		return
	}
	if m.method == string(mcp.MethodSubscriptionsListen) && len(body) > maxListen { // it stays in memory for as long as its client wants
		e.tooLarge(w, maxListen)
		return
	}
	req := newRequest(m)
	req.modern = req.modern || mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
	if req.modern {
		e.serveStateless(w, r, req)
		return
	}
	e.serveHandshake(w, r, req)
}

// checkMediaTypes checks the media types sent and accepted. Only application/json is allowed: any web page can send a form
// or plain text without a preflight request, but not this type.
func (e *endpoint) checkMediaTypes(w http.ResponseWriter, r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || r.Header.Get("Content-Encoding") != "" {
		refuseHTTP(w, http.StatusUnsupportedMediaType, "send the message as plain application/json")
		return false
	}
	if !accepts(r, "application/json") && !accepts(r, "text/event-stream") {
		refuseHTTP(w, http.StatusNotAcceptable, "accept application/json and text/event-stream")
		return false
	}
	return true
}

// accepts reports whether the client accepts a media type; without an Accept header it accepts all.
func accepts(r *http.Request, kind string) bool {
	values := r.Header.Values("Accept")
	major, _, _ := strings.Cut(kind, "/")
	for part := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, _, err := mime.ParseMediaType(part)
		if err == nil && (name == kind || name == "*/*" || name == major+"/*") {
			return true
		}
	}
	return len(values) == 0
}

// readBody reads the message within its size limit. bodyTimeout limits the time, bounded the size of all messages together.
func (e *endpoint) readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	limit := int64(e.server.opt.MaxMessage)
	if r.ContentLength > limit {
		e.tooLarge(w, limit)
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		e.tooLarge(w, limit)
	case errors.Is(err, errCrowded):
		w.Header().Set("Connection", "close")
		w.Header().Set("Retry-After", "1")
		refuseHTTP(w, http.StatusServiceUnavailable, err.Error())
	case err != nil:
		w.Header().Set("Connection", "close")
		refuseHTTP(w, http.StatusRequestTimeout, "the message did not arrive in time: send it again")
	}
	return body, err == nil
}

func (e *endpoint) tooLarge(w http.ResponseWriter, limit int64) {
	w.Header().Set("Connection", "close")
	refuseHTTP(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a message has at most %d bytes: send less at a time", limit))
}

// serveStateless serves a message of the era without sessions.
func (e *endpoint) serveStateless(w http.ResponseWriter, r *http.Request, req *request) {
	if req.response {
		reply(w, http.StatusBadRequest, failed(invalidRequest("this version has no requests from the server to respond to")).frame(id{}))
		return
	}
	if !req.id.isGiven() {
		// Cancellations too: without sessions it is unclear whose request they mean. Closing the stream cancels.
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if bad := req.checkHeaders(r.Header); bad != nil {
		reply(w, http.StatusBadRequest, failed(bad).frame(req.id))
		return
	}
	sess := newSession("", 1)
	var ok bool
	if sess.asked, ok = e.requestedProfile(w, r, nil); !ok {
		return
	}
	if bad := e.server.resolveFace(sess, req); bad != nil {
		reply(w, http.StatusBadRequest, failed(bad).frame(req.id))
		return
	}
	if bad := e.checkParamHeaders(r, req); bad != nil {
		reply(w, http.StatusBadRequest, failed(bad).frame(req.id))
		return
	}
	e.run(w, r, sess, req, statelessStatus)
}

func (e *endpoint) checkParamHeaders(r *http.Request, req *request) *rpcError {
	if req.method != string(mcp.MethodToolsCall) {
		return nil
	}
	t := req.face.surface.Load().tools[textOf(req.param("name"))]
	if t == nil || t.headers.Name == "" {
		return nil
	}
	lookup := func(name string) (string, bool) {
		values := r.Header.Values(name)
		if len(values) == 0 {
			return "", false
		}
		return values[0], true
	}
	if err := mcp.ValidateParamHeadersLookup(lookup, &t.headers, req.rawParam); err != nil {
		return headerMismatch(strings.TrimPrefix(err.Error(), "header mismatch: "))
	}
	return nil
}
