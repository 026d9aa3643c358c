package summaries

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Windows in characters, and how many places and lines are searched.
const (
	besides   = 160  // on each side of an identifier
	lineInSrc = 400  // of its line in the source
	lineInSum = 600  // of its line in a summary
	maxRecord = 8000 // of its record
	maxSeen   = 8    // places in the source
	maxTold   = 10   // places in the summary
	headLines = 500  // looked back for the head of a table
	deepest   = 500
)

// source is a result, parsed to find what belongs to an identifier.
type source struct {
	text, decoded string
	records       []record
}

// record is an object, or a list of plain values: its own values, and all of its JSON.
type record struct{ own, all string }

func readSource(text string) *source {
	s := &source{text: text, decoded: unescape(text)}
	if raw := []byte(strings.TrimSpace(text)); (rawjson.Of(raw) == rawjson.Object || rawjson.Of(raw) == rawjson.Array) && json.Valid(raw) && !rawjson.Deeper(raw, deepest) {
		s.collectRecords(raw)
	}
	return s
}

// collectRecords collects the records of a value, inner ones first.
func (s *source) collectRecords(raw json.RawMessage) {
	switch rawjson.Of(raw) {
	case rawjson.Object:
		var own []string
		for _, m := range uniqueMembers(raw) {
			switch rawjson.Of(m.Value) {
			case rawjson.Object, rawjson.Array:
				s.collectRecords(m.Value)
				own = append(own, scalarsOf(m.Value)...)
			case rawjson.Null:
			default:
				own = append(own, spellValue(m.Value))
			}
		}
		s.records = append(s.records, record{strings.Join(own, "\n"), string(raw)})
	case rawjson.Array:
		items, _ := rawjson.Items(raw)
		for _, item := range items {
			s.collectRecords(item)
		}
		if own := scalarsOf(raw); len(items) > 0 && len(own) == len(items) {
			s.records = append(s.records, record{strings.Join(own, "\n"), string(raw)})
		}
	}
}

// uniqueMembers returns the members of an object; a repeated name has its last value.
func uniqueMembers(raw json.RawMessage) []rawjson.Member {
	list, _ := rawjson.Members(raw)
	at := map[string]int{}
	out := list[:0]
	for _, m := range list {
		if i, twice := at[m.Name]; twice {
			out[i].Value = m.Value
			continue
		}
		at[m.Name] = len(out)
		out = append(out, m)
	}
	return out
}

// scalarsOf returns the plain values of an array.
func scalarsOf(raw json.RawMessage) (out []string) {
	if rawjson.Of(raw) != rawjson.Array {
		return nil
	}
	items, _ := rawjson.Items(raw)
	for _, item := range items {
		if k := rawjson.Of(item); k != rawjson.Object && k != rawjson.Array {
			out = append(out, spellValue(item))
		}
	}
	return out
}

// spellValue spells a plain value as the measure does: like Python's str.
func spellValue(raw json.RawMessage) string {
	switch rawjson.Of(raw) {
	case rawjson.String:
		text, _ := rawjson.Text(raw)
		return text
	case rawjson.Number:
		return spellNumber(string(raw))
	case rawjson.Null:
		return "None"
	}
	if string(raw) == "true" {
		return "True"
	}
	return "False"
}

// spellNumber spells a decimal number as the shortest that reads the same; a whole one is left
// unchanged.
func spellNumber(s string) string {
	if !strings.ContainsAny(s, ".eE") {
		return s
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	out := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(out, ".") {
		out += ".0"
	}
	return out
}

// dumpValue writes a value as the measure spells it: with a space after commas and colons. It stops
// once more than the maxRecord characters that count are surely written.
func dumpValue(b *strings.Builder, raw json.RawMessage) {
	if b.Len() > maxRecord*utf8.UTFMax {
		return
	}
	switch rawjson.Of(raw) {
	case rawjson.Object:
		b.WriteByte('{')
		for i, m := range uniqueMembers(raw) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.Write(rawjson.Quote(m.Name))
			b.WriteString(": ")
			dumpValue(b, m.Value)
		}
		b.WriteByte('}')
	case rawjson.Array:
		items, _ := rawjson.Items(raw)
		b.WriteByte('[')
		for i, item := range items {
			if i > 0 {
				b.WriteString(", ")
			}
			dumpValue(b, item)
		}
		b.WriteByte(']')
	case rawjson.String:
		text, _ := rawjson.Text(raw)
		b.Write(rawjson.Quote(text))
	case rawjson.Number:
		b.WriteString(spellNumber(string(raw)))
	default:
		b.Write(raw)
	}
}

// nearWords returns the plain words that belong to an identifier in the source: next to it, on its
// line, and in its record.
func (s *source) nearWords(x string) map[string]bool {
	out := map[string]bool{}
	texts := []string{s.decoded}
	if s.text != s.decoded {
		texts = append(texts, s.text)
	}
	seen := 0
	for _, t := range texts {
		for _, at := range findPlaces(x, t, max(1, maxSeen-seen)) {
			from, to := lineAround(t, at)
			keyWords(t[stepBack(t, at.from, besides):at.from]+" "+t[at.to:stepAhead(t, at.to, besides)]+" "+
				t[max(from, stepBack(t, at.from, lineInSrc)):at.from]+" "+t[at.to:min(to, stepAhead(t, at.to, lineInSrc))], out)
			seen++
		}
	}
	seen = 0
	for _, r := range s.records {
		if len(findPlaces(x, r.own, 1)) == 0 {
			continue
		}
		var b strings.Builder
		dumpValue(&b, json.RawMessage(r.all))
		all := b.String()
		keyWords(all[:stepAhead(all, 0, maxRecord)], out)
		if seen++; seen >= maxSeen {
			break
		}
	}
	own := map[string]bool{}
	addWords(x, own)
	for w := range own {
		delete(out, w)
	}
	return out
}

// lineAround returns the range of the line at a place.
func lineAround(t string, at span) (from, to int) {
	from = strings.LastIndexByte(t[:at.from], '\n') + 1
	if to = strings.IndexByte(t[at.to:], '\n'); to < 0 {
		return from, len(t)
	}
	return from, at.to + to
}
