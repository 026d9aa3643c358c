package gateway

import (
	"bytes"
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// renamed is a definition under another name and, where one is given, with
// another description; every other byte of its members stays.
func renamed(raw json.RawMessage, name, description string) json.RawMessage {
	raw = replaced(raw, "name", rawjson.Quote(name))
	if description == "" {
		return raw
	}
	return replaced(raw, "description", rawjson.Quote(description))
}

// replaced is an object with another value of one member.
func replaced(raw json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil {
		return raw
	}
	return rawjson.Join(fields(members).put(name, value))
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
