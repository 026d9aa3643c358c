package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// jsonValue is JSON text with the positions of its strings and numbers. It is read in one pass without recursion, so
// that deep nesting costs no more than its bytes.
type jsonValue struct {
	raw    []byte
	scopes []jsonScope
	leaves []jsonLeaf
	names  map[string]*jsonName // the same keys recur in each item of a list
}

// jsonScope is an object or a list.
type jsonScope struct {
	up     int // index of the scope around it; -1 for the outermost
	list   bool
	key    *jsonName // its key in the object around it
	label  *jsonName // the name that a member such as "name" gives to the value
	kind   string    // its member "type"
	member *jsonName // key of the member being read
}

// jsonLeaf is a string, a number or the key of a member.
type jsonLeaf struct {
	start, end int       // in the raw text, with quotes
	in         int       // the scope that it is in
	key        *jsonName // its own, if it is in an object
	text       string    // of a string or key
	isKey      bool
	number     bool
	binary     bool // base64 where the protocol puts it
	handle     bool // must be returned unchanged
}

// scanJSON reads a value. It returns false if the text is not a single JSON value, and ends early with the search.
func scanJSON(raw []byte, message bool, m *meter) (*jsonValue, bool) {
	if !json.Valid(raw) {
		return nil, false
	}
	v := &jsonValue{raw: raw, names: map[string]*jsonName{"": noName}, scopes: []jsonScope{{up: -1, list: true, key: noName, label: noName, member: noName}}}
	at := 0 // scope
	for tokens := rawjson.Scan(raw); ; {
		t, ok := tokens.Next()
		if !ok || m.tick(placeTicks+t.End-t.Start) {
			break
		}
		in := &v.scopes[at]
		switch c := t.First; {
		case c == '{' || c == '[':
			v.scopes = append(v.scopes, jsonScope{up: at, list: c == '[', key: in.member, label: noName, member: noName})
			at = len(v.scopes) - 1
		case c == '}' || c == ']':
			at = in.up
		case c == '"':
			l := jsonLeaf{start: t.Start, end: t.End, in: at, key: in.member, text: decodeString(raw[t.Start:t.End]), isKey: t.Name}
			if t.Name {
				in.member, l.key = v.internName(l.text), noName
			} else {
				v.noteMember(in, l)
			}
			v.leaves = append(v.leaves, l)
		case c == '-' || c >= '0' && c <= '9':
			v.leaves = append(v.leaves, jsonLeaf{start: t.Start, end: t.End, in: at, key: in.member, number: true})
		}
	}
	if message {
		v.markProtocol()
	}
	return v, true
}

// noteMember records what a member says about the others in its object.
func (v *jsonValue) noteMember(s *jsonScope, l jsonLeaf) {
	switch {
	case s.list:
	case l.key.isType:
		s.kind = l.text
	case l.key.isLabel && s.label == noName && classifyName(l.text) >= nameSecret:
		s.label = v.internName(l.text)
	}
}

// labels are the keys whose member holds the name of the value next to it.
var labels = wordSet("name key id setting property variable field label env header option")

// nameOf returns the name that counts for a value: its own, or the one next to it or around it if its own says nothing,
// or only that it is a value.
func (v *jsonValue) nameOf(l jsonLeaf) *jsonName {
	key, in := l.key, l.in
	own, via := key, key
	for depth := 0; depth < maxInherit && in >= 0; depth++ {
		s := v.scopes[in]
		if via.isSchema && v.isProperty(s) {
			return own // it describes a secret and is not one
		}
		if !s.list || in == 0 {
			if c := v.classifyName(key); c.kind != nameNeutral {
				if depth > 0 && c.kind < nameSecret {
					return own // the name around it means something else
				}
				return c.one
			}
			if s.label != noName && key.isValue {
				return s.label
			}
		}
		if s.key != noName {
			key = s.key
		}
		if own == noName {
			own = key
		}
		in, via = s.up, s.key
	}
	return own
}

// isProperty reports whether an object is where a JSON schema describes a member by its name.
func (v *jsonValue) isProperty(s jsonScope) bool {
	return !s.list && s.up > 0 && !v.scopes[s.up].list && v.scopes[s.up].key.isSchemaMap
}

// schemaMaps are the keywords of JSON Schema whose member keys are names, and schemaWords those that describe a value;
// default, const, enum and examples hold one.
var (
	schemaMaps  = wordSet("properties patternProperties dependentSchemas definitions $defs")
	schemaWords = wordSet(`type title description format pattern minLength maxLength minimum maximum exclusiveMinimum
		exclusiveMaximum multipleOf minItems maxItems minProperties maxProperties minContains maxContains
		contentEncoding contentMediaType $ref $id $schema $anchor $comment`)
)

// maxInherit is how many levels above a value its name is looked for.
const maxInherit = 6

// jsonName is the name of a value and its meaning. It is classified once, however many values are below it.
type jsonName struct {
	text string

	isType, isLabel, isValue, isSchema, isSchemaMap bool // it is one of those words

	classed bool
	kind    nameKind
	one     *jsonName // in the singular, if only that has a meaning
	last    string    // its last word, if it is the name of a secret
	lead    string    // prepended to a value that is searched together with its name
}

// noName is the name of values without one. It is read-only.
var noName = func() *jsonName {
	n := &jsonName{classed: true}
	n.one = n
	return n
}()

// maxWord is longer than any word that names are compared with, in bytes.
const maxWord = 64

