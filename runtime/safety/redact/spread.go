package redact

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/url"
	"slices"
	"sort"
	"strings"
)

// minSpread is the minimum length of a found value that is looked for in the rest of the text.
const minSpread = 8

// spreadValues adds every other place where a found value occurs, plain or as written in JSON, a URL or base64: a token is
// often repeated where nothing around it gives it away. Spans are sorted and disjoint, and so is the result. It ends
// early with the search, which then discards its spans.
func spreadValues(text string, spans []span, m *meter) []span {
	values := map[string]*detector{}
	for _, s := range spans {
		if m.tick(formsTicks) {
			return spans
		}
		if v := text[s.start:s.end]; maySpread(v) {
			for _, form := range encodedForms(v) {
				if values[form] == nil {
					values[form] = s.by
				}
			}
		}
	}
	if len(values) == 0 {
		return spans
	}
	return mergeSpans(append(slices.Clip(spans), newFinder(values, m).occurrences(text, m)...))
}

// maySpread reports whether a found value may be looked for elsewhere. A word that serves as a password ("postgres") must
// not remove the same word from names and paths.
func maySpread(v string) bool {
	if len(v) < minSpread {
		return false
	}
	for i := range len(v) {
		if alphabetOf[v[i]]&(lower|upper) == 0 && strings.IndexByte("_-. ", v[i]) < 0 {
			return true
		}
	}
	bits, _, _ := measureRandomness(v)
	return bits >= wordlikeBits
}

// wordlikeBits is the evidence of randomness below which letters count as words.
const wordlikeBits = 14

// encodedForms returns the value and its spellings in other notations.
func encodedForms(v string) []string {
	list := []string{v}
	add := func(s string) {
		if len(s) >= minSpread && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	for _, html := range []bool{true, false} {
		add(jsonForm(v, html))
	}
	add(url.QueryEscape(v))
	add(url.PathEscape(v))
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		add(enc.EncodeToString([]byte(v)))
	}
	return list
}

// jsonForm returns the inside of v as a JSON string; html selects the encoder's escaping of "&", "<" and ">".
func jsonForm(v string, html bool) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	if enc.Encode(v) != nil {
		return ""
	}
	return strings.TrimSuffix(b.String()[1:], "\"\n")
}

// finder finds all occurrences of many values in one pass over a text.
type finder struct {
	maybe  [1 << 10]uint64 // a bit per hash of eight bytes: set if any value may begin with these bytes
	byHead map[uint64]headed
	values map[string]*detector
}

// headed are the values that begin with the same eight bytes, sorted. The tokens of a service share a longer prefix, so
// one text may have thousands of them.
type headed struct {
	values []string
	inside []int // index of the longest other value that each begins with; -1 if none
}

func newFinder(values map[string]*detector, m *meter) *finder {
	f := &finder{byHead: map[uint64]headed{}, values: values}
	for v := range values {
		if m.tick(placeTicks) {
			return f
		}
		head := binary.LittleEndian.Uint64([]byte(v))
		h := f.byHead[head]
		h.values = append(h.values, v)
		f.byHead[head] = h
		bit := headBit(head)
		f.maybe[bit>>6] |= 1 << (bit & 63)
	}
	for head, h := range f.byHead {
		if m.tick(placeTicks * len(h.values)) {
			return f
		}
		slices.Sort(h.values)
		h.inside = make([]int, len(h.values))
		for i, v := range h.values {
			outer := i - 1
			for outer >= 0 && !strings.HasPrefix(v, h.values[outer]) {
				outer = h.inside[outer]
			}
			h.inside[i] = outer
		}
		f.byHead[head] = h
	}
	return f
}

// occurrences returns the places of all values; of those that begin at the same place, the longest.
func (f *finder) occurrences(text string, m *meter) (found []span) {
	var head uint64
	for i := range len(text) {
		if i%tickEvery == 0 && i > 0 && m.tick(tickEvery) {
			return nil
		}
		head = head>>8 | uint64(text[i])<<56
		if bit := headBit(head); i < 7 || f.maybe[bit>>6]>>(bit&63)&1 == 0 {
			continue
		}
		at := i - 7
		if m.tick(placeTicks) {
			return nil
		}
		if v := f.byHead[head].longest(text[at:]); v != "" {
			found = append(found, span{at, at + len(v), f.values[v]})
		}
	}
	return found
}

// longest returns the longest value that text begins with, or "".
func (h headed) longest(text string) string {
	i := sort.SearchStrings(h.values, text)
	if i == len(h.values) || h.values[i] != text {
		i-- // the last one that sorts before text: it shares the longest prefix with text
	}
	for ; i >= 0; i = h.inside[i] {
		if strings.HasPrefix(text, h.values[i]) {
			return h.values[i]
		}
	}
	return ""
}

func headBit(head uint64) uint64 { return head * 0x9E3779B97F4A7C15 >> 48 }
