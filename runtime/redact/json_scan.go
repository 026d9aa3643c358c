package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
)

// jsonValue is JSON text with the places of its strings and numbers. It is read in one pass without recursion, so that
// deep nesting costs no more than its bytes.
type jsonValue struct {
	raw    []byte
	scopes []jsonScope
	leaves []jsonLeaf
	names  map[string]classedName // keys stand in each item of a list
}

// jsonScope is an object or a list.
type jsonScope struct {
	up     int // index of the one around it; -1 for the outermost
	list   bool
	key    string // under which it stands in an object
	label  string // what a member of its own says the value is the value of
	kind   string // its member "type"
	member string // key of the member being read
}

// jsonLeaf is a string or a number, or the key of a member.
type jsonLeaf struct {
	start, end int    // in the raw text, with quotes
	in         int    // scope
	key        string // its own, in an object
	text       string // of a string or key
	isKey      bool
	number     bool
	binary     bool // base64 where the protocol puts it
	handle     bool // to be given back as it is
}

// scanJSON reports false where the text is not one JSON value.
func scanJSON(raw []byte, message bool) (*jsonValue, bool) {
	if !json.Valid(raw) {
		return nil, false
	}
	v := &jsonValue{raw: raw, names: map[string]classedName{}, scopes: []jsonScope{{up: -1, list: true}}}
	at := 0 // scope
	for tokens := rawjson.Scan(raw); ; {
		t, ok := tokens.Next()
		if !ok {
			break
		}
		in := &v.scopes[at]
		switch c := t.First; {
		case c == '{' || c == '[':
			v.scopes = append(v.scopes, jsonScope{up: at, list: c == '[', key: in.member})
			at = len(v.scopes) - 1
		case c == '}' || c == ']':
			at = in.up
		case c == '"':
			l := jsonLeaf{start: t.Start, end: t.End, in: at, key: in.member, text: decodeString(raw[t.Start:t.End]), isKey: t.Name}
			if t.Name {
				in.member, l.key = l.text, ""
			} else {
				in.told(l)
			}
			v.leaves = append(v.leaves, l)
		case c == '-' || c >= '0' && c <= '9':
			v.leaves = append(v.leaves, jsonLeaf{start: t.Start, end: t.End, in: at, key: in.member, number: true})
		}
	}
	if message {
		v.protocol()
	}
	return v, true
}

// told takes up what a member says of the others.
func (s *jsonScope) told(l jsonLeaf) {
	switch key := strings.ToLower(l.key); {
	case s.list:
	case key == "type":
		s.kind = l.text
	case labels[key] && s.label == "" && classify(l.text) >= nameSecret:
		s.label = l.text
	}
}

// labels are the keys under which the name of a value stands beside it.
var labels = wordSet("name key id setting property variable field label env header option")

// nameOf is the name that counts for a value: its own or, where that says only that it is a value or says nothing, the
// one beside it or around it.
func (v *jsonValue) nameOf(l jsonLeaf) string {
	key, in := l.key, l.in
	own, via := key, key
	for depth := 0; depth < maxInherit && in >= 0; depth++ {
		s := v.scopes[in]
		if schemaWords[via] && v.isProperty(s) {
			return own // it describes a secret and is none
		}
		if !s.list || in == 0 {
			if c := v.classed(key); c.kind != nameNeutral {
				if depth > 0 && c.kind < nameSecret {
					return own // what is around it speaks of something else
				}
				return c.one
			}
			if s.label != "" && valueWords[strings.ToLower(key)] {
				return s.label
			}
		}
		if s.key != "" {
			key = s.key
		}
		if own == "" {
			own = key
		}
		in, via = s.up, s.key
	}
	return own
}

// isProperty reports whether an object stands where a JSON schema describes a member by its name.
func (v *jsonValue) isProperty(s jsonScope) bool {
	return !s.list && s.up > 0 && !v.scopes[s.up].list && schemaMaps[v.scopes[s.up].key]
}

// schemaMaps are the keywords of JSON Schema below which names stand, and schemaWords those that describe a value;
// default, const, enum and examples hold one.
var (
	schemaMaps  = wordSet("properties patternProperties dependentSchemas definitions $defs")
	schemaWords = wordSet(`type title description format pattern minLength maxLength minimum maximum exclusiveMinimum
		exclusiveMaximum multipleOf minItems maxItems minProperties maxProperties minContains maxContains
		contentEncoding contentMediaType $ref $id $schema $anchor $comment`)
)

// maxInherit is how many brackets above a value its name is looked for.
const maxInherit = 6

// classedName is a name with what it makes of a value.
type classedName struct {
	one  string // in the singular, where only that tells
	kind nameKind
}

