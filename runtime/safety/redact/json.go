package redact

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
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
//
// A value that takes too much work, or that ctx ends before all of it was searched, is withheld: masked then only says
// so, in a value of the same kind, and err says why.
func (r *Redactor) JSON(ctx context.Context, raw []byte, f Frame) (masked []byte, found int, err error) {
	m := newMeter(ctx, len(raw))
	switch {
	case m.err != nil:
	case r != nil:
		masked, found = r.json(m, raw, f)
	default:
		masked = known(m, raw, f)
		if f.Clean != nil {
			masked = known(m, eachString(m, masked, f, f.Clean), f)
		}
	}
	if m.err != nil {
		return withheldJSON(raw, m.err), 1, m.err
	}
	return masked, found, nil
}

func (r *Redactor) json(m *meter, raw []byte, f Frame) ([]byte, int) {
	out, found, ok := r.maskJSON(m, known(m, raw, f), f)
	if ok && f.Clean != nil && m.err == nil {
		if cleaned := eachString(m, out, f, f.Clean); !bytes.Equal(cleaned, out) {
			var more int
			out, more, ok = r.maskJSON(m, known(m, cleaned, f), f)
			found += more
		}
	}
	if !ok {
		text := string(raw)
		if f.Known != nil {
			text = f.Known(text)
		}
		text, spans := r.redact(text, m)
		return []byte(text), len(spans)
	}
	return out, found
}

// redact is Redact for a text of a value.
func (r *Redactor) redact(text string, m *meter) (string, []span) {
	spans := r.find("", text, m.watch(len(text)))
	return replace(text, spans), spans
}

// withheldJSON stands for a value that could not be searched.
func withheldJSON(raw []byte, why error) []byte {
	// Nobody waits for a look at all of a large one whose caller has gone.
	if read := errors.Is(why, errTooMuch) || len(raw) < tickEvery; read && !json.Valid(raw) {
		return []byte(notice(len(raw), why) + strings.Repeat("\n", bytes.Count(raw, []byte("\n"))))
	}
	said := jsonString(notice(len(raw), why))
	switch rawjson.Of(raw) {
	case rawjson.Object:
		return slices.Concat([]byte(`{"withheld":`), said, []byte(`}`))
	case rawjson.Array:
		return slices.Concat([]byte(`[`), said, []byte(`]`))
	case rawjson.Number:
		return []byte("0")
	case rawjson.Null:
		return []byte("null")
	case rawjson.Bool:
		return []byte("false")
	}
	return said
}

func known(m *meter, raw []byte, f Frame) []byte {
	if f.Known == nil {
		return raw
	}
	return eachString(m, raw, f, f.Known)
}

