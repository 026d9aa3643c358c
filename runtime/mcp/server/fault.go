package server

import (
	"context"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Codes of errors that originate in the server itself. They are stable: clients and tests may branch on them. Errors of
// a Backend bring their own through a method Code() string.
const (
	CodeInvalidArguments = "TOOL_VALIDATION_ERROR"
	CodeFailed           = "TOOL_EXECUTION_ERROR" // the backend's error has no code of its own
	CodeTimeout          = "TOOL_EXECUTION_TIMEOUT"
	CodeInternal         = "INTERNAL_ERROR"
	CodeBusy             = "SERVER_BUSY"
	CodeStopping         = "SERVER_STOPPING"
)

// Cancellation causes of a call's context.
var (
	errCancelled = errors.New("cancelled by the client")
	errEnded     = errors.New("the client closed its side")
	errStopping  = errors.New("the server is stopping")
)

// Maximum length of foreign texts that a message repeats, in bytes.
const (
	maxWord = 80
	maxLine = 2000
)

// MissingCapability is the error of a Backend whose tool needs a capability, such as "sampling", that the client did
// not declare. In the stateless era it becomes the protocol's own error.
type MissingCapability struct{ Name string }

// Error names the capability.
func (e *MissingCapability) Error() string { return "the client lacks the capability " + e.Name }

// Code returns the stable code of the error.
func (e *MissingCapability) Code() string { return "MISSING_CLIENT_CAPABILITY" }

// Hint returns what to do about the error.
func (e *MissingCapability) Hint() string { return "use a client that offers it, or another tool" }

// problem is an error as a client sees it: a stable code, a line that says what happened and one that says what to do.
type problem struct {
	Code, What, Do string
	Data           map[string]any // more for programs, in addition to the code
}

// data returns the form for programs.
func (p problem) data() map[string]any {
	out := map[string]any{"code": p.Code}
	for name, v := range p.Data {
		if name != "code" {
			out[name] = v
		}
	}
	return map[string]any{failureKey: out}
}

// text returns the form for a model: two lines.
func (p problem) text() string {
	text := p.Code + ": " + p.What
	if p.Do != "" {
		text += "\n" + p.Do
	}
	return text
}

// rpc returns the form for methods without a result for it: a JSON-RPC error of one line.
func (p problem) rpc() *rpcError {
	return &rpcError{Code: mcp.INTERNAL_ERROR, Message: sanitize.OneLine(strings.Replace(p.text(), "\n", "; ", 1), maxLine),
		Data: p.data()}
}

// describeError turns a backend's error into a problem. The error's methods are foreign code: callers must recover.
func describeError(err error) problem {
	p := problem{Code: CodeFailed, What: sanitize.OneLine(err.Error(), maxLine)}
	if errors.Is(err, context.DeadlineExceeded) {
		p.Code, p.Do = CodeTimeout, "ask for less, or raise the time limit"
		p.What = strings.ReplaceAll(p.What, context.DeadlineExceeded.Error(), "the call took longer than it may")
	}
	var coded interface{ Code() string }
	if errors.As(err, &coded) && isCode(coded.Code()) {
		p.Code = coded.Code()
	}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		p.Do = sanitize.OneLine(hinted.Hint(), maxLine)
	}
	var more interface{ Members() map[string]any }
	if errors.As(err, &more) {
		p.Data = more.Members()
	}
	if p.What == "" {
		p.What = "the tool gave no reason"
	}
	return p
}

// echo returns a client's text as an error may repeat it.
func (s *Server) echo(text string) string { return s.backend.Echo(text) }

// repeating is an error that repeats a client's input.
type repeating struct {
	err  error
	echo func(string) string
}

func (r repeating) Error() string { return r.echo(r.err.Error()) }
func (r repeating) Unwrap() error { return r.err }

// Hint returns the hint of the wrapped error, if any.
func (r repeating) Hint() string {
	var hinted interface{ Hint() string }
	if !errors.As(r.err, &hinted) {
		return ""
	}
	return r.echo(hinted.Hint())
}

// internalProblem returns the problem for a panic or a result that cannot be encoded. It reveals nothing about the cause.
func internalProblem(tool string) problem {
	return problem{Code: CodeInternal, What: "internal error in " + sanitize.OneLine(tool, maxWord), Do: "try other arguments; the server's log has the details"}
}

// stopped returns the problem for a call that ended because the server is stopping.
func stopped() problem {
	return problem{Code: CodeStopping, What: "the call was ended before it was done", Do: "repeat it when the server runs again"}
}

var codeShape = lazyregexp.New(`^[A-Za-z0-9_.-]{1,64}$`)

func isCode(s string) bool { return codeShape.MatchString(s) }
