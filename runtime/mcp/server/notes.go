package server

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// notes sends the progress and log notes of one call. The calling goroutine writes them directly to the stream that
// later gets the answer, so a note can neither be lost nor come after the answer; close stops them before the answer is
// written.
type notes struct {
	ctx    context.Context
	out    sink
	token  json.RawMessage  // nil: no progress wanted
	level  mcp.LoggingLevel // "": no log wanted
	logger string
	modern bool

	mu     sync.Mutex
	closed bool
}

func (s *Server) newNotes(ctx context.Context, sess *session, r *request, out sink) *notes {
	n := &notes{ctx: ctx, out: out, token: r.token, logger: s.opt.Name, modern: r.modern, level: sess.GetLogLevel()}
	if r.modern {
		n.level = mcp.LoggingLevel(r.logLevel)
	}
	if !levels[string(n.level)] {
		n.level = ""
	}
	return n
}

var levels = map[string]bool{
	"debug": true, "info": true, "notice": true, "warning": true, "error": true, "critical": true, "alert": true, "emergency": true,
}

func (n *notes) progress(p Progress) {
	if n.token == nil {
		return
	}
	params := struct {
		Token   json.RawMessage `json:"progressToken"`
		Done    float64         `json:"progress"`
		Total   float64         `json:"total,omitempty"`
		Message string          `json:"message,omitempty"`
	}{n.token, p.Done, p.Total, sanitize.OneLine(p.Message, maxLine)}
	n.send(n.ctx, encodeNotification(string(mcp.MethodNotificationProgress), params))
}

func (n *notes) log(l Log) {
	if !n.wantsLevel(l.Level) {
		return
	}
	params := struct {
		Level  string `json:"level"`
		Logger string `json:"logger"`
		Data   string `json:"data"`
	}{l.Level, n.logger, sanitize.OneLine(l.Message, maxLine)}
	n.send(n.ctx, encodeNotification(string(mcp.MethodNotificationMessage), params))
}

// wantsLevel reports whether the client wants log notes of a level.
func (n *notes) wantsLevel(level string) bool {
	return n.level != "" && levels[level] && mcp.LoggingLevel(level).ShouldSendTo(n.level)
}

// send reports whether the frame was sent.
func (n *notes) send(ctx context.Context, frame []byte) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || frame == nil || ctx.Err() != nil {
		return false
	}
	err := n.out.send(ctx, frame)
	n.closed = errors.Is(err, errGone)
	return err == nil
}

// close returns once no note is being sent and none will be.
func (n *notes) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
}
