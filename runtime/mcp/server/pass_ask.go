package server

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/mark3labs/mcp-go/mcp"
)

// AskFunc passes on a request of another server to the client and waits for its result, an object:
// sampling/createMessage, elicitation/create or roots/list, each only if the client declared it. Params may be empty.
// It fails with the error of its context or of the request's it belongs to, with an *AskError if the client did not
// declare it or refuses, or with any other error if there is no readable response. It must return before the request is
// answered: afterwards the client is not told to stop.
type AskFunc func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)

// AskError is a client's refusal of a request, with a JSON-RPC code: -32601 if it has no such method.
type AskError struct {
	Method  string
	Code    int
	Message string          // one line
	Data    json.RawMessage // as sent; may be empty
}

// Error returns the client's words.
func (e *AskError) Error() string {
	return fmt.Sprintf("the client refused %s (%d): %s", e.Method, e.Code, e.Message)
}

// RPCCode returns the JSON-RPC code.
func (e *AskError) RPCCode() int { return e.Code }

// The requests that can be sent to a client, and the capability that each needs.
var asked = map[string]string{
	string(mcp.MethodSamplingCreateMessage): "sampling",
	string(mcp.MethodElicitationCreate):     "elicitation",
	string(mcp.MethodListRoots):             "roots",
}

// askFunc returns the AskFunc of one request, nil if the client cannot be asked anything.
func (n *notes) askFunc(sess *session, r *request) AskFunc {
	if r.modern || !n.out.requests() {
		return nil
	}
	offers := sess.offersAsks()
	if offers == nil {
		return nil
	}
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		if err := checkAskable(offers, method, params); err != nil {
			return nil, err
		}
		m, err := n.ask(ctx, &sess.asks, method, params)
		if err != nil {
			return nil, err
		}
		return resultOf(method, m)
	}
}

// asksOffered returns the declared capabilities that requests to the client need; nil if there are none.
func asksOffered(declared json.RawMessage) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	fields, _, _ := object(declared)
	for _, name := range asked {
		if rawjson.Of(fields[name]) != rawjson.Object {
			continue
		}
		if out == nil {
			out = map[string]json.RawMessage{}
		}
		out[name] = fields[name]
	}
	return out
}

// checkAskable returns an error if a client with these capabilities must not be asked.
func checkAskable(offers map[string]json.RawMessage, method string, params json.RawMessage) error {
	if len(params) > 0 && (rawjson.Check(params) != nil || rawjson.Of(params) != rawjson.Object) {
		return fmt.Errorf("the params of %s are not a JSON object", sanitize.OneLine(method, maxWord))
	}
	lacks := missingCapability(offers, method, params)
	if lacks == "" {
		return nil
	}
	return &AskError{Method: sanitize.OneLine(method, maxWord), Code: mcp.METHOD_NOT_FOUND, Message: "it did not declare " + lacks}
}

// missingCapability returns the capability that the client lacks, "" if it has all that the request needs.
func missingCapability(offers map[string]json.RawMessage, method string, params json.RawMessage) string {
	name := asked[method]
	if name == "" {
		return "such a method"
	}
	if offers[name] == nil {
		return name
	}
	parts, _, _ := object(offers[name])
	fields, _, _ := object(params)
	switch {
	case name == "elicitation" && textOf(fields["mode"]) == "url" && parts["url"] == nil:
		return "elicitation.url"
	case name == "elicitation" && textOf(fields["mode"]) != "url" && parts["url"] != nil && parts["form"] == nil:
		return "elicitation.form"
	case name == "sampling" && (fields["tools"] != nil || fields["toolChoice"] != nil) && parts["tools"] == nil:
		return "sampling.tools"
	}
	return ""
}

// resultOf returns the result in the response to a request that was passed on.
func resultOf(method string, m message) (json.RawMessage, error) {
	if m.failure != nil && rawjson.Of(m.failure) != rawjson.Null { // some send null next to a result
		return nil, refusalError(method, m.failure)
	}
	if rawjson.Of(m.result) != rawjson.Object {
		return nil, fmt.Errorf("%w: the result is not an object", errUnreadable(method))
	}
	return m.result, nil
}

func errUnreadable(method string) error {
	return fmt.Errorf("the client's response to %s cannot be read", method)
}

func refusalError(method string, raw json.RawMessage) error {
	var e struct {
		Code    int             `json:"code"`
		Message json.RawMessage `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return fmt.Errorf("%w: malformed error object", errUnreadable(method))
	}
	return &AskError{method, e.Code, sanitize.OneLine(textOf(e.Message), maxLine), e.Data}
}
