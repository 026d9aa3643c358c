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

// Frame tells what is done to JSON besides masking its secrets.
type Frame struct {
	// Known, if not nil, removes texts that the caller knows to be secret.
	Known func(string) string
	// Clean, if not nil, is applied to every string after masking. Secrets that it brings to light are masked too.
	Clean func(string) string
	// Message means that the value is the result or the params of an MCP message: it contains pictures, sounds and
	// blobs as base64 where the protocol puts them, and handles that must be returned to the other side unchanged.
	Message bool
}

// JSON masks the secrets of a JSON value and returns how many it found. The name of a field counts, even if it is
// around the value or next to it: {"password": "…"}, {"password": {"prod": "…"}}, {"name": "DB_PASSWORD", "value":
// "…"}. Whatever the redactor removes from the same bytes as text is also gone from the fields, and a value found once
// is masked everywhere. The shape is kept: a string stays a string, a number becomes 0. Bytes around masked values stay
// unchanged. Input that is not JSON is masked as text. With a nil Redactor, JSON only does what the frame says.
//
// A value that takes too much work, or whose search is ended by ctx, is withheld: masked is then a notice, in a value
// of the same kind, and err is the reason.
func (r *Redactor) JSON(ctx context.Context, raw []byte, f Frame) (masked []byte, found int, err error) {
	m := newMeter(ctx, len(raw))
	switch {
	case m.err != nil:
	case r != nil:
		masked, found = r.redactJSON(m, raw, f)
	default:
		masked = applyKnown(m, raw, f)
		if f.Clean != nil {
			masked = applyKnown(m, eachString(m, masked, f, f.Clean), f)
		}
	}
	if m.err != nil {
		return withheldJSON(raw, m.err), 1, m.err
	}
	return masked, found, nil
}

func (r *Redactor) redactJSON(m *meter, raw []byte, f Frame) ([]byte, int) {
	out, found, ok := r.maskJSON(m, applyKnown(m, raw, f), f)
	if ok && f.Clean != nil && m.err == nil {
		if cleaned := eachString(m, out, f, f.Clean); !bytes.Equal(cleaned, out) {
			var more int
			out, more, ok = r.maskJSON(m, applyKnown(m, cleaned, f), f)
			found += more
		}
	}
	if !ok {
		text := string(raw)
		if f.Known != nil {
			text = f.Known(text)
		}
		text, spans := r.redactText(text, m)
		return []byte(text), len(spans)
	}
	return out, found
}

// redactText does what Redact does, for a text within a value.
func (r *Redactor) redactText(text string, m *meter) (string, []span) {
	spans := r.findSpans("", text, m.watch(len(text)))
	return replaceSpans(text, spans), spans
}

// withheldJSON returns the replacement for a value that could not be searched.
func withheldJSON(raw []byte, why error) []byte {
	// The client may have disconnected: do not parse all of a large value then.
	if read := errors.Is(why, errTooMuch) || len(raw) < tickEvery; read && !json.Valid(raw) {
		return []byte(withheldNotice(len(raw), why) + strings.Repeat("\n", bytes.Count(raw, []byte("\n"))))
	}
	said := jsonString(withheldNotice(len(raw), why))
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

func applyKnown(m *meter, raw []byte, f Frame) []byte {
	if f.Known == nil {
		return raw
	}
	return eachString(m, raw, f, f.Known)
}

// eachString applies fn to every string, including names of fields, and to text encoded in base64.
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
	return v.applyEdits(edits, m)
}

// stringTicks is the cost of a caller's function per byte of a string.
const stringTicks = 8

