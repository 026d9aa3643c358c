package redact

import "strings"

// JSON often stands as text in JSON: the content of a tool's result, say. Its secrets are found as those of any text;
// here the names of its members count too, as they do around it.

// noteInner takes up the values that a text's own members name as secrets.
func (t *tree) noteInner(leaf int, text string) {
	v := innerJSON(text)
	if v == nil {
		return
	}
	for _, l := range v.leaves {
		switch name, named := v.secretName(l); {
		case !named:
			continue
		case !l.number:
			spans, _ := t.spans(name, l.text)
			t.note(l.text, spans)
		}
		if t.inner == nil {
			t.inner = map[int]bool{}
		}
		t.inner[leaf] = true
	}
}

// maskInner masks the values that a text's own members name as secrets.
func (t *tree) maskInner(text string) string {
	v := innerJSON(text)
	if v == nil {
		return text
	}
	var edits []jsonEdit
	for _, l := range v.leaves {
		name, named := v.secretName(l)
		if !named {
			continue
		}
		if l.number {
			if t.secretNumber(v, l, string(v.raw[l.start:l.end])) {
				edits = append(edits, jsonEdit{l, "0"})
			}
			continue
		}
		spans, heavy := t.spans(name, l.text)
		if out := t.clean(spans, heavy, l.text); out != l.text {
			edits = append(edits, jsonEdit{l, out})
		}
	}
	return string(v.apply(edits))
}

// innerJSON is a text that is an object or a list, else nil.
func innerJSON(text string) *jsonValue {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '{' && text[0] != '[' {
		return nil
	}
	v, _ := scanJSON([]byte(text), false)
	return v
}

// secretName is the name of a value where it is one of secrets.
func (v *jsonValue) secretName(l jsonLeaf) (name string, ok bool) {
	if l.isKey {
		return "", false
	}
	name = v.nameOf(l)
	return name, v.classed(name).kind >= nameVendor
}