// eachString applies fn to every string, names of fields too, and to what is text in base64.
func eachString(m *meter, raw []byte, f Frame, fn func(string) string) []byte {
	v, ok := scanJSON(raw, f.Message, m)
	if !ok {
		return raw
	}
	var edits []jsonEdit
	for _, l := range v.leaves {
		if m.tick(stringTicks * (placeTicks + len(l.text))) {
			return raw
		}
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
	return v.apply(edits, m)
}

// stringTicks is what a function of the caller costs for each byte of a string.
const stringTicks = 8

// maskJSON is one look. It reports false for what is not JSON.
func (r *Redactor) maskJSON(m *meter, raw []byte, f Frame) ([]byte, int, bool) {
	v, ok := scanJSON(raw, f.Message, m)
	if !ok || m.err != nil {
		return nil, 0, ok
	}
	t := tree{r: r, meter: m, values: map[string]*detector{}}
	twin := t.twin(raw, v)
	spans := make([][]span, len(v.leaves))
	heavy := make([]bool, len(v.leaves))
	for i, l := range v.leaves {
		if m.err != nil {
			return nil, 0, true
		}
		if l.number || l.binary || l.handle {
			continue
		}
		// A name that tells nothing stands before the value in the twin as well.
		spans[i], heavy[i] = t.spans(v.secretName(l), l.text)
		if !l.isKey {
			t.noteInner(i, l.text)
		}
		spans[i] = mergeSpans(append(spans[i], l.decoded(raw, twin)...))
		t.note(l.text, spans[i])
	}
	t.spread = newFinder(t.values, m)
	var edits []jsonEdit
	found := 0
	for i, l := range v.leaves {
		if m.err != nil {
			return nil, 0, true
		}
		var out string
		switch {
		case l.handle:
			if out = t.shaped(l.text); out == l.text {
				continue
			}
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
	return v.apply(edits, m), found, true
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
	w := t.meter.watch(len(text))
	spans := t.r.find("", string(text), w)
	if w.over() {
		t.meter.fail(errTooMuch)
	}
	return spans
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
	switch name := v.classed(v.nameOf(l)); {
	case name.kind == namePassword, name.kind == nameSecret && (name.last == "pin" || name.last == "otp"):
		return len(digits) >= 4
	case name.kind == nameSecret && !strings.HasSuffix(name.last, "s"):
		return len(digits) >= 12
	}
	return false
}

// base64 masks what is text in base64, and what is no base64 but a token that can be read as such. Other data stays.
func (t *tree) base64(data string) string {
	text, code, ok := textIn(data)
	if !ok {
		if t.isToken(data) {
			data, _ = t.r.redact(data, t.meter)
		}
		return data
	}
	if out, spans := t.r.redact(text, t.meter); len(spans) > 0 {
		return code(out)
	}
	return data
}

// isToken reports whether a short text is a token of a known kind from its first byte to its last.
func (t *tree) isToken(text string) bool {
	if len(text) > longestToken {
		return false
	}
	found := t.r.find("", text, t.meter.watch(len(text)))
	return len(found) == 1 && found[0].start == 0 && found[0].end == len(text) && found[0].by.rank < rankGeneric
}

// shaped masks tokens of a known kind alone: a handle is random letters by right, and only what has the form of a key
// is none.
func (t *tree) shaped(text string) string {
	spans := t.r.find("", text, t.meter.watch(len(text)))
	return replace(text, slices.DeleteFunc(spans, func(s span) bool { return s.by.rank >= rankGeneric }))
}

// longestToken is longer than tokens are, in bytes.
const longestToken = 512

// edit puts a text in the place of a leaf.
type jsonEdit struct {
	leaf jsonLeaf
	with string
}

// apply makes the edits. Keys of one object that become the same are told apart by a number. It ends early with the search.
func (v *jsonValue) apply(edits []jsonEdit, m *meter) []byte {
	if len(edits) == 0 {
		return v.raw
	}
	var out []byte
	at := 0
	keys := v.keysBeside(edits)
	for _, e := range edits {
		if m.tick(placeTicks + len(e.with)) {
			return nil
		}
		with := e.with
		if e.leaf.isKey {
			with = keys.free(e.leaf.in, with)
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

// takenKeys are the keys of some objects, each with the number to try next for another of its name: all below are taken.
type takenKeys map[takenKey]int

type takenKey struct {
	in   int // scope
	name string
}

// keysBeside returns the keys of the objects in which a key is edited.
func (v *jsonValue) keysBeside(edits []jsonEdit) takenKeys {
	edited := map[int]bool{}
	for _, e := range edits {
		if e.leaf.isKey {
			edited[e.leaf.in] = true
		}
	}
	if len(edited) == 0 {
		return nil
	}
	taken := takenKeys{}
	for _, l := range v.leaves {
		if l.isKey && edited[l.in] {
			taken[takenKey{l.in, l.text}] = 2
		}
	}
	return taken
}

// free returns a key for an object that it does not have yet.
func (taken takenKeys) free(in int, name string) string {
	free, n := name, taken[takenKey{in, name}]
	for taken[takenKey{in, free}] > 0 {
		free = name + "#" + strconv.Itoa(n)
		n++
	}
	if free != name {
		taken[takenKey{in, name}] = n
	}
	taken[takenKey{in, free}] = 2
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
	twin = touching(twin, first, end)
	if len(twin) == 0 {
		return nil
	}
	plain := string(raw[first:end]) == l.text
	u := unescaper{raw: raw[first:end]}
	for _, s := range twin {
		from, to := max(s.start, first)-first, min(s.end, end)-first
		if !plain { // escapes that it touches belong to it
			from, _ = u.offsets(from)
			_, to = u.offsets(to)
		}
		if from < to {
			out = append(out, span{from, min(to, len(l.text)), s.by})
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
