package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
)

// Frame says what JSON is looked at beyond its secrets.
type Frame struct {
	// Known, where not nil, takes texts out that the caller knows to be secret.
	Known func(string) string
	// Clean, where not nil, is applied to every string once its secrets are out. What it brings to light is masked too.
	Clean func(string) string
	// Message says that the value is the result or the params of an MCP message: pictures, sounds and blobs stand in
	// it as base64 where the protocol puts them, and handles that the other side must get back as it gave them.
	Message bool
}

// JSON masks the secrets of a JSON value and says how many it found. The name of a field counts, also where it stands
// around the value or beside it: {"password": "…"}, {"password": {"prod": "…"}}, {"name": "DB_PASSWORD", "value": "…"}.
// What the redactor takes out of the same bytes as text is gone from the fields as well, and a value that is found once
// is taken out of all. The shape stays: a string becomes a string, a number 0. Bytes around what is masked stay as they
// are. What is not JSON is masked as text. A nil Redactor does what the frame says and no more.
func (r *Redactor) JSON(raw []byte, f Frame) (masked []byte, found int) {
	if r == nil {
		out := known(raw, f)
		if f.Clean != nil {
			out = known(eachString(out, f, f.Clean), f)
		}
		return out, 0
	}
	out, found, ok := r.maskJSON(known(raw, f), f)
	if ok && f.Clean != nil {
		if cleaned := eachString(out, f, f.Clean); !bytes.Equal(cleaned, out) {
			var more int
			out, more, ok = r.maskJSON(known(cleaned, f), f)
			found += more
		}
	}
	if !ok {
		text := string(raw)
		if f.Known != nil {
			text = f.Known(text)
		}
		text, spans := r.Redact(text)
		return []byte(text), len(spans)
	}
	return out, found
}

func known(raw []byte, f Frame) []byte {
	if f.Known == nil {
		return raw
	}
	return eachString(raw, f, f.Known)
}

// eachString applies fn to every string, names of fields too, and to what is text in base64.
func eachString(raw []byte, f Frame, fn func(string) string) []byte {
	v, ok := scanJSON(raw, f.Message)
	if !ok {
		return raw
	}
	var edits []jsonEdit
	for _, l := range v.leaves {
		switch {
		case l.number, l.handle:
		case l.binary:
			if text, code, ok := textIn(l.text); ok {
				if out := fn(text); out != text {
					edits = append(edits, jsonEdit{l, code(out)})
				}
			}
		default:
			if out := fn(l.text); out != l.text {
				edits = append(edits, jsonEdit{l, out})
			}
		}
	}
	return v.apply(edits)
}

// maskJSON is one look. It reports false for what is not JSON.
func (r *Redactor) maskJSON(raw []byte, f Frame) ([]byte, int, bool) {
	v, ok := scanJSON(raw, f.Message)
	if !ok {
		return nil, 0, false
	}
	t := tree{r: r, values: map[string]*detector{}}
	twin := t.twin(raw, v)
	spans := make([][]span, len(v.leaves))
	heavy := make([]bool, len(v.leaves))
	for i, l := range v.leaves {
		if l.number || l.binary || l.handle {
			continue
		}
		name := "" // one that tells nothing stands before the value in the twin as well
		if !l.isKey {
			if n := v.nameOf(l); v.classed(n).kind >= nameVendor {
				name = n
			}
		}
		spans[i], heavy[i] = t.spans(name, l.text)
		if !l.isKey {
			t.noteInner(i, l.text)
		}
		spans[i] = mergeSpans(append(spans[i], l.decoded(raw, twin)...))
		t.note(l.text, spans[i])
	}
	var edits []jsonEdit
	found := 0
	for i, l := range v.leaves {
		var out string
		switch {
		case l.handle:
			continue
		case l.number:
			if len(touching(twin, l.start, l.end)) == 0 && !t.secretNumber(v, l, string(raw[l.start:l.end])) {
				continue
			}
			out = "0"
		case l.binary:
			if out = t.base64(l.text); out == l.text {
				continue
			}
		default:
			out = t.clean(spans[i], heavy[i], l.text)
			if t.inner[i] {
				out = t.maskInner(out)
			}
			if out == l.text {
				continue
			}
		}
		found++
		edits = append(edits, jsonEdit{l, out})
	}
	return v.apply(edits), found, true
}

// twin finds secrets in the whole as text. What is base64 by the protocol is no part of it.
func (t *tree) twin(raw []byte, v *jsonValue) []span {
	text := raw
	for _, l := range v.leaves {
		if l.binary || l.handle {
			if &text[0] == &raw[0] {
				text = bytes.Clone(raw)
			}
			copy(text[l.start+1:l.end-1], bytes.Repeat([]byte{' '}, l.end-l.start-2))
		}
	}
	return t.r.find("", string(text), newWatch(len(text)))
}

