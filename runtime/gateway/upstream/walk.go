package upstream

import (
	"bytes"
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
)

// walk calls f with each member of the object in data, in the order written, until f says false. It keeps nothing, so
// that an object of millions of members costs no memory, and reads broken text up to the break. It reports whether the
// object was well formed as far as it was read.
func walk(data []byte, f func(name string, value json.RawMessage) bool) bool {
	i := space(data, 0)
	if i >= len(data) || data[i] != '{' {
		return false
	}
	i = space(data, i+1)
	if i < len(data) && data[i] == '}' {
		return true
	}
	for i < len(data) && data[i] == '"' {
		end := stringEnd(data, i)
		name, err := rawjson.Text(data[i:end])
		i = space(data, end)
		if err != nil || i >= len(data) || data[i] != ':' {
			return false
		}
		i = space(data, i+1)
		end = valueEnd(data, i)
		if end <= i || end > len(data) {
			return false
		}
		if !f(name, data[i:end:end]) {
			return true
		}
		i = space(data, end)
		if i >= len(data) || data[i] != ',' {
			return i < len(data) && data[i] == '}'
		}
		i = space(data, i+1)
	}
	return false
}

// member gives one member of an object, nil when there is none.
func member(object json.RawMessage, name string) json.RawMessage {
	var found json.RawMessage
	walk(object, func(n string, value json.RawMessage) bool {
		if n == name {
			found = value
		}
		return found == nil
	})
	return found
}

// text is a member that is a string, else "".
func text(object json.RawMessage, name string) string {
	s, _ := rawjson.Text(member(object, name))
	return s
}

// object writes members as an object.
func object(members []rawjson.Member) json.RawMessage {
	b := []byte{'{'}
	for i, f := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, rawjson.Quote(f.Name)...)
		b = append(b, ':')
		b = append(b, f.Value...)
	}
	return append(b, '}')
}

// valueEnd is the offset past the value that begins at i; -1 when the text ends within it.
func valueEnd(data []byte, i int) int {
	depth := 0
	for i < len(data) {
		switch data[i] {
		case '"':
			if i = stringEnd(data, i); i > len(data) {
				return -1
			}
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			i++
			continue
		default:
			if n := bytes.IndexAny(data[i:], ",: \t\r\n}]{[\""); n >= 0 {
				i += max(n, 1)
			} else {
				i = len(data)
			}
		}
		if depth <= 0 {
			return i
		}
	}
	return -1
}

func space(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\t' || data[i] == '\n' || data[i] == '\r') {
		i++
	}
	return i
}
