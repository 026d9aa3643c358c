package gateway

import (
	"bytes"
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// renamed returns a definition with another name and, if one is given, another description; all other bytes of its
// members are unchanged.
func renamed(raw json.RawMessage, name, description string) json.RawMessage {
	raw = replaced(raw, "name", rawjson.Quote(name))
	if description == "" {
		return raw
	}
	return replaced(raw, "description", rawjson.Quote(description))
}

// replaced returns an object with the value of one member replaced.
func replaced(raw json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil {
		return raw
	}
	return rawjson.Join(fields(members).put(name, value))
}

// without returns an object with one member removed.
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
