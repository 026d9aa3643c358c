package gateway

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs"
)

// schemaInError limits the tokens of a schema in an error about arguments. A longer one is replaced by its signature.
const schemaInError = 400

// checkArguments returns a call's arguments as the server can take them. Arguments that certainly cannot work are answered
// with the schema before the server sees them: the model then needs no second question to get it right.
func (c *caller) checkArguments(t *tool, raw json.RawMessage) (json.RawMessage, error) {
	fixed, err := c.schemaOf(t).Check(raw)
	var wrong *toolargs.Error
	if errors.As(err, &wrong) {
		for i := range wrong.Problems { // they quote what was sent
			wrong.Problems[i].Path, wrong.Problems[i].Message = c.echoInput(wrong.Problems[i].Path), c.echoInput(wrong.Problems[i].Message)
		}
		return nil, &argumentError{tool: t, err: wrong}
	}
	return fixed, err
}

func (c *caller) schemaOf(t *tool) *toolargs.UpstreamSchema {
	return c.caches.compiledSchema(t.Hash, t.def.tool.Input)
}

// argumentError reports wrong arguments and how to correct them.
type argumentError struct {
	tool *tool
	err  *toolargs.Error
}

func (e *argumentError) Error() string { return "arguments of " + e.tool.Listed + ": " + e.err.Error() }
func (e *argumentError) Code() string  { return CodeArguments }

// Unwrap returns the error without the hint, as a failure that does not name the stage it happened in.
func (e *argumentError) Unwrap() error {
	return &contract.Error{Name: "ValidationError", Code: CodeArguments, Message: e.Error(), Data: e.tool.errorData(e.err.Details())}
}

// Hint returns the schema, or the arguments in one line if the schema is long.
func (e *argumentError) Hint() string { return e.tool.schemaHint(e.err.Hint()) }

// schemaHint returns a sentence with the tool's schema, or short if the schema is long.
func (t *tool) schemaHint(short string) string {
	var b bytes.Buffer
	if json.Compact(&b, t.Input) == nil && tokens.Fits(b.String(), schemaInError) {
		return "call it again with arguments of this schema: " + b.String()
	}
	return short
}
