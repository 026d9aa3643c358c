package server

import (
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/mark3labs/mcp-go/mcp"
)

// itemLists are the members with the items of lists other than of tools, and the member that each item must have.
var itemLists = map[mcp.MCPMethod]struct{ items, key string }{
	mcp.MethodResourcesList:          {"resources", "uri"},
	mcp.MethodResourcesTemplatesList: {"resourceTemplates", "uriTemplate"},
	mcp.MethodPromptsList:            {"prompts", "name"},
}

var (
	itemKinds = map[string]rawjson.Kind{"title": rawjson.String, "description": rawjson.String, "mimeType": rawjson.String,
		"size": rawjson.Number, metaKey: rawjson.Object, "annotations": rawjson.Object}
	argumentKinds = map[string]rawjson.Kind{"title": rawjson.String, "description": rawjson.String, "required": rawjson.Bool}
)

// mendedList repairs a foreign list for strict clients, as repairDefinition does for a tool: an item without its
// required member is dropped, other items only lose their wrong members.
func mendedList(method string, raw json.RawMessage) json.RawMessage {
	list, is := itemLists[mcp.MCPMethod(method)]
	if !is || rawjson.Check(raw) != nil {
		return raw
	}
	return rawjson.Rewrite(raw, func(name string, value json.RawMessage) json.RawMessage {
		if name != list.items {
			return value
		}
		return eachItem(value, list.key, func(item json.RawMessage) json.RawMessage { return mendedItem(item, list.key) })
	})
}

func mendedItem(item json.RawMessage, key string) json.RawMessage {
	if rawjson.Of(rawjson.Get(item, "name")) != rawjson.String { // a missing name is replaced by the key
		members, _ := rawjson.Members(rawjson.Rewrite(item, func(name string, value json.RawMessage) json.RawMessage { return keepIf(value, name != "name") }))
		item = rawjson.Join(append(members, rawjson.Member{Name: "name", Value: rawjson.Get(item, key)}))
	}
	return rawjson.Rewrite(item, func(name string, value json.RawMessage) json.RawMessage {
		switch name {
		case "icons":
			return keepIf(value, areIcons(value))
		case "arguments":
			if rawjson.Of(value) != rawjson.Array {
				return nil
			}
			return eachItem(value, "name", func(argument json.RawMessage) json.RawMessage {
				return rawjson.Rewrite(argument, func(name string, value json.RawMessage) json.RawMessage { return ofKind(name, value, argumentKinds) })
			})
		}
		return ofKind(name, value, itemKinds)
	})
}

// eachItem applies change to each item of an array, and drops the items whose key is not a string.
func eachItem(array json.RawMessage, key string, change func(json.RawMessage) json.RawMessage) json.RawMessage {
	items, err := rawjson.Items(array)
	if err != nil {
		return array
	}
	same, out := true, []byte{'['}
	for _, item := range items {
		if rawjson.Of(rawjson.Get(item, key)) != rawjson.String {
			same = false
			continue
		}
		now := change(item)
		same = same && string(now) == string(item)
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, now...)
	}
	if same {
		return array
	}
	return append(out, ']')
}
