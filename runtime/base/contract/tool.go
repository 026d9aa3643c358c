package contract

import "encoding/json"

// ToolResult is the result of an upstream tool: the server's own JSON, masked and
// otherwise unchanged. It is never cut: a result without its end would be wrong in a
// way that the reader cannot notice.
type ToolResult struct {
	Raw json.RawMessage `json:"-"`
}

// MarshalJSON returns the result unchanged.
func (r ToolResult) MarshalJSON() ([]byte, error) {
	if len(r.Raw) == 0 {
		return []byte("null"), nil
	}
	return r.Raw, nil
}

// Whole marks it as a value that is sent uncut.
func (ToolResult) Whole() {}

// Whole is a value that is sent as it is: half of it would be useless.
type Whole interface{ Whole() }
