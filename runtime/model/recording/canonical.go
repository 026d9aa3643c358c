package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// canonical is a JSON text with sorted keys, without space, and with numbers
// as they were written. False: it is not one JSON text, and is matched by its
// bytes.
func canonical(data []byte) ([]byte, bool) {
	v, ok := parsed(data)
	if !ok {
		return data, false
	}
	out, err := marshal(v)
	if err != nil {
		return data, false
	}
	return bytes.TrimSuffix(out, []byte("\n")), true
}

// parsed reads one JSON text. It is read inside a list since it will stand
// inside a line: the decoder's limit of depth must hold there too.
func parsed(data []byte) (any, bool) {
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

// marshal writes < and & as they are: recordings are read by people.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
