package server

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// repairDefinition repairs a foreign definition for strict clients, which reject a whole list, including the tools of every other
// server in it, for one detail of one tool. Wrong details are left out; a valid definition is unchanged.
func repairDefinition(raw json.RawMessage) (json.RawMessage, error) {
	var wrong error
	out := rawjson.Rewrite(raw, func(name string, value json.RawMessage) json.RawMessage {
		switch name {
		case "inputSchema":
			input := objectSchema(value)
			if kind := rawjson.Get(input, "type"); string(kind) != `"object"` {
				wrong = fmt.Errorf("definition: its input is not an object but of type %s", sanitize.OneLine(string(kind), maxWord))
			}
			return input
		case "outputSchema":
			return outputSchema(value)
		case "annotations":
			return repairAnnotations(value)
		case "icons":
			return keepIf(value, areIcons(value))
		case "execution":
			support := rawjson.Get(value, "taskSupport")
			return keepIf(value, rawjson.Of(value) == rawjson.Object && (support == nil || isOneOf(support, "forbidden", "optional", "required")))
		}
		return ofKind(name, value, definitionKinds)
	})
	return out, wrong
}

// The kinds of members that strict clients insist on, if the members are present.
var (
	definitionKinds = map[string]rawjson.Kind{"title": rawjson.String, "description": rawjson.String, metaKey: rawjson.Object}
	hintKinds       = map[string]rawjson.Kind{"title": rawjson.String, "readOnlyHint": rawjson.Bool, "destructiveHint": rawjson.Bool,
		"idempotentHint": rawjson.Bool, "openWorldHint": rawjson.Bool}
)

func ofKind(name string, value json.RawMessage, kinds map[string]rawjson.Kind) json.RawMessage {
	kind, named := kinds[name]
	return keepIf(value, !named || rawjson.Of(value) == kind)
}

func keepIf(value json.RawMessage, right bool) json.RawMessage {
	if right {
		return value
	}
	return nil
}

func repairAnnotations(value json.RawMessage) json.RawMessage {
	if rawjson.Of(value) != rawjson.Object {
		return nil
	}
	return rawjson.Rewrite(value, func(name string, value json.RawMessage) json.RawMessage { return ofKind(name, value, hintKinds) })
}

// objectSchema returns a schema as an object schema, adding the type if it is missing.
func objectSchema(value json.RawMessage) json.RawMessage {
	value = schemaParts(value)
	kinds, err := rawjson.Items(rawjson.Get(value, "type"))
	switch {
	case rawjson.Get(value, "type") == nil:
		members, _ := rawjson.Members(value)
		return rawjson.Join(append([]rawjson.Member{{Name: "type", Value: rawjson.Quote("object")}}, members...))
	case err == nil && slices.ContainsFunc(kinds, func(k json.RawMessage) bool { return string(k) == `"object"` }):
		return rawjson.Rewrite(value, func(name string, value json.RawMessage) json.RawMessage {
			if name == "type" {
				return rawjson.Quote("object")
			}
			return value
		})
	}
	return value
}

// outputSchema returns an output schema, which may have any type; true and null, which say nothing, are left out.
func outputSchema(value json.RawMessage) json.RawMessage {
	if rawjson.Of(value) != rawjson.Object {
		return nil
	}
	return schemaParts(value)
}

// schemaParts leaves out the invalid parts of a schema: readers of any kind fail there.
func schemaParts(schema json.RawMessage) json.RawMessage {
	return rawjson.Rewrite(schema, func(name string, value json.RawMessage) json.RawMessage {
		switch name {
		case "$schema":
			return keepIf(value, rawjson.Of(value) == rawjson.String)
		case "required":
			names, err := rawjson.Items(value)
			return keepIf(value, err == nil && !slices.ContainsFunc(names, func(n json.RawMessage) bool { return rawjson.Of(n) != rawjson.String }))
		case "properties":
			if rawjson.Of(value) != rawjson.Object {
				return nil
			}
			return rawjson.Rewrite(value, func(_ string, part json.RawMessage) json.RawMessage {
				if kind := rawjson.Of(part); kind == rawjson.Object || kind == rawjson.Bool {
					return part
				}
				return json.RawMessage(`{}`)
			})
		}
		return value
	})
}

func areIcons(value json.RawMessage) bool {
	icons, err := rawjson.Items(value)
	return err == nil && !slices.ContainsFunc(icons, func(icon json.RawMessage) bool {
		sizes, err := rawjson.Items(rawjson.Get(icon, "sizes"))
		kind, theme := rawjson.Get(icon, "mimeType"), rawjson.Get(icon, "theme")
		return rawjson.Of(rawjson.Get(icon, "src")) != rawjson.String || kind != nil && rawjson.Of(kind) != rawjson.String ||
			theme != nil && !isOneOf(theme, "light", "dark") || rawjson.Get(icon, "sizes") != nil && err != nil ||
			slices.ContainsFunc(sizes, func(s json.RawMessage) bool { return rawjson.Of(s) != rawjson.String })
	})
}

func isOneOf(value json.RawMessage, words ...string) bool {
	text, err := rawjson.Text(value)
	return err == nil && slices.Contains(words, text)
}
