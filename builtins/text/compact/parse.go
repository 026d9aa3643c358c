package compact

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// value is a JSON value as it was written.
type value struct {
	kind rawjson.Kind
	text string   // of a scalar: the content of a string unescaped, a number as written
	keys []string // of an object, parallel to kids
	kids []value
	cut  bool // the text ended inside the value
}

// Limits on parsing: a value with millions of members is read up to these.
const (
	maxValues = 400_000
	maxDepth  = 200
	maxNested = 4  // depth of JSON inside strings
	maxAhead  = 16 // preallocated members
)

// reader reads JSON leniently: several values in a row, or truncated text, are read as far as possible. Line numbers
// that a tool added are ignored.
type reader struct {
	s    string
	i    int
	left int // values that may still be read
	size int // of the last object read: records are mostly alike
	bad  bool
}

// parseJSON reads a text as one value; values in a row become a list. rest is the text after them, such as the error of
// the program that wrote them. v is nil if the text is not JSON.
func parseJSON(text string) (v *value, rest string) {
	return parseNested(text, 0)
}

func parseNested(text string, nested int) (v *value, rest string) {
	text = unnumber(strings.TrimSpace(text))
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil, ""
	}
	r := &reader{s: text, left: maxValues}
	var all []value
	for {
		r.space()
		if r.i < len(r.s) && r.s[r.i] == ',' && len(all) > 0 {
			r.i++
			continue
		}
		if r.i >= len(r.s) || r.bad || r.left <= 0 {
			break
		}
		if c := r.s[r.i]; c != '{' && c != '[' {
			r.bad, rest = true, r.s[r.i:]
			break
		}
		all = append(all, r.value(0))
	}
	switch {
	case len(all) == 0 || r.bad && r.i < len(r.s)*9/10:
		return nil, ""
	case len(all) == 1:
		v = &all[0]
	default:
		v = &value{kind: rawjson.Array, kids: all}
	}
	unfoldNested(v, nested)
	return v, rest
}

// unnumber removes the line numbers of a text if all lines have one.
func unnumber(text string) string {
	if text == "" || !isDigit(text[0]) {
		return text
	}
	if !countsLines(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		_, rest := cutLineNumber(line)
		b.WriteString(rest)
	}
	return strings.TrimSpace(b.String())
}

// countsLines reports whether the numbers before the first lines mostly go up by one, so that they are not a column.
func countsLines(text string) bool {
	last, n, up := -2, 0, 0
	for line := range strings.SplitSeq(cut(text, looked), "\n") {
		number, _ := cutLineNumber(line)
		if number == "" {
			return n > 1 && up*2 >= n-1
		}
		k := lineNumber(number)
		if k == last+1 {
			up++
		}
		if last = k; n == 20 {
			break
		}
		n++
	}
	return n == 1 || up*2 >= n-1
}

// unfoldNested replaces strings that contain JSON by the values in them.
func unfoldNested(v *value, nested int) {
	if v.kind == rawjson.String && nested < maxNested && len(v.text) > 120 {
		if c := v.text[0]; c == '{' || c == '[' {
			if in, rest := parseNested(v.text, nested+1); in != nil && rest == "" {
				*v = *in
				return
			}
		}
	}
	for i := range v.kids {
		unfoldNested(&v.kids[i], nested)
	}
}

func (r *reader) space() {
	for r.i < len(r.s) && (r.s[r.i] == ' ' || r.s[r.i] == '\n' || r.s[r.i] == '\t' || r.s[r.i] == '\r') {
		r.i++
	}
}

func (r *reader) value(depth int) value {
	r.left--
	if r.i >= len(r.s) || depth > maxDepth || r.left <= 0 {
		r.bad = r.i < len(r.s)
		return value{cut: true}
	}
	switch r.s[r.i] {
	case '{':
		return r.object(depth)
	case '[':
		return r.array(depth)
	case '"':
		return r.str()
	}
	start := r.i
	for r.i < len(r.s) && strings.IndexByte(",]} \n\t\r:", r.s[r.i]) < 0 {
		r.i++
	}
	word := r.s[start:r.i]
	switch {
	case word == "null":
		return value{kind: rawjson.Null}
	case word == "true" || word == "false":
		return value{kind: rawjson.Bool, text: word}
	case word != "" && (word[0] == '-' || isDigit(word[0])):
		return value{kind: rawjson.Number, text: word}
	}
	r.bad = r.i < len(r.s)
	return value{cut: true}
}

func (r *reader) str() value {
	start := r.i + 1
	escaped := false
	for r.i = start; r.i < len(r.s); r.i++ {
		switch r.s[r.i] {
		case '\\':
			escaped = true
			r.i++
		case '"':
			in := r.s[start:r.i]
			r.i++
			if escaped {
				if t, err := rawjson.Text([]byte(r.s[start-1 : r.i])); err == nil {
					in = t
				}
			}
			return value{kind: rawjson.String, text: in}
		}
	}
	r.i = len(r.s)
	return value{kind: rawjson.String, text: r.s[min(start, len(r.s)):], cut: true}
}

func (r *reader) object(depth int) value {
	v := value{kind: rawjson.Object}
	size := r.size
	r.i++
	for {
		r.space()
		if r.i >= len(r.s) || r.bad {
			v.cut = true
			return v
		}
		switch r.s[r.i] {
		case '}':
			r.i++
			r.size = len(v.kids)
			return v
		case ',':
			r.i++
			continue
		case '"':
		default:
			r.bad = true
			return v
		}
		key := r.str()
		r.space()
		if key.cut || r.i >= len(r.s) {
			v.cut = true
			return v
		}
		if r.s[r.i] != ':' {
			r.bad = true
			return v
		}
		r.i++
		r.space()
		item := r.value(depth + 1)
		if item.kind == rawjson.Invalid {
			v.cut = true
			return v
		}
		if v.kids == nil {
			n := min(max(size, 1), maxAhead)
			v.keys, v.kids = make([]string, 0, n), make([]value, 0, n)
		}
		v.keys, v.kids = append(v.keys, key.text), append(v.kids, item)
	}
}

func (r *reader) array(depth int) value {
	v := value{kind: rawjson.Array}
	r.i++
	for {
		r.space()
		if r.i >= len(r.s) || r.bad {
			v.cut = true
			return v
		}
		switch r.s[r.i] {
		case ']':
			r.i++
			return v
		case ',':
			r.i++
			continue
		}
		item := r.value(depth + 1)
		if item.kind == rawjson.Invalid || item.cut && item.kind == rawjson.String && item.text == "" {
			v.cut = true
			return v
		}
		v.kids = append(v.kids, item)
	}
}
