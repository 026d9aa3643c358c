package gateway

import (
	"bytes"
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
)

// renamed is a definition under another name and, where one is given, with
// another description; every other byte of its members stays.
func renamed(raw json.RawMessage, name, description string) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil {
		return raw
	}
	var b bytes.Buffer
	b.WriteByte('{')
	said := false
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(rawjson.Quote(m.Name))
		b.WriteByte(':')
		switch {
		case m.Name == "name":
			b.Write(rawjson.Quote(name))
		case m.Name == "description" && description != "":
			b.Write(rawjson.Quote(description))
			said = true
		default:
			b.Write(m.Value)
		}
	}
	if description != "" && !said {
		b.WriteString(`,"description":`)
		b.Write(rawjson.Quote(description))
	}
	b.WriteByte('}')
	return b.Bytes()
}

// replaced is an object with another value of one member.
func replaced(raw json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil {
		return raw
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(rawjson.Quote(m.Name))
		b.WriteByte(':')
		if m.Name == name {
			b.Write(value)
		} else {
			b.Write(m.Value)
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

// without is an object that lacks a member.
func without(raw json.RawMessage, name string) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil {
		return raw
	}
	return rawjson.Join(fields(members).without(name))
}

func compacted(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