// classed classes the name of a value, and that of a list or a map by what one of its values is.
func (v *jsonValue) classed(name string) classedName {
	c, ok := v.names[name]
	if !ok {
		c = classifyAny(name)
		v.names[name] = c
	}
	return c
}

// classifyAny is classed of a name that is not known yet.
func classifyAny(name string) classedName {
	c := classedName{name, classify(name)}
	if one, cut := strings.CutSuffix(name, "s"); cut && c.kind == nameNeutral {
		if kind := classify(one); kind >= nameSecret {
			c = classedName{one, kind}
		}
	}
	return c
}

// protocol marks what an MCP message holds by definition.
func (v *jsonValue) protocol() {
	for i := range v.leaves {
		l := &v.leaves[i]
		if l.isKey || l.number || v.scopes[l.in].list {
			continue
		}
		s := v.scopes[l.in]
		switch l.key {
		case "data":
			l.binary = (s.kind == "image" || s.kind == "audio") && v.isContent(l.in) && decodes64(l.text)
		case "blob":
			l.binary = v.isResource(l.in) && decodes64(l.text)
		case "progressToken", "nextCursor", "requestState":
			l.handle = s.up == 0 || l.key == "progressToken" && s.key == "_meta"
		}
	}
}

// isContent reports whether an object is an item of content: of a result, of a message, or of a tool's result in one.
func (v *jsonValue) isContent(in int) bool {
	for range maxContent {
		s := v.scopes[in]
		if s.list {
			return false
		}
		if s.key == "" && v.scopes[s.up].list {
			s = v.scopes[s.up]
		}
		if s.key != "content" || s.up <= 0 {
			return false
		}
		around, list := v.scopes[s.up], v.scopes[v.scopes[s.up].up]
		switch {
		case around.up == 0: // of a result
			return true
		case list.list && list.key == "messages":
			top := v.scopes[list.up]
			return top.up == 0 || top.key == "params"
		case around.kind != "tool_result":
			return false
		}
		in = s.up
	}
	return false
}

// maxContent bounds how deep results of tools may be nested in messages.
const maxContent = 4

// isResource reports whether an object is the contents of a resource: of a result, or embedded in content.
func (v *jsonValue) isResource(in int) bool {
	s := v.scopes[in]
	if s.key == "resource" && s.up > 0 {
		return v.scopes[s.up].kind == "resource" && v.isContent(s.up)
	}
	if s.up <= 0 || !v.scopes[s.up].list || v.scopes[s.up].key != "contents" {
		return false
	}
	result := v.scopes[s.up].up
	return result > 0 && v.scopes[result].up == 0
}

func decodeString(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(quoted, &s) // it is valid
	return s
}

// decodes64 reports whether a string decodes, in either alphabet.
func decodes64(s string) bool {
	_, _, ok := decode64(s)
	return ok
}

func decode64(s string) ([]byte, *base64.Encoding, bool) {
	compact := strings.NewReplacer("\r", "", "\n", "").Replace(s)
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		if data, err := enc.DecodeString(compact); err == nil {
			return data, enc, true
		}
	}
	return nil, nil, false
}

// textIn is the text that base64 holds, and how to write another in its place; false where it holds no text.
func textIn(data string) (text string, code func(string) string, ok bool) {
	raw, enc, ok := decode64(data)
	if !ok || len(raw) == 0 {
		return "", nil, false
	}
	if text, wide := wideText(raw); wide {
		return text, func(s string) string { return enc.EncodeToString([]byte(s)) }, true
	}
	if !mostlyText(string(raw)) {
		return "", nil, false
	}
	return string(raw), func(s string) string { return enc.EncodeToString([]byte(s)) }, true
}

// wideText reads UTF-16, in which every other byte of most texts is zero.
func wideText(raw []byte) (string, bool) {
	if len(raw) < 8 {
		return "", false
	}
	var zeros [2]int
	for i, c := range raw {
		if c == 0 {
			zeros[i%2]++
		}
	}
	first := 0 // of the byte that counts more
	switch half := len(raw) / 2; {
	case zeros[0] > half*8/10 && zeros[1] < half/10:
	case zeros[1] > half*8/10 && zeros[0] < half/10:
		first = 1
	default:
		return "", false
	}
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		units = append(units, uint16(raw[i+first])<<8|uint16(raw[i+1-first]))
	}
	text := strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff")
	return text, mostlyText(text)
}

// mostlyText reports whether at least nine in ten bytes are those of text.
func mostlyText(s string) bool {
	good := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r >= ' ' && r != 0x7F && (r != utf8.RuneError || size > 1) || r == '\t' || r == '\n' || r == '\r' || r == 0x1B {
			good += size
		}
		i += size
	}
	return good*10 >= len(s)*9
}
