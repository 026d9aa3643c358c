package gateway

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// The ways in which a call reaches a tool, as the log names them.
const (
	viaTool = "discovery" // a tool that runs tools
	viaList = "proxy"     // its own name in the list
)

// audited is call with a line in the log: who ran what, how long it took and how
// it ended. Arguments and results are not in it, nor a session's id, which is as
// good as a key over HTTP: digests tell equal ones apart within one log.
func (g *Gateway) audited(ctx context.Context, t *tool, args json.RawMessage, c Caller, via string) (json.RawMessage, error) {
	start := g.opt.Now()
	raw, err := g.call(ctx, t, args, c)
	g.opt.Logger.LogAttrs(context.WithoutCancel(ctx), slog.LevelInfo, "tool executed",
		slog.String("session", digestOf(c.Session)), slog.String("server", t.Server), slog.String("tool", t.Name), slog.String("surface", via),
		slog.Int("argument_bytes", len(args)), slog.String("arguments", digestOf(string(args))),
		slog.Int64("ms", g.opt.Now().Sub(start).Milliseconds()), slog.String("outcome", outcome(raw, err)))
	return raw, err
}

// outcome is ok, failed where the tool says so itself, or the code of the error.
func outcome(raw json.RawMessage, err error) string {
	var own *contract.Error
	var fault *upstream.Error
	var rpc *upstream.RPCError
	switch {
	case err == nil && failedResult(raw):
		return "failed"
	case err == nil:
		return "ok"
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

// auditKey is of this process alone, so that nobody can try guesses at a short
// argument against a log.
var auditKey = sync.OnceValue(func() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails
	return key
})

func digestOf(text string) string {
	if text == "" {
		return ""
	}
	mac := hmac.New(sha256.New, auditKey())
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}
