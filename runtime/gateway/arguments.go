package gateway

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs"
)

// Tokens of a schema that is put behind an error about arguments. A longer one
// is named by its signature only.
const schemaInError = 400

// arguments are those of a call as the server may take them. What certainly
// cannot work is answered with the schema, before the server sees it: a model
// needs no second question to do it right.
func (g *Gateway) arguments(t *tool, raw json.RawMessage) (json.RawMessage, error) {
	fixed, err := g.schemaOf(t).Check(raw)
	var wrong *toolargs.Error
	if errors.As(err, &wrong) {
		for i := range wrong.Problems { // they quote what was sent
			wrong.Problems[i].Path, wrong.Problems[i].Message = g.echo(wrong.Problems[i].Path), g.echo(wrong.Problems[i].Message)
		}
		return nil, &argumentError{tool: t, err: wrong}
	}
	return fixed, err
}

func (g *Gateway) schemaOf(t *tool) *toolargs.Foreign {
	return g.caches.schema(t.Hash, t.def.tool.Input)
}

// argumentError says what is wrong with arguments and what is right.
type argumentError struct {
	tool *tool
	err  *toolargs.Error
}

func (e *argumentError) Error() string { return "arguments of " + e.tool.Listed + ": " + e.err.Error() }
func (e *argumentError) Code() string  { return CodeArguments }

// Unwrap is the same without the hint, as a failure that needs no name of the
// stage it happened in.
func (e *argumentError) Unwrap() error {
	return &contract.Error{Name: "ValidationError", Code: CodeArguments, Message: e.Error(), Data: e.tool.errorData(e.err.Details())}
}

// Hint has the schema, or the arguments in one line where it is long.
func (e *argumentError) Hint() string { return e.tool.wanted(e.err.Hint()) }

// wanted has the schema of a tool, or other words where it is long.
func (t *tool) wanted(short string) string {
	var b bytes.Buffer
	if json.Compact(&b, t.Input) == nil && tokens.Fits(b.String(), schemaInError) {
		return "call it again with arguments of this schema: " + b.String()
	}
	return short
}
