package toolargs

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// repairType converts a value to a type that the node allows, or returns false if no reading is unambiguous. It
// considers only types and enumerations; bounds come later.
func repairType(n *node, raw json.RawMessage) (json.RawMessage, bool) {
	if len(n.enum) > 0 {
		return mendEnum(n, raw)
	}
	if len(n.types) == 0 {
		return raw, true
	}
	for _, t := range n.types {
		if isType(t, raw) {
			return raw, true
		}
	}
	for _, t := range n.types {
		if out, ok := mendType(n, t, raw); ok {
			return out, true
		}
	}
	return raw, false
}

func mendEnum(n *node, raw json.RawMessage) (json.RawMessage, bool) {
	for _, e := range n.enum {
		if string(e) == string(raw) || textOf(e) == textOf(raw) {
			return e, true
		}
	}
	var found json.RawMessage
	for _, e := range n.enum {
		if strings.EqualFold(textOf(e), strings.TrimSpace(textOf(raw))) {
			if found != nil {
				return raw, false
			}
			found = e
		}
	}
	return found, found != nil
}

// textOf returns a string's text, or the literal of any other value.
func textOf(raw json.RawMessage) string {
	if text, err := rawjson.Text(raw); err == nil {
		return text
	}
	return string(raw)
}

// isBlank reports whether a value is a text without any word.
func isBlank(raw json.RawMessage) bool {
	return rawjson.Of(raw) == rawjson.String && strings.TrimSpace(textOf(raw)) == ""
}

func isType(typeName string, raw json.RawMessage) bool {
	switch kind := rawjson.Of(raw); typeName {
	case "string":
		return kind == rawjson.String
	case "boolean":
		return kind == rawjson.Bool
	case "null":
		return kind == rawjson.Null
	case "object":
		return kind == rawjson.Object
	case "array":
		return kind == rawjson.Array
	case "number":
		return kind == rawjson.Number
	case "integer":
		return kind == rawjson.Number && !strings.ContainsAny(string(raw), ".eE")
	}
	return false
}

func mendType(n *node, typeName string, raw json.RawMessage) (json.RawMessage, bool) {
	kind := rawjson.Of(raw)
	switch typeName {
	case "string":
		return mendString(raw, kind)
	case "boolean":
		return mendBool(textOf(raw), kind)
	case "number", "integer":
		return mendNumber(typeName, raw, kind)
	case "object":
		return rereadJSON(raw, rawjson.Object)
	case "array":
		if out, ok := rereadJSON(raw, rawjson.Array); ok {
			return out, true
		}
		if isBlank(raw) { // a list of one empty text is hardly intended
			return raw, false
		}
		if n.items != nil {
			item, ok := repairType(n.items, raw)
			return slices.Concat(json.RawMessage("["), item, json.RawMessage("]")), ok
		}
		return slices.Concat(json.RawMessage("["), raw, json.RawMessage("]")), kind != rawjson.Null
	}
	return raw, false
}

func mendString(raw json.RawMessage, kind rawjson.Kind) (json.RawMessage, bool) {
	switch kind {
	case rawjson.Number, rawjson.Bool:
		return rawjson.Quote(string(raw)), true
	case rawjson.Array:
		if items, err := rawjson.Items(raw); err == nil && len(items) == 1 && rawjson.Of(items[0]) == rawjson.String {
			return items[0], true
		}
	}
	return raw, false
}

func mendBool(text string, kind rawjson.Kind) (json.RawMessage, bool) {
	if kind != rawjson.String && kind != rawjson.Number {
		return nil, false
	}
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "1":
		return json.RawMessage("true"), true
	case "false", "no", "0":
		return json.RawMessage("false"), true
	}
	return nil, false
}

// mendNumber reads "8", " 8 " and, for whole numbers, 8.0 and 8e0. Digits are kept if no change is needed.
func mendNumber(typeName string, raw json.RawMessage, kind rawjson.Kind) (json.RawMessage, bool) {
	text := string(raw)
	if kind == rawjson.String {
		text = strings.TrimSpace(textOf(raw))
	} else if kind != rawjson.Number {
		return raw, false
	}
	if rawjson.Of([]byte(text)) != rawjson.Number || !json.Valid([]byte(text)) {
		return raw, false
	}
	if typeName == "number" || isType("integer", json.RawMessage(text)) {
		return json.RawMessage(text), true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != float64(int64(f)) || f > 1<<53 || f < -1<<53 {
		return raw, false
	}
	return json.RawMessage(strconv.FormatInt(int64(f), 10)), true
}

// rereadJSON replaces a string that contains JSON of the wanted type by this JSON.
func rereadJSON(raw json.RawMessage, want rawjson.Kind) (json.RawMessage, bool) {
	text, err := rawjson.Text(raw)
	if err != nil {
		return raw, false
	}
	inner := json.RawMessage(strings.TrimSpace(unfence(text)))
	if rawjson.Of(inner) != want || rawjson.Check(inner) != nil || rawjson.Duplicate(inner) != "" {
		return raw, false
	}
	return inner, true
}
