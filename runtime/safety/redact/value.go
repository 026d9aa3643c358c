package redact

import (
	"bytes"
	"context"
	"encoding/json"
)

// Value returns a copy of a JSON-like value with every secret in it masked, even in keys; see JSON. Anything other than
// maps with string keys, slices, strings, numbers, booleans and nil is first encoded as JSON and decoded again. Numbers
// in maps and slices are returned as json.Number.
func (r *Redactor) Value(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		return markFor(withheldID)
	}
	masked, found, _ := r.JSON(context.Background(), raw, Frame{})
	if found == 0 && isLeaf(v) {
		return v
	}
	var out any
	dec := json.NewDecoder(bytes.NewReader(masked))
	dec.UseNumber()
	if dec.Decode(&out) != nil {
		return markFor(withheldID)
	}
	return out
}

// isLeaf reports whether v is neither a map nor a slice.
func isLeaf(v any) bool {
	switch v.(type) {
	case nil, bool, string, json.Number, float64, float32, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return true
	}
	return false
}

// tree is one walk over a value: first all of it is searched, then all of it is written.
type tree struct {
	r      *Redactor
	meter  *meter
	values map[string]*detector // found anywhere in the value
	spread *finder              // looks for values, once all are found
	inner  map[int]bool         // leaves whose text is JSON with members of secret names

	members map[string]innerName // by quoted name
}

func (t *tree) noteValues(text string, spans []span) {
	for _, s := range spans {
		if value := text[s.start:s.end]; maySpread(value) {
			if old := t.values[value]; old == nil || s.by.id < old.id {
				t.values[value] = s.by
			}
		}
	}
}

// findSpans finds the secrets of one string by its own text and by the name of its field; heavy means that it was too much
// work.
func (t *tree) findSpans(key *jsonName, text string) (spans []span, heavy bool) {
	w := t.meter.watch(len(text))
	spans = t.r.findSpans("", text, w)
	if key != nil && !w.isOver() {
		lead := key.lead
		for _, s := range t.r.findSpans("", lead+text+"\"", w) {
			if start, end := max(s.start-len(lead), 0), min(s.end-len(lead), len(text)); start < end {
				spans = append(spans, span{start, end, s.by})
			}
		}
	}
	return mergeSpans(spans), w.isOver()
}

// maskString removes secrets from one string: those found in it, those found elsewhere, and those that this reveals.
func (t *tree) maskString(spans []span, heavy bool, text string) string {
	if heavy {
		return replaceSpans(text, withholdText(text))
	}
	if len(t.values) > 0 {
		spans = mergeSpans(append(spans, t.spread.occurrences(text, t.meter)...))
		spans = subtractHoles(text, spans, findMarks(text))
	}
	if len(spans) == 0 {
		return text
	}
	out, _ := t.r.redactText(replaceSpans(text, spans), t.meter)
	return out
}
