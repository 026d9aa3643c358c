package reply

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

func (f *fitter) fitNumber(n node, s *schema.Schema, p *at) (any, *Mismatch) {
	v, exact, ok := parseNumeric(n)
	whole := s.Type == schema.Integer
	if !ok || whole && (v != math.Trunc(v) || math.Abs(v) > 1<<53) || belowMin(v, s) || aboveMax(v, s) {
		return nil, &Mismatch{Field: p.String(), Want: describeWanted(s), Got: quote(n)}
	}
	if whole {
		f.changed = f.changed || !exact || strings.ContainsAny(n.text, ".eE")
		return int(v), nil
	}
	f.changed = f.changed || !exact
	return v, nil
}

func belowMin(v float64, s *schema.Schema) bool { return s.Min != nil && v < *s.Min }
func aboveMax(v float64, s *schema.Schema) bool { return s.Max != nil && v > *s.Max }

// parseNumeric parses a number, or a text that denotes one: "1", "#1", "[1]", "id 1", "1. pool.go".
func parseNumeric(n node) (v float64, exact, ok bool) {
	switch n.kind {
	case number:
		v, err := strconv.ParseFloat(n.text, 64)
		return v, true, err == nil
	case text:
		s := strings.TrimSpace(n.text)
		if strictNumber(s) {
			v, err := strconv.ParseFloat(s, 64)
			return v, false, err == nil
		}
		if num, _, ok := leadingID(s); ok {
			v, err := strconv.ParseFloat(num, 64)
			return v, false, err == nil
		}
	}
	return 0, false, false
}

// idText matches an id and the text after it: brackets or a word such as id may precede
// the id, and only a separator may come between it and more text.
var idText = lazyregexp.New(`(?is)^[\s\[(<{"'` + "`" + `*#-]*(?:(?:id|no|nr|number|item|candidate|option|index|ref|reference)\b[\s.:=#"'\[(]*)?(\d{1,9})(?:\.0+)?[\])>}"'` + "`" + `*]*(?:\s*$|\s*[.:)\]](?:\s+(.*))?$|\s+[-–—]+\s+(.*)$)`)

func leadingID(s string) (num, rest string, ok bool) {
	m := idText.FindStringSubmatch(s)
	if m == nil {
		return "", "", false
	}
	return m[1], strings.TrimSpace(m[2] + m[3]), true
}

func (f *fitter) fitBoolean(n node, s *schema.Schema, p *at) (any, *Mismatch) {
	if n.kind == boolean {
		return n.yes, nil
	}
	if n.kind == number || n.kind == text {
		switch fold(strings.Trim(n.text, " .!")) {
		case "true", "yes", "y", "1", "1.0":
			f.changed = true
			return true, nil
		case "false", "no", "n", "0", "0.0":
			f.changed = true
			return false, nil
		}
	}
	return nil, &Mismatch{Field: p.String(), Want: describeWanted(s), Got: quote(n)}
}

func (f *fitter) fitText(n node, s *schema.Schema, p *at) (any, *Mismatch) {
	v, ok := f.nodeText(n)
	if !ok {
		return nil, &Mismatch{Field: p.String(), Want: describeWanted(s), Got: quote(n)}
	}
	if s.MaxLen != nil && utf8.RuneCountInString(v) > *s.MaxLen {
		f.changed = true
		v = shorten(v, *s.MaxLen)
	}
	if s.MinLen != nil && utf8.RuneCountInString(v) < *s.MinLen {
		return nil, &Mismatch{Field: p.String(), Want: "at least " + strconv.Itoa(*s.MinLen) + " characters", Got: quote(n)}
	}
	if s.Pattern != "" {
		if re, err := regexp.Compile(s.Pattern); err == nil && !re.MatchString(v) {
			return nil, &Mismatch{Field: p.String(), Want: "text like " + s.Pattern, Got: quote(n)}
		}
	}
	return v, nil
}

// nodeText returns the text of a node: numbers and booleans as written, the texts of a list
// joined, the only text of an object.
func (f *fitter) nodeText(n node) (string, bool) {
	if n.kind == text {
		return n.text, true
	}
	f.changed = true
	switch n.kind {
	case number:
		return n.text, true
	case boolean:
		return strconv.FormatBool(n.yes), true
	case object:
		if len(n.items) == 1 && n.items[0].kind == text && !n.items[0].half {
			return n.items[0].text, true
		}
	case list:
		var parts []string
		for _, item := range n.items {
			if item.kind != text {
				return "", false
			}
			if !item.half {
				parts = append(parts, item.text)
			}
		}
		return strings.Join(parts, "; "), len(parts) > 0
	}
	return "", false
}

// shorten cuts s to at most max characters.
func shorten(s string, max int) string {
	end, n := 0, 0
	for end = range s {
		if n == max {
			break
		}
		n++
	}
	if out := contract.Shorten(s, end); out != "" {
		return out
	}
	return s[:end]
}

// fitChoice finds a value among the allowed ones.
func (f *fitter) fitChoice(v any, n node, s *schema.Schema, p *at) (any, *Mismatch) {
	for _, e := range s.Enum {
		if allowed := nodeOf(e, 0).toValue(); same(v, allowed) {
			return v, nil
		}
	}
	if t, ok := v.(string); ok {
		folded := fold(strings.Trim(t, " \t\r\n.!,;()[]<>"))
		for _, e := range s.Enum {
			if a, ok := e.(string); ok && folded != "" && fold(a) == folded {
				f.changed = true
				return a, nil
			}
		}
	}
	return nil, &Mismatch{Field: p.String(), Want: describeWanted(s), Got: quote(n)}
}

func same(a, b any) bool {
	if x, ok := asFloat(a); ok {
		y, ok := asFloat(b)
		return ok && x == y
	}
	switch a.(type) {
	case string, bool, nil:
		return a == b
	}
	return false
}

func asFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
