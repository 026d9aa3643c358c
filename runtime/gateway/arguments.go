package gateway

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/server/args"
	"github.com/compactor-mcp/compactor/runtime/server/rawjson"
	"github.com/compactor-mcp/compactor/runtime/tokens"
)

// Tokens of a schema that is put behind an error about arguments. A longer one
// is named by its signature only.
const schemaInError = 400

// arguments checks and mends the arguments of a call before the server sees
// them. What is wrong is answered with the schema: a model needs no second
// question to do it right.
func (g *Gateway) arguments(t *tool, raw json.RawMessage) (json.RawMessage, error) {
	schema, err := g.caches.schema(t.Hash, t.def.tool.Input)
	if err != nil { // the server's own slip; it checks for itself
		return object(raw)
	}
	fixed, err := schema.Validate(unwrapped(t, raw))
	var wrong *args.Error
	if errors.As(err, &wrong) {
		return nil, &argumentError{tool: t, err: wrong}
	}
	if err != nil {
		return nil, &contract.Error{Name: "ValidationError", Code: CodeArguments, Message: err.Error()}
	}
	return fixed, nil
}

// unwrapped takes arguments out of one more layer, as small models write them:
// {"arguments": {…}} where the tool has no argument of that name.
func unwrapped(t *tool, raw json.RawMessage) json.RawMessage {
	for range 2 {
		members, err := rawjson.Members(raw)
		if err != nil || len(members) != 1 {
			return raw
		}
		m := members[0]
		if !wrappers[m.Name] || hasParam(t, m.Name) || rawjson.Of(m.Value) != rawjson.Object {
			return raw
		}
		raw = m.Value
	}
	return raw
}

var wrappers = map[string]bool{"arguments": true, "args": true, "input": true, "parameters": true, "params": true}

func hasParam(t *tool, name string) bool {
	for _, p := range t.Params {
		if p.Name == name {
			return true
		}
	}
	return false
}

func object(raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}"), nil
	}
	if rawjson.Of(raw) != rawjson.Object || rawjson.Check(raw) != nil || rawjson.Duplicate(raw) != "" {
		return nil, &contract.Error{Name: "ValidationError", Code: CodeArguments, Message: "arguments are not a JSON object"}
	}
	return raw, nil
}

// argumentError says what is wrong with arguments and what is right.
type argumentError struct {
	tool *tool
	err  *args.Error
}

func (e *argumentError) Error() string { return "arguments of " + e.tool.Listed + ": " + e.err.Error() }
func (e *argumentError) Code() string  { return CodeArguments }

// Unwrap is the same without the hint, as a failure that needs no name of the
// stage it happened in.
func (e *argumentError) Unwrap() error {
	return &contract.Error{Name: "ValidationError", Code: CodeArguments, Message: e.Error()}
}

// Hint has the schema, or the arguments in one line where it is long.
func (e *argumentError) Hint() string {
	var b bytes.Buffer
	if json.Compact(&b, e.tool.Input) == nil && tokens.Fits(b.String(), schemaInError) {
		return "call it again with arguments of this schema: " + b.String()
	}
	return e.err.Hint()
}
