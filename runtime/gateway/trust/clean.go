package trust

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs/brief"
)

// Limits of texts, in bytes. A longer description is cut, with a note.
const (
	MaxDescription = 20 << 10
	MaxTitle       = 1 << 10
)

// Flag is one thing that Clean removed or refused.
type Flag struct {
	Kind   string // Hidden, Control, ANSI, Comment, Long or BadName
	Where  string // "description", "inputSchema.properties.path.title"
	Detail string // "3 characters taken out"
}

// Clean removes what a person would not see (hidden and control characters, escape sequences, HTML comments) from every
// text of a tool that a model is shown, and cuts texts over their limit. Texts are titles, descriptions and every other
// string of the tool, its annotations and its schemas that is not data.
//
// Data is what a call must match: names, the values of enum, const, default and examples, references. It is kept as is;
// hidden characters in it are an error, as cleaning would change the tool. Tabs and line ends are allowed in data. A
// regular expression keeps its meaning: control characters in it are written as \x1b.
//
// A tool with nothing to remove is returned byte for byte; otherwise members around a cleaned text lose white space.
// Flags are returned with errors too. Icons and _meta, which models are not shown, lose only invisible characters.
func Clean(tool json.RawMessage) (clean json.RawMessage, flags []Flag, err error) {
	members, err := checkTool(tool)
	if err != nil {
		return nil, nil, err
	}
	c := &cleaner{}
	c.name(members)
	out, _ := c.tool(tool)
	if c.err != nil {
		return nil, c.flags, c.err
	}
	return out, c.flags, nil
}

type cleaner struct {
	flags []Flag
	err   error
}

// maxFlags limits the report on one tool.
const maxFlags = 50

func (c *cleaner) flag(kind, where, detail string) {
	if len(c.flags) < maxFlags {
		c.flags = append(c.flags, Flag{kind, where, detail})
	}
}

func (c *cleaner) refuse(where string, err error) {
	c.flag(BadName, where, err.Error())
	if c.err == nil {
		c.err = err
	}
}

func (c *cleaner) name(members []rawjson.Member) {
	name := ""
	for _, m := range members {
		if m.Name == "name" {
			name, _ = rawjson.Text(m.Value)
		}
	}
	if err := Name(name); err != nil {
		c.refuse("name", err)
	}
}

// tool cleans the members of the tool itself.
func (c *cleaner) tool(v json.RawMessage) (json.RawMessage, bool) {
	return c.cleanMembers(v, "", func(m rawjson.Member, at string) (json.RawMessage, bool) {
		switch m.Name {
		case "name":
			return m.Value, false
		case "_meta", "icons":
			return c.cleanStrings(m.Value, m.Name, at, c.stripUnseen)
		case "inputSchema", "outputSchema":
			return c.schema(m.Value, at)
		}
		return c.texts(m.Value, m.Name, at)
	})
}

// dataKeywords are the JSON Schema keywords that hold data. All others hold schemas or text.
var dataKeywords = []string{"enum", "const", "default", "examples", "example", "required", "dependentRequired", "type",
	"format", "$ref", "$dynamicRef", "$id", "id", "$anchor", "$dynamicAnchor", "$schema", "contentMediaType",
	"contentEncoding", "$vocabulary"}

// schema cleans a schema, or an array of schemas.
func (c *cleaner) schema(v json.RawMessage, at string) (json.RawMessage, bool) {
	switch rawjson.Of(v) {
	case rawjson.Array:
		return c.items(v, at, c.schema)
	case rawjson.Object:
	default:
		return c.texts(v, "", at)
	}
	return c.cleanMembers(v, at, func(m rawjson.Member, at string) (json.RawMessage, bool) {
		switch {
		case m.Name == "pattern":
			return c.pattern(m.Value, at)
		case slices.Contains(dataKeywords, m.Name):
			c.checkData(m.Value, at)
			return m.Value, false
		case brief.HoldsNamed(m.Name), m.Name == "dependencies":
			return c.schemaMap(m.Value, at)
		case brief.HoldsSchemas(m.Name):
			return c.schema(m.Value, at)
		}
		return c.texts(m.Value, m.Name, at)
	})
}

// schemaMap cleans the schemas of an object whose member names are data.
func (c *cleaner) schemaMap(v json.RawMessage, at string) (json.RawMessage, bool) {
	if rawjson.Of(v) != rawjson.Object {
		return c.texts(v, "", at)
	}
	return c.cleanMembers(v, at, func(m rawjson.Member, at string) (json.RawMessage, bool) {
		if rawjson.Of(m.Value) == rawjson.Array { // "dependencies": names of other members
			c.checkData(m.Value, at)
			return m.Value, false
		}
		return c.schema(m.Value, at)
	})
}

// texts cleans every string in a value; name is the member that contains it.
func (c *cleaner) texts(v json.RawMessage, name, at string) (json.RawMessage, bool) {
	return c.cleanStrings(v, name, at, c.text)
}

