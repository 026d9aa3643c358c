package server

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/mark3labs/mcp-go/mcp"
)

// id is a request's id as it was written, so that 9007199254740993 is returned unchanged, and a key that distinguishes
// 1 from "1".
type id struct {
	raw json.RawMessage
	key string
}

func (i id) isGiven() bool { return i.key != "" }

// message is one JSON-RPC message from a client: a request (with id), a notification (without) or a response.
type message struct {
	id       id
	method   string
	params   []rawjson.Member
	rawParam json.RawMessage
	response bool            // response to a request of the server; has no method
	result   json.RawMessage // of a response
	failure  json.RawMessage // its error
}

// rpcError is an outgoing JSON-RPC error.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func invalidRequest(text string) *rpcError {
	return &rpcError{Code: mcp.INVALID_REQUEST, Message: text}
}
func invalidParams(text string) *rpcError { return &rpcError{Code: mcp.INVALID_PARAMS, Message: text} }

// parse parses one message. On error the message still has the id if that was readable, for the error response.
func parse(data []byte) (message, *rpcError) {
	if err := rawjson.Check(data); err != nil {
		return message{}, &rpcError{Code: mcp.PARSE_ERROR, Message: err.Error()}
	}
	switch rawjson.Of(data) {
	case rawjson.Object:
	case rawjson.Array:
		return message{}, invalidRequest("batches are no longer part of the protocol: send each message by itself")
	default:
		return message{}, invalidRequest("a message is a JSON object")
	}
	members, err := rawjson.Members(data)
	if err != nil {
		return message{}, &rpcError{Code: mcp.PARSE_ERROR, Message: err.Error()}
	}
	return fromMembers(members)
}

func fromMembers(members []rawjson.Member) (message, *rpcError) {
	var m message
	fields, twice := byName(members)
	var bad *rpcError
	if count(members, "id") > 1 { // it is unclear which one the client waits for
		return m, invalidRequest("id is given twice")
	}
	if raw, ok := fields["id"]; ok {
		if m.id, bad = parseID(raw); bad != nil {
			return m, bad
		}
	}
	if twice != "" {
		return m, invalidRequest(twice + " is given twice")
	}
	if textOf(fields["jsonrpc"]) != mcp.JSONRPC_VERSION {
		return m, invalidRequest(`jsonrpc must be "2.0"`)
	}
	method, hasMethod := fields["method"]
	if !hasMethod {
		m.result, m.failure = fields["result"], fields["error"]
		m.response = m.result != nil || m.failure != nil
		if !m.response {
			return m, invalidRequest("method is missing")
		}
		return m, nil
	}
	if m.method = textOf(method); m.method == "" {
		return m, invalidRequest("method must be a string")
	}
	return m, m.takeParams(fields["params"])
}

func (m *message) takeParams(raw json.RawMessage) *rpcError {
	if raw == nil {
		return nil
	}
	if rawjson.Of(raw) != rawjson.Object {
		return invalidParams("params must be an object")
	}
	m.rawParam = raw
	m.params, _ = rawjson.Members(raw)
	if _, twice := byName(m.params); twice != "" {
		return invalidParams("params: " + sanitize.OneLine(twice, maxWord) + " is given twice")
	}
	return nil
}

// param returns one member of params, or nil.
func (m *message) param(name string) json.RawMessage {
	for _, p := range m.params {
		if p.Name == name {
			return p.Value
		}
	}
	return nil
}

// parseID accepts what the protocol allows: strings and integers, not null.
func parseID(raw json.RawMessage) (id, *rpcError) {
	text := string(raw)
	switch rawjson.Of(raw) {
	case rawjson.String:
		return id{raw, "s" + textOf(raw)}, nil
	case rawjson.Number:
		if strings.ContainsAny(text, ".eE") {
			break
		}
		if text == "-0" {
			text = "0"
		}
		return id{raw, "n" + text}, nil
	}
	return id{}, invalidRequest("id must be a string or a whole number")
}

// parseIDParam parses an id that is a value, such as requestId; the zero id if it is invalid.
func parseIDParam(raw json.RawMessage) id {
	if raw == nil {
		return id{}
	}
	i, _ := parseID(raw)
	return i
}

func byName(members []rawjson.Member) (fields map[string]json.RawMessage, twice string) {
	fields = make(map[string]json.RawMessage, len(members))
	for _, m := range members {
		if _, seen := fields[m.Name]; seen {
			twice = cmp.Or(m.Name, `""`) // the empty name is a name too
			continue
		}
		fields[m.Name] = m.Value
	}
	return fields, twice
}

func count(members []rawjson.Member, name string) int {
	n := 0
	for _, m := range members {
		if m.Name == name {
			n++
		}
	}
	return n
}

// textOf returns the text of a JSON string, "" for anything else.
func textOf(raw json.RawMessage) string {
	text, _ := rawjson.Text(raw)
	return text
}
