package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Value returns a copy of a JSON-like value with every string in it redacted, keys too. The structure stays: objects,
// lists, numbers, booleans and null are as they were. The name of a field counts: {"password": "…"} is seen as it is in
// text. A value found in one string is removed from all of them. What is not made of maps with string keys, slices,
// strings, numbers, booleans and nil is first written as JSON and read back.
func (r *Redactor) Value(v any) any {
	plain, err := plainJSON(v)
	if err != nil {
		return placeholder(withheldID)
	}
	t := tree{r: r, values: map[string]*detector{}}
	t.collect("", plain)
	return t.rewrite("", plain)
}

// plainJSON returns a copy of v in the form in which encoding/json would decode it.
func plainJSON(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, string, json.Number, float64, float32, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return v, nil
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = plainJSON(v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			p, err := plainJSON(item)
			if err != nil {
				return nil, err
			}
			out[key] = p
		}
		return out, nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var out any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	err = dec.Decode(&out)
	return out, err
}

// tree is one walk over a value: first everything is looked at, then everything is written.
type tree struct {
	r      *Redactor
	values map[string]*detector // found anywhere in the value
}

func (t *tree) collect(key string, v any) {
	switch v := v.(type) {
	case string:
		t.note(v, t.spans(key, v))
	case []any:
		for _, item := range v {
			t.collect(key, item)
		}
	case map[string]any:
		for k, item := range v {
			t.note(k, t.spans("", k))
			t.collect(k, item)
		}
	}
}

func (t *tree) note(text string, spans []span) {
	for _, s := range spans {
		if value := text[s.start:s.end]; spreads(value) {
			if old := t.values[value]; old == nil || s.by.id < old.id {
				t.values[value] = s.by
			}
		}
	}
}

// spans finds the secrets of one string by its own text and by the name of its field.
func (t *tree) spans(key, text string) []span {
	w := newWatch(len(text))
	spans := t.r.find("", text, w)
	if key != "" && !w.over() {
		lead := strconv.Quote(key) + ": \""
		for _, s := range t.r.find("", lead+text+"\"", w) {
			if start, end := max(s.start-len(lead), 0), min(s.end-len(lead), len(text)); start < end {
				spans = append(spans, span{start, end, s.by})
			}
		}
	}
	return mergeSpans(spans)
}

func (t *tree) rewrite(key string, v any) any {
	switch v := v.(type) {
	case string:
		return t.clean(key, v)
	case []any:
		for i := range v {
			v[i] = t.rewrite(key, v[i])
		}
		return v
	case map[string]any:
		return t.rewriteMap(v)
	}
	return v
}

// rewriteMap cleans keys as well; two that become the same are told apart by a number.
func (t *tree) rewriteMap(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		name := t.clean("", key)
		for n := 2; ; n++ {
			if _, taken := out[name]; !taken && (name == key || !hasKey(m, name)) {
				break
			}
			name = fmt.Sprintf("%s#%d", t.clean("", key), n)
		}
		out[name] = t.rewrite(key, m[key])
	}
	return out
}

func hasKey(m map[string]any, key string) bool { _, ok := m[key]; return ok }

// clean redacts one string: what was found in it, what was found elsewhere, and what that brings to light.
func (t *tree) clean(key, text string) string {
	spans := t.spans(key, text)
	if len(t.values) > 0 {
		spans = mergeSpans(append(spans, occurrences(text, t.values)...))
		spans = cut(text, spans, t.r.placeholders(text))
	}
	if len(spans) == 0 {
		return text
	}
	out, _ := t.r.Redact(replace(text, spans))
	return out
}
