package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// canonicalJSON returns a JSON text with sorted keys, without space, and with numbers as
// they were written. It returns false for data that is not a single JSON text, which is
// then matched by its bytes.
func canonicalJSON(data []byte) ([]byte, bool) {
	v, ok := parseJSON(data)
	if !ok {
		return data, false
	}
	out, err := marshalPlain(v)
	if err != nil {
		return data, false
	}
	return bytes.TrimSuffix(out, []byte("\n")), true
}

// parseJSON decodes one JSON text. It is decoded inside a list because it will be inside a
// line of a recording: the decoder's depth limit must not be exceeded there either.
func parseJSON(data []byte) (any, bool) {
	if !utf8.Valid(data) {
		return nil, false
	}
	d := json.NewDecoder(io.MultiReader(bytes.NewReader([]byte("[")), bytes.NewReader(data), bytes.NewReader([]byte("]"))))
	d.UseNumber()
	var list []any
	if d.Decode(&list) != nil || len(list) != 1 {
		return nil, false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, false
	}
	return list[0], true
}

// marshalPlain leaves < and & unescaped: recordings are read by people.
func marshalPlain(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
