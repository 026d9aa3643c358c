package within

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// deepest is the maximum nesting of JSON that is read as more than text.
const deepest = 200

// Source is the result of a tool: texts, or JSON, or both.
type Source struct {
	text  string
	value json.RawMessage // an object or an array; nil if there is none
	lines int             // of text
}

// Part is what was found in a source.
type Part struct {
	Text string
	Note string // a short description of its place in the whole
	Next string // the range that continues after it; "" at the end
}

// Open reads the texts of a result and its structured content, which may be nil.
func Open(texts []string, structured json.RawMessage) *Source {
	s := &Source{text: strings.Join(texts, "\n")}
	if isTree(structured) {
		s.value = structured
	} else {
		s.value = treeOf(texts)
	}
	if s.text == "" {
		s.text = string(s.value)
	}
	if s.text != "" {
		s.lines = strings.Count(strings.TrimSuffix(s.text, "\n"), "\n") + 1
	}
	return s
}

// treeOf returns the JSON in texts: a single value, one per text, or one per line.
func treeOf(texts []string) json.RawMessage {
	if len(texts) == 1 {
		if raw := json.RawMessage(strings.TrimSpace(texts[0])); isTree(raw) {
			return raw
		}
		texts = strings.Split(strings.TrimSpace(texts[0]), "\n")
	}
	if len(texts) < 2 {
		return nil
	}
	out := []byte{'['}
	for _, t := range texts {
		raw := json.RawMessage(strings.TrimSpace(t))
		if len(raw) == 0 {
			continue
		}
		if !isTree(raw) {
			return nil
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, raw...)
	}
	return append(out, ']')
}

// isTree reports whether a text is a JSON object or array that can be walked.
func isTree(raw json.RawMessage) bool {
	k := rawjson.Of(raw)
	return (k == rawjson.Object || k == rawjson.Array) && !rawjson.Deeper(raw, deepest) && json.Valid(raw)
}

// itemList returns the array that items are counted in: the value, or its only array member.
func (s *Source) itemList() (items []json.RawMessage, path string) {
	switch rawjson.Of(s.value) {
	case rawjson.Array:
		items, _ = rawjson.Items(s.value)
		return items, "$"
	case rawjson.Object:
		var found json.RawMessage
		rawjson.Each(s.value, func(name string, value json.RawMessage) bool {
			if rawjson.Of(value) == rawjson.Array {
				if found != nil {
					found, path = nil, ""
					return false
				}
				found, path = bytes.Clone(value), "$"+member(name)
			}
			return true
		})
		if found != nil {
			items, _ = rawjson.Items(found)
		}
	}
	return items, path
}

// maxNames limits the members that a description names.
const maxNames = 12

// Describe says what a source contains, after a search without result.
func (s *Source) Describe() string {
	if s.value == nil {
		return fmt.Sprintf("The original has %s of text, %s.", words.Count(s.lines, "line"), words.Count(len(s.text), "byte"))
	}
	return "The original is " + describe("$", s.value) + "."
}

// describe describes a value and its contents.
func describe(path string, v json.RawMessage) string {
	path = sanitize.Cut(path, maxPath)
	switch rawjson.Of(v) {
	case rawjson.Array:
		items, _ := rawjson.Items(v)
		text := "an array of " + words.Count(len(items), "item")
		if len(items) > 0 {
			text += fmt.Sprintf(", %s[0] to %s[%d]", path, path, len(items)-1)
			if rawjson.Of(items[0]) == rawjson.Object {
				text += ", the first with the members " + names(items[0])
			}
		}
		return text
	case rawjson.Object:
		return "an object with the members " + names(v)
	case rawjson.String:
		return "a string"
	case rawjson.Number:
		return "a number"
	case rawjson.Null:
		return "null"
	}
	return "true or false"
}

// names returns the members of an object, up to maxNames.
func names(v json.RawMessage) string {
	var out []string
	n := 0
	rawjson.Each(v, func(name string, value json.RawMessage) bool {
		if n++; n > maxNames {
			return true
		}
		name = sanitize.Brief(name, 40)
		if rawjson.Of(value) == rawjson.Array {
			items, _ := rawjson.Items(value)
			name += " (" + words.Count(len(items), "item") + ")"
		}
		out = append(out, name)
		return true
	})
	text := strings.Join(out, ", ")
	if n > maxNames {
		text += fmt.Sprintf(" and %d more", n-maxNames)
	}
	return text
}

// member returns a name as a step of a path.
func member(name string) string {
	for i := range len(name) {
		if c := name[i]; !isName(c) || i == 0 && c >= '0' && c <= '9' {
			return "[" + string(rawjson.Quote(name)) + "]"
		}
	}
	if name == "" {
		return `[""]`
	}
	return "." + name
}

func isName(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}
