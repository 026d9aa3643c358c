package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// decodeFloats reads a value like validators do, with numbers as floats. The library would expand
// 1e999999 to its digits; here such a number is an error, as it is for most servers.
func decodeFloats(raw json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return v, nil
}