// internName returns the jsonName for a text.
func (v *jsonValue) internName(text string) *jsonName {
	n := v.names[text]
	if n == nil {
		n = &jsonName{text: text}
		v.names[text] = n
		if len(text) <= maxWord {
			lower := strings.ToLower(text)
			n.isType, n.isLabel, n.isValue = lower == "type", labels[lower], valueWords[lower]
			n.isSchema, n.isSchemaMap = schemaWords[text], schemaMaps[text]
		}
	}
	return n
}

// maxLead limits the part of a long name that is put before a value, in bytes: detectors look no further back.
const maxLead = 256

// classifyName classifies the name of a value, and the name of a list or a map by its singular.
func (v *jsonValue) classifyName(n *jsonName) *jsonName {
	if n.classed {
		return n
	}
	n.classed = true
	one, kind := classifyAny(n.text)
	if n.kind, n.one = kind, n; one != n.text {
		n.one = v.internName(one)
	}
	if kind >= nameVendor {
		words := splitName(n.text)
		n.last = words[len(words)-1]
		n.lead = strconv.Quote(n.text[runeStart(n.text, max(0, len(n.text)-maxLead)):]) + ": \""
	}
	return n
}

// classifyAny classifies a name, and the name of a list or a map by its singular; one is the name that counts.
func classifyAny(name string) (one string, kind nameKind) {
	kind = classifyName(name)
	if one, cut := strings.CutSuffix(name, "s"); cut && kind == nameNeutral {
		if kind := classifyName(one); kind >= nameSecret {
			return one, kind
		}
	}
	return name, kind
}

// markProtocol marks what an MCP message holds by definition.
func (v *jsonValue) markProtocol() {
	for i := range v.leaves {
		l := &v.leaves[i]
		if l.isKey || l.number || v.scopes[l.in].list {
			continue
		}
		s := v.scopes[l.in]
		switch l.key.text {
		case "data":
			l.binary = (s.kind == "image" || s.kind == "audio") && v.isContent(l.in) && isBase64Text(l.text)
		case "blob":
			l.binary = v.isResource(l.in) && isBase64Text(l.text)
		case "progressToken", "nextCursor", "requestState":
			l.handle = s.up == 0 || l.key.text == "progressToken" && s.key.text == "_meta" && v.scopes[s.up].up == 0
		}
	}
}

// isContent reports whether an object is a content item: of a result, of a message, or of a tool result in one.
func (v *jsonValue) isContent(in int) bool {
	for range maxContent {
		s := v.scopes[in]
		if s.list {
			return false
		}
		if s.key == noName && v.scopes[s.up].list {
			s = v.scopes[s.up]
		}
		if s.key.text != "content" || s.up <= 0 {
			return false
		}
		around, list := v.scopes[s.up], v.scopes[v.scopes[s.up].up]
		switch {
		case around.up == 0: // of a result
			return true
		case list.list && list.key.text == "messages":
			top := v.scopes[list.up]
			return top.up == 0 || top.key.text == "params"
		case around.kind != "tool_result":
			return false
		}
		in = s.up
	}
	return false
}

// maxContent limits the nesting of tool results in messages.
const maxContent = 4

// isResource reports whether an object is the contents of a resource: of a result, or embedded in content.
func (v *jsonValue) isResource(in int) bool {
	s := v.scopes[in]
	if s.key.text == "resource" && s.up > 0 {
		return v.scopes[s.up].kind == "resource" && v.isContent(s.up)
	}
	if s.up <= 0 || !v.scopes[s.up].list || v.scopes[s.up].key.text != "contents" {
		return false
	}
	result := v.scopes[s.up].up
	return result > 0 && v.scopes[result].up == 0
}

// unescaper maps offsets in the bytes of a JSON string to its text. It makes one pass: offsets must ascend.
type unescaper struct {
	raw      []byte
	at, text int // where an escape or a rune begins, in the bytes and in the text
}

// offsets returns, in the text, where the escape or rune around at begins and ends; both are equal if at is between two
// of them.
func (u *unescaper) offsets(at int) (before, behind int) {
	for u.at < at {
		size, length := unitAt(u.raw[u.at:])
		if u.at+size > at {
			return u.text, u.text + length
		}
		u.at, u.text = u.at+size, u.text+length
	}
	return u.text, u.text
}

// unitAt returns the size of the escape or rune that raw begins with, and the length of its decoded form.
func unitAt(raw []byte) (size, length int) {
	if raw[0] != '\\' {
		r, n := utf8.DecodeRune(raw)
		return n, utf8.RuneLen(r)
	}
	if raw[1] != 'u' {
		return 2, 1
	}
	r := codeOf(raw)
	if !utf16.IsSurrogate(r) {
		return 6, utf8.RuneLen(r)
	}
	if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' && utf16.DecodeRune(r, codeOf(raw[6:])) != utf8.RuneError {
		return 12, 4
	}
	return 6, utf8.RuneLen(utf8.RuneError)
}

// codeOf returns the number of the \u escape that raw begins with.
func codeOf(raw []byte) rune {
	n, _ := strconv.ParseUint(string(raw[2:6]), 16, 16) // it is valid
	return rune(n)
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

// isBase64Text reports whether a string is base64, in either alphabet.
func isBase64Text(s string) bool {
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

// textIn returns the text that base64 holds and a function that encodes a replacement; ok is false for other data.
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

// wideText decodes UTF-16, in which every other byte of most texts is zero.
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
	first := 0 // the index of the more significant byte
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

// mostlyText reports whether at least nine bytes in ten belong to text.
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
