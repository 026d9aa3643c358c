package server

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs"
)

// Check returns why a tool cannot be served, or nil. One invalid tool would cause a whole list to be rejected, so a
// backend with foreign tools should leave it out.
func (t Tool) Check() error {
	if err := t.checkName(); err != nil {
		return err
	}
	if _, _, err := newTool(t); err != nil {
		return fmt.Errorf("tool %s: %w", t.Name, err)
	}
	return nil
}

func (t Tool) checkName() error {
	if toolName.MatchString(t.Name) {
		return nil
	}
	return fmt.Errorf("tool %q: a name has 1 to 128 characters: letters, digits and _ - . only", sanitize.OneLine(t.Name, maxWord))
}

// newRawTool makes a tool from a foreign definition. Its schema is validated only if we check arguments by it.
func newRawTool(t Tool) (*tool, json.RawMessage, error) {
	fields, err := readDefinition(t)
	if err != nil {
		return nil, nil, err
	}
	input := fields["inputSchema"]
	if rawjson.Of(input) != rawjson.Object {
		return nil, nil, errors.New("definition: inputSchema is not a JSON object")
	}
	out := &tool{structured: fields["outputSchema"] != nil, output: shapeOf(fields["outputSchema"])}
	if !t.Unchecked {
		if len(t.Input) > 0 {
			input = t.Input
		}
		if out.schema, err = toolargs.Compile(input); err != nil {
			return nil, nil, err
		}
	}
	whole, err := repairDefinition(t.Raw)
	if err != nil {
		return nil, nil, err
	}
	// Clients ignore a tool with invalid header annotations; then there are no headers to compare.
	_ = out.setHeaders(t.Name, fields["inputSchema"])
	return out, whole, nil
}

// readDefinition returns the members of a raw definition.
func readDefinition(t Tool) (map[string]json.RawMessage, error) {
	if err := rawjson.Check(t.Raw); err != nil {
		return nil, fmt.Errorf("definition: %w", err)
	}
	fields, twice, err := object(t.Raw)
	switch {
	case err != nil:
		return nil, errors.New("definition: not a JSON object")
	case twice != "":
		return nil, fmt.Errorf("definition: %s is given twice", sanitize.OneLine(twice, maxWord))
	case textOf(fields["name"]) != t.Name:
		return nil, fmt.Errorf("definition: its name is %q", sanitize.OneLine(textOf(fields["name"]), maxWord))
	}
	return fields, nil
}
