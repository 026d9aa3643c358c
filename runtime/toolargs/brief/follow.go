package brief

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
)

// Follow resolves a reference such as "#/$defs/a" within a document; nil where there is nothing.
func Follow(doc json.RawMessage, ref string) json.RawMessage {
	rest, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	for _, part := range strings.Split(strings.TrimPrefix(rest, "/"), "/") {
		if part == "" {
			continue
		}
		if doc = step(doc, strings.NewReplacer("~1", "/", "~0", "~").Replace(part)); doc == nil {
			return nil
		}
	}
	return doc
}

func step(doc json.RawMessage, part string) json.RawMessage {
	if rawjson.Of(doc) == rawjson.Array {
		items, err := rawjson.Items(doc)
		i, bad := strconv.Atoi(part)
		if err != nil || bad != nil || i < 0 || i >= len(items) {
			return nil
		}
		return items[i]
	}
	members, err := rawjson.Members(doc)
	if err != nil {
		return nil
	}
	return fields(members).get(part)
}

type fields []rawjson.Member

func (f fields) get(name string) json.RawMessage {
	for _, m := range f {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

func (f fields) text(name string) string {
	text, err := rawjson.Text(f.get(name))
	if err != nil {
		return ""
	}
	return text
}
