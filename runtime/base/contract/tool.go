package contract

import "encoding/json"

// ToolResult is the result of an upstream tool: the server's own JSON, masked
// and otherwise as it came. It is never cut: a result that lost its end would
// be a lie that nobody can see.
type ToolResult struct {
	Raw json.RawMessage `json:"-"`
}

// MarshalJSON is the result as it is.
func (r ToolResult) MarshalJSON() ([]byte, error) {
	if len(r.Raw) == 0 {
		return []byte("null"), nil
	}
	return r.Raw, nil
}

// Whole marks it as a value that leaves uncut.
func (ToolResult) Whole() {}

// Whole is a value that leaves as it is: half of it would be of no use.
type Whole interface{ Whole() }
