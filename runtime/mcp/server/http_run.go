package server

import (
	"errors"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
)

// run answers one request on its own response: as JSON, or as a stream once there is a note to send before the answer.
func (e *endpoint) run(w http.ResponseWriter, r *http.Request, sess *session, req *request, status func(answer) int) {
	if req.method == string(mcp.MethodPing) { // a ping needs no slot: it matters most when all are taken
		out := newStream(w, false)
		out.writeAnswer(e.server.handle(r.Context(), sess, req, out), req.id, status)
		return
	}
	long := req.method == string(mcp.MethodSubscriptionsListen)
	if !long {
		select {
		case e.server.slots <- struct{}{}:
			defer func() { <-e.server.slots }()
		default:
			replyUnavailable(w, failed(busyError()).frame(req.id))
			return
		}
	}
	ctx, end, err := sess.begin(r.Context(), req.id)
	if err != nil {
		a, to := refusalAnswer(err, req.id)
		if errors.Is(err, errBusy) {
			replyUnavailable(w, a.frame(to))
		} else {
			reply(w, http.StatusBadRequest, a.frame(to))
		}
		return
	}
	defer end()
	out := newStream(w, accepts(r, "text/event-stream"))
	out.writeAnswer(e.server.handle(ctx, sess, req, out), req.id, status)
}

// statelessStatus returns the HTTP status that the stateless era requires for an answer.
func statelessStatus(a answer) int {
	if a.err == nil {
		return http.StatusOK
	}
	switch a.err.Code {
	case mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case mcp.INTERNAL_ERROR:
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// okStatus returns the status of the handshake era: protocol errors are not HTTP errors.
func okStatus(answer) int { return http.StatusOK }

func replyUnavailable(w http.ResponseWriter, frame []byte) {
	w.Header().Set("Retry-After", "1")
	reply(w, http.StatusServiceUnavailable, frame)
}

func reply(w http.ResponseWriter, status int, frame []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(frame) // a client that is gone needs no response
}