// cleanStrings applies fn to each string in a value, with the name of the member that contains it.
func (c *cleaner) cleanStrings(v json.RawMessage, name, at string, fn func(v json.RawMessage, name, at string) (json.RawMessage, bool)) (json.RawMessage, bool) {
	switch rawjson.Of(v) {
	case rawjson.String:
		return fn(v, name, at)
	case rawjson.Array:
		return c.items(v, at, func(item json.RawMessage, at string) (json.RawMessage, bool) {
			return c.cleanStrings(item, name, at, fn)
		})
	case rawjson.Object:
		return c.cleanMembers(v, at, func(m rawjson.Member, at string) (json.RawMessage, bool) {
			return c.cleanStrings(m.Value, m.Name, at, fn)
		})
	}
	return v, false
}

// text cleans one string.
func (c *cleaner) text(v json.RawMessage, name, at string) (json.RawMessage, bool) {
	text, _ := rawjson.Text(v)
	s := strip(text)
	c.flagLost(s, at)
	limit := MaxDescription
	if name == "title" {
		limit = MaxTitle
	}
	out := cut(s.text, limit)
	if out != s.text {
		c.flag(Long, at, fmt.Sprintf("%d bytes, cut to %d", len(s.text), len(out)))
	}
	if out == text {
		return v, false
	}
	return rawjson.Quote(out), true
}

// stripUnseen removes invisible characters from one string.
func (c *cleaner) stripUnseen(v json.RawMessage, _, at string) (json.RawMessage, bool) {
	text, _ := rawjson.Text(v)
	s := stripped{text: text, lost: map[string]int{}}
	if s.stripCharacters(); s.text == text {
		return v, false
	}
	c.flagLost(s, at)
	return rawjson.Quote(s.text), true
}

func (c *cleaner) flagLost(s stripped, at string) {
	for _, kind := range []string{Hidden, Control, ANSI, Comment} {
		if n := s.lost[kind]; n > 0 {
			c.flag(kind, at, fmt.Sprintf("%d taken out", n))
		}
	}
}

// cut shortens a text to a limit in bytes, including the note about it.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	note := fmt.Sprintf("… [cut: %d bytes in all]", len(text))
	kept := strings.ToValidUTF8(text[:limit-len(note)], "")
	return strip(kept).text + note // a cut may leave half of a comment's end or a joiner that joins nothing
}

// checkData refuses strings, and names of members, that hide something.
func (c *cleaner) checkData(v json.RawMessage, at string) {
	switch rawjson.Of(v) {
	case rawjson.String:
		text, _ := rawjson.Text(v)
		c.checkDatum(text, at)
	case rawjson.Array:
		items, _ := rawjson.Items(v)
		for i, item := range items {
			c.checkData(item, at+"["+strconv.Itoa(i)+"]")
		}
	case rawjson.Object:
		members, _ := rawjson.Members(v)
		for _, m := range members {
			c.checkDatum(m.Name, at)
			c.checkData(m.Value, join(at, m.Name))
		}
	}
}

func (c *cleaner) checkDatum(text, at string) {
	s := stripped{text: text, lost: map[string]int{}}
	s.stripCharacters() // an HTML comment in data is data
	if s.text != text {
		c.refuse(at, fmt.Errorf("%s holds a hidden or control character in %s; that is data, which cannot be cleaned", at, quoteForeign(text)))
	}
}

// pattern writes the control characters of a regular expression as escapes.
func (c *cleaner) pattern(v json.RawMessage, at string) (json.RawMessage, bool) {
	text, err := rawjson.Text(v)
	if err != nil {
		return c.texts(v, "", at)
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case !isControl(r):
			b.WriteRune(r)
		case strings.HasSuffix(text[:i], `\`): // escaped by the preceding backslash: rare enough to refuse
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\x%02x`, r)
		}
	}
	c.checkDatum(b.String(), at)
	if b.String() == text {
		return v, false
	}
	c.flag(Control, at, "control characters written as escapes")
	return rawjson.Quote(b.String()), true
}

// cleanMembers cleans the members of an object and reassembles it if one of them changed.
func (c *cleaner) cleanMembers(v json.RawMessage, at string, clean func(rawjson.Member, string) (json.RawMessage, bool)) (json.RawMessage, bool) {
	members, _ := rawjson.Members(v)
	changed := false
	out := []byte{'{'}
	for i, m := range members {
		where := join(at, m.Name)
		c.checkDatum(m.Name, where)
		cleaned, new := clean(m, where)
		changed = changed || new
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, rawjson.Quote(m.Name)...), ':'), cleaned...)
	}
	if !changed {
		return v, false
	}
	return append(out, '}'), true
}

func (c *cleaner) items(v json.RawMessage, at string, clean func(json.RawMessage, string) (json.RawMessage, bool)) (json.RawMessage, bool) {
	items, _ := rawjson.Items(v)
	changed := false
	out := []byte{'['}
	for i, item := range items {
		cleaned, new := clean(item, at+"["+strconv.Itoa(i)+"]")
		changed = changed || new
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, cleaned...)
	}
	if !changed {
		return v, false
	}
	return append(out, ']'), true
}

// join returns the path of a member, with nothing invisible in it.
func join(at, name string) string {
	if isPlain(name) {
		return strings.TrimPrefix(at+"."+name, ".")
	}
	return strings.TrimPrefix(at+"."+quoteForeign(name), ".")
}
