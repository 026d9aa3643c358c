package redact

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// JSON often appears as text in JSON, such as the content of a tool's result. Its secrets are found like those of any
// text; in addition, the names of its members count here, as they do in the JSON around it.

// noteInner notes the values that a text's own members name as secrets.
func (t *tree) noteInner(leaf int, text string) {
	v := t.innerJSON(text)
	if v == nil {
		return
	}
	for _, l := range v.leaves {
		switch name := v.secretName(l); {
		case name == nil:
			continue
		case !l.number:
			spans, _ := t.findSpans(name, l.text)
			t.noteValues(l.text, spans)
		}
		if t.inner == nil {
			t.inner = map[int]bool{}
		}
		t.inner[leaf] = true
	}
}

// maskInner masks the values that a text's own members name as secrets.
func (t *tree) maskInner(text string) string {
	v := t.innerJSON(text)
	if v == nil {
		return text
	}
	var edits []jsonEdit
	for _, l := range v.leaves {
		name := v.secretName(l)
		if name == nil {
			continue
		}
		if l.number {
			if t.secretNumber(v, l, string(v.raw[l.start:l.end])) {
				edits = append(edits, jsonEdit{l, "0"})
			}
			continue
		}
		spans, heavy := t.findSpans(name, l.text)
		if out := t.maskString(spans, heavy, l.text); out != l.text {
			edits = append(edits, jsonEdit{l, out})
		}
	}
	return string(v.applyEdits(edits, t.meter))
}

// innerJSON parses a text that is an object or a list and has a member with the name of a secret, else it returns nil.
func (t *tree) innerJSON(text string) *jsonValue {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '{' && text[0] != '[' {
		return nil
	}
	raw := []byte(text)
	if !t.namesSecret(raw) {
		return nil
	}
	v, _ := scanJSON(raw, false, t.meter)
	return v
}

// namesSecret reports whether the name of a member, or the value of a member such as "name", names a secret. Most JSON
// has none and is not parsed any further.
func (t *tree) namesSecret(raw []byte) bool {
	label := false // the next string may be the name of a value next to it
	for tokens := rawjson.Scan(raw); ; {
		token, ok := tokens.Next()
		switch {
		case !ok, t.meter.tick(token.End - token.Start):
			return false
		case token.First != '"' || !token.Name && !label:
			continue
		}
		quoted := raw[token.Start:token.End]
		if !token.Name {
			if label = false; classifyName(decodeString(quoted)) >= nameSecret {
				return true
			}
			continue
		}
		m, seen := t.members[string(quoted)]
		if !seen {
			name := decodeString(quoted)
			m = innerName{label: labels[strings.ToLower(name)], secret: isSecretName(name)}
			if t.members == nil {
				t.members = map[string]innerName{}
			}
			t.members[string(quoted)] = m
		}
		if m.secret {
			return true
		}
		label = m.label
	}
}

// innerName tells how the name of a member affects its value.
type innerName struct{ label, secret bool }

// isSecretName reports whether a name is one of secrets, or of a list or a map of them.
func isSecretName(name string) bool {
	_, kind := classifyAny(name)
	return kind >= nameVendor
}

// secretName returns the name of a value if it is one of secrets, else nil.
func (v *jsonValue) secretName(l jsonLeaf) *jsonName {
	if l.isKey {
		return nil
	}
	if name := v.classifyName(v.nameOf(l)); name.kind >= nameVendor {
		return name
	}
	return nil
}
