package within

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// RangeForms describes the ways to write a range.
const RangeForms = `"120-180" or "lines 120-180", "items 0-9" of an array, "last 50"`

// span is a range as it was written.
type span struct {
	unit     string // "lines", "items" or "" for whatever the source has
	from, to int    // to is open for the end
	last     bool   // from counts from the end
}

const open = -1

// maxDigits keeps numbers within the range of an int.
const maxDigits = 9

var (
	itemWord  = regexp.MustCompile(`\b(?:items?|records?|entry|entries|elements?|index|indexes|indices)\b`)
	lineWord  = regexp.MustCompile(`\b(?:lines?|rows?|ln)\b|\bl\s*\d`)
	noise     = regexp.MustCompile(`\b(?:items?|records?|entry|entries|elements?|index|indexes|indices|lines?|rows?|ln|from|the|range|numbers?)\b|["'` + "`" + `=#()]`)
	lineMark  = regexp.MustCompile(`\bl\s*(\d)`)
	sliceForm = regexp.MustCompile(`^\[\s*(\d*)\s*(:?)\s*(\d*)\s*\]$`)
	endForm   = regexp.MustCompile(`^(last|tail|first|head|-)\s*(\d+)$`)
	spanForm  = regexp.MustCompile(`^(\d+)\s*(-|–|—|:|,|\.\.\.?|to|until|through)?\s*(\d+|end|last|\$)?$`)
)

// parseRange parses a range in the forms that small models write.
func parseRange(text string) (s span, ok bool) {
	if len(text) > 200 {
		return s, false
	}
	text = strings.ToLower(text)
	switch {
	case itemWord.MatchString(text):
		s.unit = "items"
	case lineWord.MatchString(text):
		s.unit = "lines"
	}
	text = strings.TrimSpace(lineMark.ReplaceAllString(noise.ReplaceAllString(text, " "), "$1"))
	text = strings.TrimSpace(strings.TrimPrefix(text, ":"))
	if m := sliceForm.FindStringSubmatch(text); m != nil && m[1]+m[3] != "" {
		return slice(m[1], m[2], m[3])
	}
	text = strings.TrimSpace(strings.Trim(text, "[]{}"))
	if m := endForm.FindStringSubmatch(text); m != nil {
		n := parseNumber(m[2])
		if m[1] == "first" || m[1] == "head" {
			return span{s.unit, open, n, false}, n > 0
		}
		return span{s.unit, n, open, true}, n > 0
	}
	m := spanForm.FindStringSubmatch(text)
	switch {
	case m == nil || m[2] == "" && m[3] != "" && strings.TrimLeft(m[3], "0123456789") == "":
		return s, false
	case m[2] == "" && m[3] == "":
		s.from, s.to = parseNumber(m[1]), parseNumber(m[1])
	case m[3] == "" || m[3][0] > '9' || m[3][0] == '$':
		s.from, s.to = parseNumber(m[1]), open
	default:
		s.from, s.to = parseNumber(m[1]), parseNumber(m[3])
		s.from, s.to = min(s.from, s.to), max(s.from, s.to)
	}
	return s, true
}

// slice returns a range in brackets, as in paths: the end is exclusive.
func slice(from, colon, to string) (s span, ok bool) {
	s = span{unit: "items", from: parseNumber(from), to: parseNumber(to) - 1}
	switch {
	case colon == "" && to != "":
		return s, false
	case colon == "":
		s.to = s.from
	case to == "":
		s.to = open
	default:
		return s, s.to >= s.from
	}
	return s, true
}

// parseNumber parses digits, limited to what an int holds on any machine.
func parseNumber(digits string) int {
	if len(digits) > maxDigits {
		digits = strings.Repeat("9", maxDigits)
	}
	n, _ := strconv.Atoi(digits)
	return n
}

// Range returns the lines or items of a range, as many as fit.
func (s *Source) Range(text string, fits func(string) bool) (Part, error) {
	r, ok := parseRange(text)
	if !ok {
		return Part{}, fmt.Errorf("range %q cannot be read; write %s", brief(text), RangeForms)
	}
	if r.unit != "lines" {
		if items, path := s.itemList(); path != "" {
			return s.itemRange(items, path, r, fits), nil
		}
		if r.unit == "items" {
			return Part{Text: "There is no array whose items could be counted. " + s.Describe()}, nil
		}
	}
	return s.lineRange(r, fits), nil
}

// bounds returns a range as numbers from first to last, both inclusive.
func (r span) bounds(first, last int) (from, to int) {
	from, to = r.from, r.to
	if r.last {
		from, to = last-r.from+1, last
	} else if r.from == open {
		from, to = first, first+r.to-1
	}
	if to == open || to > last {
		to = last
	}
	return max(from, first), to
}

func (s *Source) lineRange(r span, fits func(string) bool) Part {
	from, to := r.bounds(1, s.lines)
	if from > s.lines {
		return Part{Text: fmt.Sprintf("There is no line %d. %s", from, s.Describe())}
	}
	to = max(to, from)
	rest := s.text
	for range from - 1 {
		rest = rest[strings.IndexByte(rest, '\n')+1:]
	}
	var taken packer
	n := from
	for ; n <= to; n++ {
		end := strings.IndexByte(rest, '\n') + 1
		if end == 0 {
			end = len(rest)
		}
		if !taken.add(rest[:end], fits) {
			break
		}
		rest = rest[end:]
	}
	p := Part{Text: taken.String(), Note: fmt.Sprintf("lines %d-%d of %d", from, n-1, s.lines)}
	if n-1 < s.lines {
		p.Next = fmt.Sprintf("%d-%d", n, min(s.lines, n+max(to-from, n-1-from)))
	}
	return p
}

func (s *Source) itemRange(items []json.RawMessage, path string, r span, fits func(string) bool) Part {
	from, to := r.bounds(0, len(items)-1)
	if from >= len(items) {
		return Part{Text: fmt.Sprintf("There is no item %d: items count from 0. %s", from, s.Describe())}
	}
	to = max(to, from)
	var taken packer
	n := from
	for ; n <= to; n++ {
		if !taken.add(fmt.Sprintf("%s[%d]: %s\n", path, n, items[n]), fits) {
			break
		}
	}
	p := Part{Text: taken.String(), Note: fmt.Sprintf("items %d-%d of %d at %s, counted from 0", from, n-1, len(items), sanitize.Cut(path, maxPath))}
	if n < len(items) {
		p.Next = fmt.Sprintf("items %d-%d", n, min(len(items)-1, n+max(to-from, n-1-from)))
	}
	return p
}

// packer collects texts while they fit; the first is always taken.
type packer struct{ strings.Builder }

func (p *packer) add(text string, fits func(string) bool) bool {
	if !fits(text) && p.Len() > 0 {
		return false
	}
	p.WriteString(text)
	return true
}
