package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// cutMark ends a text that was cut.
const cutMark = "… [cut]"

// minKept is the minimum that texts and lists are shortened to, in bytes.
const minKept = 64

// shrink shortens texts and lists until a value has at most limit tokens, but only where its schema certainly permits
// it: values that a schema restricts, names or refers to are kept, so the value may stay over the limit.
func shrink(ctx context.Context, raw, schema json.RawMessage, limit int) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v, s any
	if d.Decode(&v) != nil || json.Unmarshal(schema, &s) != nil {
		return raw, nil
	}
	best := raw
	for keep := limit * 4; keep >= minKept; keep /= 2 { // about four bytes per token
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out, err := rawjson.Marshal(shorten(v, s, keep))
		if err != nil {
			return raw, nil
		}
		if len(out) < len(best) {
			best = out
		}
		if tokens.Fits(string(out), limit) {
			return out, nil
		}
	}
	return best, nil
}

// shorten cuts texts to keep bytes, and lists to the items that fit into keep bytes.
func shorten(v, schema any, keep int) any {
	s, ok := schema.(map[string]any)
	if !ok {
		return v
	}
	switch v := v.(type) {
	case string:
		if s["type"] == "string" && isUnrestricted(s, "enum", "const", "pattern", "format", "minLength", "maxLength") && len(v) > keep {
			return headOfText(v, keep) + cutMark
		}
	case []any:
		return shortenList(v, s, keep)
	case map[string]any:
		return shortenObject(v, s, keep)
	}
	return v
}

func shortenList(v []any, s map[string]any, keep int) []any {
	if !isUnrestricted(s, "enum", "const", "minItems", "prefixItems", "contains") {
		return v
	}
	out, used := []any{}, 0
	for _, item := range v {
		item = shorten(item, s["items"], keep)
		raw, err := rawjson.Marshal(item)
		if err != nil {
			return v
		}
		if used += len(raw); used > keep && len(out) > 0 {
			break
		}
		out = append(out, item)
	}
	return out
}

func shortenObject(v, s map[string]any, keep int) map[string]any {
	if !isUnrestricted(s, "enum", "const") {
		return v
	}
	properties, _ := s["properties"].(map[string]any)
	out := make(map[string]any, len(v))
	for name, value := range v {
		out[name] = shorten(value, properties[name], keep)
	}
	return out
}

// isUnrestricted reports whether a schema permits shorter values: it has none of the given keywords, nor any that leads to
// another schema.
func isUnrestricted(s map[string]any, words ...string) bool {
	for _, w := range append(words, "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else") {
		if _, ok := s[w]; ok {
			return false
		}
	}
	return true
}

// headOfText returns the first n bytes of s, without cutting a rune.
func headOfText(s string, n int) string {
	for i := n; i > 0 && i > n-utf8.UTFMax && i < len(s); i-- {
		if utf8.RuneStart(s[i]) {
			return s[:i]
		}
	}
	return s[:n]
}
