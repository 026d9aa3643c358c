package catalog

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// sizeOf returns the length of the JSON of a plain value in bytes, or 0 if it has no JSON form.
func sizeOf(v any) int {
	switch v := v.(type) {
	case nil:
		return len("null")
	case string:
		return sizeOfText(v)
	case bool:
		return len(strconv.FormatBool(v))
	case int:
		return len(strconv.Itoa(v))
	case []any:
		if v == nil {
			return len("null")
		}
		n := len("[]") + max(0, len(v)-1)
		for _, item := range v {
			n += sizeOf(item)
		}
		return n
	case map[string]any:
		if v == nil {
			return len("null")
		}
		n := len("{}") + max(0, len(v)-1)
		for name, item := range v {
			n += sizeOfText(name) + len(":") + sizeOf(item)
		}
		return n
	}
	raw, _ := json.Marshal(v)
	return len(raw)
}

func sizeOfText(s string) int {
	const escaped = len(`\u0000`)
	n := len(`""`)
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
				n += len(`\n`)
			case c < ' ' || c == '<' || c == '>' || c == '&':
				n += escaped
			default:
				n++
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
			n += escaped
		} else {
			n += size
		}
		i += size
	}
	return n
}
