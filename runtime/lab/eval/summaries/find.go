package summaries

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is where something stands, in bytes.
type span struct{ from, to int }

// wordByte reports a letter, digit or underscore of ASCII.
func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// isWord reports what may be part of a word in any script.
func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// places are the first places of an identifier in a text where it is whole: no
// letter, digit or underscore goes on where it begins or ends with one.
func places(x, text string, most int) (out []span) {
	first, _ := utf8.DecodeRuneInString(x)
	last, _ := utf8.DecodeLastRuneInString(x)
	open, shut := isWord(first), isWord(last)
	for at := 0; len(out) < most; {
		i := strings.Index(text[at:], x)
		if i < 0 {
			break
		}
		from := at + i
		to := from + len(x)
		if open && from > 0 && wordByte(text[from-1]) || shut && to < len(text) && wordByte(text[to]) {
			at = from + 1
			continue
		}
		out, at = append(out, span{from, to}), to
	}
	return out
}

// occurs reports that an identifier stands whole in a text, raw or with its
// escapes undone.
func occurs(x, text, decoded string) bool {
	return len(places(x, text, 1)) > 0 || len(places(x, decoded, 1)) > 0
}

var lineForm = regexp.MustCompile(`^(.+\.[\pL\pN_]+):(\p{Nd}+)$`)

// keptIn is occurs, and of path:line also the path with the number later on its
// line, as in a search that is grouped by file.
func keptIn(x, text, decoded string) bool {
	if occurs(x, text, decoded) {
		return true
	}
	m := lineForm.FindStringSubmatch(x)
	if m == nil {
		return false
	}
	for _, at := range places(m[1], decoded, len(decoded)) {
		rest, _, _ := strings.Cut(decoded[at.to:], "\n")
		if len(places(m[2], rest, 1)) > 0 {
			return true
		}
	}
	return false
}

// byParts reports a path whose segments are all there.
func byParts(x, text, decoded string) bool {
	n := 0
	for _, p := range strings.FieldsFunc(x, func(r rune) bool { return r == '/' || r == '\\' }) {
		if utf8.RuneCountInString(p) < 2 {
			continue
		}
		if n++; !occurs(p, text, decoded) {
			return false
		}
	}
	return n > 1
}

var (
	identForm = regexp.MustCompile(`[A-Za-z0-9_\x{C0}-\x{24F}](?:[A-Za-z0-9_@./+%~\x{C0}-\x{24F}-]*[A-Za-z0-9_\x{C0}-\x{24F}])?`)
	telling   = regexp.MustCompile(`[\d_@]|/.*/|[a-z]\.[a-z]`)
)

// minIdentifier is how long an identifier is, in characters.
const minIdentifier = 4

// identifiers are what of a summary must stand in its source: numbers, paths and
// names that are no plain words.
func identifiers(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range identForm.FindAllString(s, -1) {
		if utf8.RuneCountInString(t) >= minIdentifier && telling.MatchString(t) {
			out[t] = true
		}
	}
	return out
}

var (
	anySplit   = regexp.MustCompile(`[/@+.]`)
	pathSplit  = regexp.MustCompile(`[/@+]`)
	nameBegins = regexp.MustCompile(`^[A-Za-z_+-]`)
)

// stands reports that an identifier is one of the source or of what it was read
// for: as it is, or, for a path of names, by its parts. A decimal number is whole
// or not there.
func stands(t string, in ...string) bool {
	has := func(s string) bool {
		for _, text := range in {
			if strings.Contains(text, s) {
				return true
			}
		}
		return false
	}
	if has(t) {
		return true
	}
	split := anySplit
	for p := range strings.SplitSeq(t, ".") {
		if !nameBegins.MatchString(p) {
			split = pathSplit
		}
	}
	n := 0
	for _, p := range split.Split(t, -1) {
		if p == "" {
			continue
		}
		if n++; !has(p) {
			return false
		}
	}
	return n > 1
}

var escapes = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])`)
