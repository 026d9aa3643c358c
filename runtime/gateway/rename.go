package gateway

import (
	"bytes"
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// renameDefinition returns a definition with another name and, if one is given, another description; all other bytes of its
// members are unchanged.
func renameDefinition(raw json.RawMessage, name, description string) json.RawMessage {
	raw = replaceMember(raw, "name", rawjson.Quote(name))
	if description == "" {
		return raw
	}
	return replaceMember(raw, "description", rawjson.Quote(description))
}

// replaceMember returns an object with the value of one member replaced.
func replaceMember(raw json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil {
		return raw
	}
	return rawjson.Join(fields(members).put(name, value))
}

// removeMember returns an object with one member removed.
func removeMember(raw json.RawMessage, name string) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil {
		return raw
	}
	return rawjson.Join(fields(members).without(name))
}

func compactJSON(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
