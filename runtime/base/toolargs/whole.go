package toolargs

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// wrappers are names under which models wrap all arguments once more.
var wrappers = []string{"arguments", "args", "input", "parameters", "params"}

// fromText reads arguments that were sent as a JSON string. Plain text for a tool whose only required argument is a
// string becomes this argument; any other text is returned unchanged and rejected later.
func (c *check) fromText(raw json.RawMessage) json.RawMessage {
	text, err := rawjson.Text(raw)
	if err != nil {
		return raw
	}
	inner := strings.TrimSpace(unfence(text))
	if inner == "" {
		return json.RawMessage("{}")
	}
	kind := rawjson.Of([]byte(inner))
	if (kind == rawjson.Object || kind == rawjson.String || kind == rawjson.Null) && rawjson.Check([]byte(inner)) == nil {
		return json.RawMessage(inner)
	}
	root := c.schema.root
	if len(root.required) == 1 && kind != rawjson.Object {
		if only := root.child(root.required[0]); only != nil && slices.Equal(only.types, []string{"string"}) {
			return joinMembers([]rawjson.Member{{Name: root.required[0], Value: rawjson.Quote(text)}})
		}
	}
	return raw
}

// unfence removes a Markdown code fence around the text.
func unfence(text string) string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "```") || !strings.HasSuffix(text, "```") || len(text) < 6 {
		return text
	}
	text = strings.TrimSuffix(text, "```")
	_, body, found := strings.Cut(text, "\n")
	if !found {
		return strings.TrimPrefix(text, "```")
	}
	return body
}

// unwrap replaces {"arguments": {...}} by its inside if the tool has no such argument but knows every name inside.
func (c *check) unwrap(raw json.RawMessage) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil || len(members) != 1 || !slices.Contains(wrappers, members[0].Name) {
		return raw
	}
	root := c.schema.root
	if root.child(members[0].Name) != nil || root.open || root.unjudged || rawjson.Of(members[0].Value) != rawjson.Object {
		return raw
	}
	inner, err := rawjson.Members(members[0].Value)
	if err != nil || slices.ContainsFunc(inner, func(m rawjson.Member) bool { return root.child(m.Name) == nil }) {
		return raw
	}
	return members[0].Value
}
