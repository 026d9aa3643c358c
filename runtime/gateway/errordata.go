package gateway

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// errorData returns error data that names the tool.
func (t *tool) errorData(details any) *contract.ErrorData {
	return &contract.ErrorData{Server: t.Server, Tool: t.Name, Details: details}
}

// rpcDetails are a server's own error, for programs.
type rpcDetails struct {
	Code int             `json:"code"`
	Data json.RawMessage `json:"data,omitempty"`
}

func detailsOf(e *upstream.RPCError) rpcDetails {
	d := rpcDetails{Code: e.Code, Data: e.Data}
	if len(d.Data) > maxError {
		d.Data = nil
	}
	return d
}

// refusedError is a server's refusal of arguments, with the schema for the next attempt.
type refusedError struct {
	err  *contract.Error
	hint string
}

func (e *refusedError) Error() string { return e.err.Message }
func (e *refusedError) Unwrap() error { return e.err }

// Hint returns what to send.
func (e *refusedError) Hint() string { return e.hint }

// maxError limits how much of a server's own error a model is given, in bytes.
const maxError = 2000

// readable returns a server's error text for models and terminals: without invisible characters, and cut to
// maxError.
func readable(s string) string {
	clean := sanitize.Strip(strings.ToValidUTF8(s, ""))
	if len(clean) <= maxError {
		return clean
	}
	end := maxError
	for !utf8.RuneStart(clean[end]) {
		end--
	}
	return clean[:end] + "… (" + strconv.Itoa(len(clean)) + " bytes)"
}
