package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/gateway/pages"
)

// shapeResult returns a result that all clients can read: its content is a list of known blocks, and structured content that
// occurs nowhere else is repeated as text, because many clients give a model nothing else. An error loses its
// structured content if the tool has an output schema: clients would validate it and hide the error behind another.
func shapeResult(raw, schema json.RawMessage) json.RawMessage {
	members, err := rawjson.Members(raw)
	f := fields(members)
	if err != nil || f.get("resultType") != nil || f.get("task") != nil {
		return raw // questions to the client, and tasks, have no content
	}
	if old := f.get("toolResult"); old != nil && f.get("content") == nil {
		if rawjson.Get(old, "content") != nil && rawjson.Get(old, "resultType") == nil {
			return shapeResult(old, schema)
		}
		f = append(f.without("toolResult"), rawjson.Member{Name: "content", Value: old})
	}
	blocks, same := blocksOf(f.get("content"))
	structured := f.get("structuredContent")
	if structured != nil && rawjson.Of(structured) != rawjson.Null && !repeatsStructured(blocks, structured) {
		blocks = slices.DeleteFunc(blocks, func(b json.RawMessage) bool {
			return rawjson.GetText(b, "type") == "text" && strings.TrimSpace(rawjson.GetText(b, "text")) == ""
		})
		blocks, same = append(blocks, pages.TextBlock(inLines(compactJSON(structured)))), false
	}
	if structured != nil && len(schema) > 0 && string(f.get("isError")) == "true" {
		f, same = f.without("structuredContent"), false
	}
	if same {
		return raw
	}
	return rawjson.Join(f.put("content", rawjson.List(blocks)))
}

// blocksOf returns content as blocks that clients know, and whether it was unchanged.
func blocksOf(content json.RawMessage) (blocks []json.RawMessage, same bool) {
	items, err := rawjson.Items(content)
	switch {
	case content == nil || rawjson.Of(content) == rawjson.Null:
		return []json.RawMessage{}, false
	case err != nil:
		return []json.RawMessage{readableBlock(content)}, false
	}
	same = true
	blocks = make([]json.RawMessage, len(items))
	for i, it := range items {
		blocks[i] = readableBlock(it)
		same = same && bytes.Equal(blocks[i], it)
	}
	return blocks, same
}

// readableBlock returns a block that clients know: unchanged, with a missing member added, or as text.
func readableBlock(raw json.RawMessage) json.RawMessage {
	if text, err := rawjson.Text(raw); err == nil {
		return pages.TextBlock(text)
	}
	is := func(name string) bool { return rawjson.Of(rawjson.Get(raw, name)) == rawjson.String }
	switch rawjson.GetText(raw, "type") {
	case "text":
		switch value := rawjson.Get(raw, "text"); {
		case is("text"):
			return raw
		case value == nil || rawjson.Of(value) == rawjson.Null:
			return replaceMember(raw, "text", rawjson.Quote(""))
		default:
			return replaceMember(raw, "text", rawjson.Quote(string(value)))
		}
	case "image", "audio":
		switch {
		case is("data") && is("mimeType"):
			return raw
		case is("data"):
			return replaceMember(raw, "mimeType", rawjson.Quote("application/octet-stream"))
		}
	case "resource":
		of := rawjson.Get(raw, "resource")
		if uri, text := rawjson.Of(rawjson.Get(of, "uri")), rawjson.Of(rawjson.Get(of, "text")); uri == rawjson.String && (text == rawjson.String || rawjson.Of(rawjson.Get(of, "blob")) == rawjson.String) {
			return raw
		}
	case "resource_link":
		switch {
		case is("uri") && is("name"):
			return raw
		case is("uri"):
			return replaceMember(raw, "name", rawjson.Get(raw, "uri"))
		}
	case "tool_use", "tool_result": // of later protocol versions, for clients that know them
		return raw
	}
	return pages.TextBlock(string(compactJSON(raw)))
}

// longLine is the size in bytes from which JSON is split into lines, so that it can begin on a page after other text.
const longLine = 2000

// inLines puts each object or list that follows another in long JSON on a line of its own.
func inLines(value []byte) string {
	if len(value) < longLine {
		return string(value)
	}
	var b strings.Builder
	from := 0
	s := rawjson.Scan(value)
	for t, ok := s.Next(); ok; t, ok = s.Next() {
		if (t.First == '{' || t.First == '[') && t.Start > 0 && value[t.Start-1] == ',' {
			b.Write(value[from:t.Start])
			b.WriteByte('\n')
			from = t.Start
		}
	}
	b.Write(value[from:])
	return b.String()
}

// maxLooked limits the structured values looked for in the text; of every four, minFound must occur.
const (
	maxLooked = 64
	minFound  = 3
)

// repeatsStructured reports whether a result's content repeats its structured content, going by most of the values.
func repeatsStructured(blocks []json.RawMessage, structured json.RawMessage) bool {
	var texts strings.Builder
	for _, b := range blocks {
		text := rawjson.GetText(b, "text")
		switch {
		case text != "":
		case rawjson.GetText(b, "type") == "text":
		default: // an image must not be repeated as text
			text = cmp.Or(rawjson.GetText(rawjson.Get(b, "resource"), "text"), string(b))
		}
		texts.WriteString(text + "\n")
	}
	said := texts.String()
	var values []rawjson.Token // true, false and null say too little
	s := rawjson.Scan(structured)
	for t, ok := s.Next(); ok; t, ok = s.Next() {
		if t.First == '"' && !t.Name && t.End > t.Start+2 || t.First == '-' || t.First >= '0' && t.First <= '9' {
			values = append(values, t)
		}
	}
	if len(values) == 0 {
		return strings.TrimSpace(said) != "" || len(bytes.TrimSpace(structured)) <= len("{}")
	}
	looked, found := 0, 0
	step := max(1, len(values)/maxLooked)
	for i := 0; i < len(values); i += step {
		looked++
		written := structured[values[i].Start:values[i].End]
		text, err := rawjson.Text(written)
		if err != nil {
			text = string(written)
		}
		if strings.Contains(said, text) || strings.Contains(said, strings.Trim(string(written), `"`)) {
			found++
		}
	}
	return 4*found >= minFound*looked
}
