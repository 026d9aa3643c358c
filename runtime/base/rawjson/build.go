package rawjson

import (
	"bytes"
	"encoding/json"
)

// Join encodes the members as an object, in their order and with their values unchanged.
func Join(members []Member) json.RawMessage {
	size := 2
	for _, m := range members {
		size += len(m.Name) + len(m.Value) + len(`"":,`)
	}
	out := append(make([]byte, 0, size), '{')
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, Quote(m.Name)...)
		out = append(out, ':')
		out = append(out, m.Value...)
	}
	return append(out, '}')
}

// List builds an array of items, each unchanged.
func List(items []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, it := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, it...)
	}
	return append(out, ']')
}

// Line returns valid JSON without line breaks, which can occur only between tokens: the same text if it has none.
func Line(data json.RawMessage) json.RawMessage {
	if bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	var out bytes.Buffer
	if json.Compact(&out, data) != nil {
		return data
	}
	return out.Bytes()
}

// Rewrite returns an object with each member's value replaced by the result of change; nil removes the member. The text
// stays the same if nothing changes.
func Rewrite(raw json.RawMessage, change func(name string, value json.RawMessage) json.RawMessage) json.RawMessage {
	members, err := Members(raw)
	if err != nil {
		return raw
	}
	same, out := true, make([]Member, 0, len(members))
	for _, m := range members {
		value := change(m.Name, m.Value)
		same = same && string(value) == string(m.Value)
		if value != nil {
			out = append(out, Member{Name: m.Name, Value: value})
		}
	}
	if same {
		return raw
	}
	return Join(out)
}