// secretNumber reports whether digits are a secret: a PIN, a password of digits, a token that is a long number. Counts
// of tokens and of secrets, ports, sizes and times are none.
func (t *tree) secretNumber(v *jsonValue, l jsonLeaf, digits string) bool {
	if strings.Trim(digits, "0123456789") != "" {
		return false
	}
	if t.values[digits] != nil {
		return true
	}
	name := v.nameOf(l)
	kind := v.classed(name).kind
	if kind < nameSecret {
		return false
	}
	words := splitName(name)
	last := words[len(words)-1]
	switch {
	case kind == namePassword, kind == nameSecret && (last == "pin" || last == "otp"):
		return len(digits) >= 4
	case kind == nameSecret && !strings.HasSuffix(last, "s"):
		return len(digits) >= 12
	}
	return false
}

// base64 masks what is text in base64, and what is no base64 but a token that can be read as such. Other data stays.
func (t *tree) base64(data string) string {
	text, code, ok := textIn(data)
	if !ok {
		if t.isToken(data) {
			data, _ = t.r.Redact(data)
		}
		return data
	}
	if out, spans := t.r.Redact(text); len(spans) > 0 {
		return code(out)
	}
	return data
}

// isToken reports whether a short text is a token of a known kind from its first byte to its last.
func (t *tree) isToken(text string) bool {
	if len(text) > longestToken {
		return false
	}
	found := t.r.find("", text, newWatch(len(text)))
	return len(found) == 1 && found[0].start == 0 && found[0].end == len(text) && found[0].by.rank < rankGeneric
}

// longestToken is longer than tokens are, in bytes.
const longestToken = 512

// edit puts a text in the place of a leaf.
type jsonEdit struct {
	leaf jsonLeaf
	with string
}

// apply makes the edits. Keys of one object that become the same are told apart by a number.
func (v *jsonValue) apply(edits []jsonEdit) []byte {
	if len(edits) == 0 {
		return v.raw
	}
	var out []byte
	at := 0
	taken := map[int]map[string]bool{}
	for _, e := range edits {
		with := e.with
		if e.leaf.isKey {
			with = v.freeKey(e.leaf.in, with, taken)
		}
		out = append(out, v.raw[at:e.leaf.start]...)
		if e.leaf.number {
			out = append(out, with...)
		} else {
			out = append(out, jsonString(with)...)
		}
		at = e.leaf.end
	}
	return append(out, v.raw[at:]...)
}

func (v *jsonValue) freeKey(in int, name string, taken map[int]map[string]bool) string {
	if taken[in] == nil {
		taken[in] = map[string]bool{}
		for _, l := range v.leaves {
			if l.isKey && l.in == in {
				taken[in][l.text] = true
			}
		}
	}
	free := name
	for n := 2; taken[in][free]; n++ {
		free = fmt.Sprintf("%s#%d", name, n)
	}
	taken[in][free] = true
	return free
}

// jsonString is a text as JSON writes it.
func jsonString(s string) []byte {
	raw, _ := rawjson.Marshal(s) // a string always has a JSON form
	return raw
}

// decoded maps what was found in the bytes of a string to its text.
func (l jsonLeaf) decoded(raw []byte, twin []span) (out []span) {
	first, end := l.start+1, l.end-1
	plain := string(raw[first:end]) == l.text
	for _, s := range touching(twin, first, end) {
		from, to := max(s.start, first), min(s.end, end)
		if plain {
			from, to = from-first, to-first
		} else { // escapes that it touches belong to it
			from, to = l.offset(raw, from, false), l.offset(raw, to, true)
		}
		if from < to {
			out = append(out, span{from, to, s.by})
		}
	}
	return out
}

// touching are the spans that have bytes of start to end. They are sorted and do not overlap.
func touching(spans []span, start, end int) []span {
	from := sort.Search(len(spans), func(i int) bool { return spans[i].end > start })
	to := from
	for to < len(spans) && spans[to].start < end {
		to++
	}
	return spans[from:to]
}

// offset is how many bytes of text the bytes before at stand for; up takes in an escape that at is in the middle of.
func (l jsonLeaf) offset(raw []byte, at int, up bool) int {
	n := 0
	for i := l.start + 1; i < at; {
		size, length := 1, 1
		switch r, n := utf8.DecodeRune(raw[i:]); {
		case r == utf8.RuneError && n == 1:
			length = len("\ufffd")
		case raw[i] != '\\':
			size, length = n, n
		default:
			size = 2
			if raw[i+1] == 'u' {
				size = 6
				if i+12 <= l.end-1 && raw[i+6] == '\\' && raw[i+7] == 'u' && len(unquoted(raw[i:i+12])) == 4 {
					size = 12
				}
			}
			length = len(unquoted(raw[i:min(i+size, l.end-1)]))
		}
		if i+size > at && !up {
			break
		}
		n, i = n+length, i+size
	}
	return min(n, len(l.text))
}

func unquoted(raw []byte) (s string) {
	_ = json.Unmarshal(slices.Concat([]byte{'"'}, raw, []byte{'"'}), &s)
	return s
}
