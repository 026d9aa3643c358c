package server

import (
	"encoding/json"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/mark3labs/mcp-go/mcp"
)

// RPCError is an error of a Backend that reaches the client as a JSON-RPC error of its own, such as the error response
// of another server. Data is any JSON value; empty for none.
type RPCError interface {
	error
	RPC() (code int, message string, data json.RawMessage)
}

// resourceNotFound was the code of a missing resource until the stateless era, which uses invalid params.
const resourceNotFound = -32002

// rpcFailure answers with the JSON-RPC error that err is; it returns false if it is not one.
func rpcFailure(r *request, err error) (answer, bool) {
	var own RPCError
	if !errors.As(err, &own) {
		return answer{}, false
	}
	code, message, data := own.RPC()
	switch {
	case r.modern && code == resourceNotFound:
		code = mcp.INVALID_PARAMS
	case code == mcp.HEADER_MISMATCH || code == mcp.UNSUPPORTED_PROTOCOL_VERSION:
		// This is about the other server's connection. A client would relate it to its own and change its version.
		code = mcp.INTERNAL_ERROR
	}
	e := &rpcError{Code: code, Message: sanitize.OneLine(message, maxLine)}
	if len(data) > 0 && rawjson.Check(data) == nil {
		e.Data = data
	}
	return failed(e), true
}

// lackingFailure answers that the client lacks a capability, for which the stateless era has its own error.
func lackingFailure(r *request, err error) (answer, bool) {
	var lacking *MissingCapability
	if !r.modern || !errors.As(err, &lacking) {
		return answer{}, false
	}
	return failed(&rpcError{Code: mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, Message: sanitize.OneLine(err.Error(), maxLine),
		Data: map[string]any{"requiredCapabilities": map[string]any{lacking.Name: struct{}{}}}}), true
}
