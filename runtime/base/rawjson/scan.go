package rawjson

import (
	"bytes"
	"encoding/json"
)

// Marshal works like json.Marshal without its escapes for HTML: replies carry source code, and six bytes for every < or
// & would use up the reader's context.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// eachElement walks a list between open and close, calling item with the offset of each element; item returns its end.
func eachElement(data []byte, open, close byte, item func(i int) (int, error)) error {
	i := skipSpace(data, 0)
	if i >= len(data) || data[i] != open {
		return ErrSyntax
	}
	i = skipSpace(data, i+1)
	if i < len(data) && data[i] == close {
		return nil
	}
	for {
		end, err := item(i)
		if err != nil {
			return err
		}
		i = skipSpace(data, end)
		switch {
		case i >= len(data):
			return ErrSyntax
		case data[i] == close:
			return nil
		case data[i] != ',':
			return ErrSyntax
		}
		i = skipSpace(data, i+1)
	}
}

// skipValue returns the offset after the value that begins at i. It counts brackets instead of recursing, so that depth does
// not use up the stack.
func skipValue(data []byte, i int) (int, error) {
	depth := 0
	for i < len(data) {
		switch c := data[i]; c {
		case '"':
			end := stringEnd(data, i)
			if end < 0 {
				return 0, ErrSyntax
			}
			i = end
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return 0, ErrSyntax
			}
			i++
			continue
		default:
			i = literalEnd(data, i)
		}
		if depth < 0 {
			return 0, ErrSyntax
		}
		if depth == 0 {
			return i, nil
		}
	}
	return 0, ErrSyntax
}

func skipSpace(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\t' || data[i] == '\n' || data[i] == '\r') {
		i++
	}
	return i
}

func trimSpace(data []byte) []byte { return bytes.Trim(data, " \t\r\n") }

// isPlain reports whether the inside of a string needs no escape in either direction.
func isPlain[T string | []byte](s T) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x7f {
			return false
		}
	}
	return true
}
