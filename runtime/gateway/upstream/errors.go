package upstream

import (
	"encoding/json"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Codes of Error.
const (
	CodeConnection = "SERVER_CONNECTION_ERROR" // the server cannot be reached, or was lost
	CodeTimeout    = "TOOL_EXECUTION_TIMEOUT"  // it did not answer in time
	CodeExecution  = "TOOL_EXECUTION_ERROR"    // its answer is unusable
)

// Error is a failure on the way to a server or back. Message says what happened and what to do, in one line and without
// secrets.
type Error struct {
	Code    string
	Server  string
	Message string
	Err     error // the cause; its text may contain secrets
}

func (e *Error) Error() string { return e.Server + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// RPCError is the server's own answer that a request failed. Its texts are the server's and not to be trusted.
type RPCError struct {
	Code    int
	Message string
	Data    json.RawMessage // nil if there is none
}

func (e *RPCError) Error() string {
	return fmt.Sprintf("%s (%d)", sanitize.OneLine(e.Message, maxLine), e.Code)
}
