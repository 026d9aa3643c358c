package server

import (
	"encoding/json"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// answer is the outcome of a request: a result, an error, or nothing if the client cancelled the request.
type answer struct {
	result json.RawMessage
	err    *rpcError
	silent bool
	code   string // of a result that reports a failure
}

func failed(err *rpcError) answer { return answer{err: err} }

// frame encodes the response to a request. An error for a request without a readable id carries the id null.
func (a answer) frame(to id) []byte {
	raw := to.raw
	if !to.isGiven() {
		raw = json.RawMessage("null")
	}
	body, name := []byte(a.result), `,"result":`
	if a.err != nil {
		name = `,"error":`
		var err error
		if body, err = rawjson.Marshal(a.err); err != nil {
			body = []byte(`{"code":` + strconv.Itoa(mcp.INTERNAL_ERROR) + `,"message":"internal error"}`)
		}
	}
	out := make([]byte, 0, len(body)+len(raw)+40)
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(out, raw...)
	out = append(out, name...)
	out = append(out, body...)
	return append(out, '}')
}

// encodeNotification encodes a notification; nil if params cannot be encoded, such as a progress that is not a number.
func encodeNotification(method string, params any) []byte {
	body, err := rawjson.Marshal(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{mcp.JSONRPC_VERSION, method, params})
	if err != nil {
		return nil
	}
	return body
}