// maskJSON makes one pass over a value. It returns false for input that is not JSON.
func (r *Redactor) maskJSON(m *meter, raw []byte, f Frame) ([]byte, int, bool) {
	v, ok := scanJSON(raw, f.Message, m)
	if !ok || m.err != nil {
		return nil, 0, ok
	}
	t := tree{r: r, meter: m, values: map[string]*detector{}}
	twin := t.textView(raw, v)
	spans := make([][]span, len(v.leaves))
	heavy := make([]bool, len(v.leaves))
	for i, l := range v.leaves {
		if m.err != nil {
			return nil, 0, true
		}
		if l.number || l.binary || l.handle {
			continue
		}
		// A name that says nothing is also before the value in the twin.
		spans[i], heavy[i] = t.findSpans(v.secretName(l), l.text)
		if !l.isKey {
			t.noteInner(i, l.text)
		}
		spans[i] = mergeSpans(append(spans[i], l.decodeSpans(raw, twin)...))
		t.noteValues(l.text, spans[i])
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
			if out = t.maskTokens(l.text); out == l.text {
				continue
			}
		case l.number:
			if len(overlapping(twin, l.start, l.end)) == 0 && !t.secretNumber(v, l, string(raw[l.start:l.end])) {
				continue
			}
			out = "0"
		case l.binary:
			if out = t.maskBase64(l.text); out == l.text {
				continue
			}
		default:
			out = t.maskString(spans[i], heavy[i], l.text)
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
	return v.applyEdits(edits, m), found, true
}

// textView finds secrets in the whole value as text. Strings that are base64 by the protocol are blanked out.
func (t *tree) textView(raw []byte, v *jsonValue) []span {
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
	spans := t.r.findSpans("", string(text), w)
	if w.isOver() {
		t.meter.fail(errTooMuch)
	}
	return spans
}

// secretNumber reports whether digits are a secret: a PIN, a password of digits, a token that is a long number. Counts
// of tokens and of secrets, ports, sizes and times are not.
func (t *tree) secretNumber(v *jsonValue, l jsonLeaf, digits string) bool {
	if strings.Trim(digits, "0123456789") != "" {
		return false
	}
	if t.values[digits] != nil {
		return true
	}
	switch name := v.classifyName(v.nameOf(l)); {
	case name.kind == namePassword, name.kind == nameSecret && (name.last == "pin" || name.last == "otp"):
		return len(digits) >= 4
	case name.kind == nameSecret && !strings.HasSuffix(name.last, "s"):
		return len(digits) >= 12
	}
	return false
}

// maskBase64 masks text in base64, and a token that merely looks like base64. Other data stays.
func (t *tree) maskBase64(data string) string {
	text, code, ok := textIn(data)
	if !ok {
		if t.isToken(data) {
			data, _ = t.r.redactText(data, t.meter)
		}
		return data
	}
	if out, spans := t.r.redactText(text, t.meter); len(spans) > 0 {
		return code(out)
	}
	return data
}

// isToken reports whether a short text is, as a whole, a token of a known kind.
func (t *tree) isToken(text string) bool {
	if len(text) > longestToken {
		return false
	}
	found := t.r.findSpans("", text, t.meter.watch(len(text)))
	return len(found) == 1 && found[0].start == 0 && found[0].end == len(text) && found[0].by.rank < rankGeneric
}

// maskTokens masks only tokens of a known kind: a handle may well be random letters, but not something with the form of a
// key.
func (t *tree) maskTokens(text string) string {
	spans := t.r.findSpans("", text, t.meter.watch(len(text)))
	return replaceSpans(text, slices.DeleteFunc(spans, func(s span) bool { return s.by.rank >= rankGeneric }))
}

// longestToken is longer than any token, in bytes.
const longestToken = 512

// jsonEdit replaces a leaf by a text.
type jsonEdit struct {
	leaf jsonLeaf
	with string
}

// applyEdits makes the edits. Keys of one object that become equal are numbered. It ends early with the search.
func (v *jsonValue) applyEdits(edits []jsonEdit, m *meter) []byte {
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
			with = keys.freeKey(e.leaf.in, with)
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

// takenKeys are the keys of some objects, each with the next number to try for a duplicate: all lower ones are taken.
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

// freeKey returns a key that the object does not have yet.
func (taken takenKeys) freeKey(in int, name string) string {
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

// jsonString returns s as a JSON string.
func jsonString(s string) []byte {
	raw, _ := rawjson.Marshal(s) // a string always has a JSON form
	return raw
}

// decodeSpans maps findings in the bytes of a string to its text.
func (l jsonLeaf) decodeSpans(raw []byte, twin []span) (out []span) {
	first, end := l.start+1, l.end-1
	twin = overlapping(twin, first, end)
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

// overlapping returns the spans that overlap start to end. Spans are sorted and disjoint.
func overlapping(spans []span, start, end int) []span {
	from := sort.Search(len(spans), func(i int) bool { return spans[i].end > start })
	to := from
	for to < len(spans) && spans[to].start < end {
		to++
	}
	return spans[from:to]
}
