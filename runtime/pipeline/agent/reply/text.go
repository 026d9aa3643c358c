package reply

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mode is the context of a string or word, which determines what may follow it.
type mode uint8

const (
	inKey mode = iota
	inObject
	inList
	inCall
)

// look is the number of bytes examined beyond a quote to decide whether it ends a string.
// It limits the work; real keys are far shorter.
const look = 96

// quoteAt returns the quote character at i, or 0. For typographic quotes it returns the closing one.
func quoteAt(s string, i int) rune {
	switch c := s[i]; c {
	case '"', '\'', '`':
		return rune(c)
	case 0xE2:
		switch r, _ := utf8.DecodeRuneInString(s[i:]); r {
		case '“', '”', '„':
			return '”'
		case '‘', '’', '‚':
			return '’'
		}
	}
	return 0
}

// readString reads a string with its quotes. The second result reports whether the text ended inside it.
func (r *reader) readString(q rune, m mode) (string, bool) {
	if strings.HasPrefix(r.s[r.i:], `"""`) {
		return r.readTriple()
	}
	r.mended = r.mended || q != '"'
	_, size := utf8.DecodeRuneInString(r.s[r.i:])
	r.i += size
	var out []byte
	inner, mark := -1, 0 // last quote that did not close the string: its position in the text and in out
	for r.i < len(r.s) {
		c := r.s[r.i]
		switch {
		case c == '\\':
			out = r.readEscape(out)
			continue
		case c == byte(q) && q < utf8.RuneSelf, c == '"' && q == '”', c == '\'' && q == '’', c == 0xE2 && q >= utf8.RuneSelf && strings.HasPrefix(r.s[r.i:], string(q)):
			size := 1
			if c == 0xE2 {
				size = utf8.RuneLen(q)
			}
			if m == inKey || r.closesString(r.i+size, m) {
				r.i += size
				return string(out), false
			}
			r.mended = true
			if m == inObject && inner >= 0 && r.i-inner <= look && r.colonAt(r.i+size) && r.afterSeparator(inner) {
				r.i = inner // the closing quote was missing; this is the next key
				return strings.TrimRight(string(out[:mark]), " \t\r\n,"), false
			}
			inner, mark = r.i, len(out)
			out = append(out, r.s[r.i:r.i+size]...)
			r.i += size
			continue
		case c < ' ':
			r.mended = true
		}
		out = append(out, c)
		r.i++
	}
	return r.unclosedString(string(out))
}

// unclosedString returns a string in which the text ended. If brackets or a fence end the text,
// only the quote is missing.
func (r *reader) unclosedString(s string) (string, bool) {
	r.mended, r.cut = true, true
	fenced := false
	if i := strings.Index(s, "\n```"); i >= 0 {
		s, fenced = s[:i], true
	}
	s = strings.TrimRight(s, " \t\r\n")
	bare := strings.TrimRight(s, "}] \t\r\n")
	if bare == s {
		return s, !fenced
	}
	return strings.TrimRight(bare, "\"'”’"), false
}

func (r *reader) readTriple() (string, bool) {
	r.skipInvalid(3)
	end := strings.Index(r.s[r.i:], `"""`)
	if end < 0 {
		s := r.s[r.i:]
		r.i = len(r.s)
		return r.unclosedString(s)
	}
	s := r.s[r.i : r.i+end]
	r.i += end + 3
	return strings.TrimSpace(s), false
}

// readEscape reads one escape sequence. One unknown to JSON is kept literally, as in the path C:\pool.
func (r *reader) readEscape(out []byte) []byte {
	if r.i+1 >= len(r.s) {
		r.skipInvalid(1)
		return out
	}
	c := r.s[r.i+1]
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		r.i += 2
		return append(out, "\"\\/\b\f\n\r\t"[i])
	}
	if c == 'u' {
		if v, ok := hex4(r.s, r.i+2); ok {
			r.i += 6
			if low, ok := hex4(r.s, r.i+2); utf16.IsSurrogate(v) && ok && strings.HasPrefix(r.s[r.i:], `\u`) {
				if full := utf16.DecodeRune(v, low); full != utf8.RuneError {
					r.i += 6
					v = full
				}
			}
			return utf8.AppendRune(out, v)
		}
	}
	r.skipInvalid(1)
	if c == '\'' || c == '`' || c == '\n' {
		r.i++
		return append(out, c)
	}
	return append(out, '\\')
}

func hex4(s string, i int) (rune, bool) {
	if i+4 > len(s) {
		return 0, false
	}
	var v rune
	for _, c := range []byte(s[i : i+4]) {
		d := strings.IndexByte("0123456789abcdef", c|0x20)
		if d < 0 || c < '0' {
			return 0, false
		}
		v = v<<4 | rune(d)
	}
	return v, true
}
