package summaries

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a range of bytes in a text.
type span struct{ from, to int }

// wordByte reports whether c is a letter, digit or underscore of ASCII.
func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// isWord reports whether r may be part of a word in any script.
func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// findPlaces returns the first places, at most the given number, at which an identifier occurs whole
// in a text: where it begins or ends with a letter, digit or underscore, no other one adjoins it.
func findPlaces(x, text string, most int) (out []span) {
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

// occurs reports whether an identifier occurs whole in a text, raw or unescaped.
func occurs(x, text, decoded string) bool {
	return len(findPlaces(x, text, 1)) > 0 || len(findPlaces(x, decoded, 1)) > 0
}

var lineForm = regexp.MustCompile(`^(.+\.[\pL\pN_]+):(\p{Nd}+)$`)

// keptIn reports whether an identifier occurs; path:line may also occur as the path with the
// number later on its line, as in a search that is grouped by file.
func keptIn(x, text, decoded string) bool {
	if occurs(x, text, decoded) {
		return true
	}
	m := lineForm.FindStringSubmatch(x)
	if m == nil {
		return false
	}
	for _, at := range findPlaces(m[1], decoded, len(decoded)) {
		rest, _, _ := strings.Cut(decoded[at.to:], "\n")
		if len(findPlaces(m[2], rest, 1)) > 0 {
			return true
		}
	}
	return false
}

// byParts reports whether x is a path whose segments all occur.
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

// minIdentifier is the least length of an identifier, in characters.
const minIdentifier = 4

// findIdentifiers returns what must occur in the source of a summary: numbers, paths and names
// that are not plain words.
func findIdentifiers(s string) map[string]bool {
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

// isGrounded reports whether an identifier occurs in one of the texts (the source and its
// purpose): as it is or, for a path of names, by its parts. A decimal number must occur
// whole.
func isGrounded(t string, in ...string) bool {
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
