package summaries

import (
	_ "embed"
	"strconv"
	"strings"
	"unicode/utf8"
)

// dullList holds the words that say nothing about what is next to them.
//
//go:embed dull.txt
var dullList string

var dull = func() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(dullList) {
		if !strings.HasPrefix(line, "#") {
			for _, w := range strings.Fields(line) {
				out[w] = true
			}
		}
	}
	return out
}()

// letterKind returns 1 or 2 for the two kinds of letters that words are made of, and 0 for any other character.
func letterKind(r rune) int {
	switch {
	case r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r >= 0xC0 && r <= 0x24F:
		return 1
	case r >= 0x3040 && r <= 0x30FF, r >= 0x4E00 && r <= 0x9FFF:
		return 2
	}
	return 0
}

// addWords adds the plain words of a text to a set, in lower case: runs of letters that are not
// part of a path, of an address or of a name with digits.
func addWords(s string, out map[string]bool) {
	before := ' '
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		kind := letterKind(r)
		if kind == 0 {
			before, i = r, i+size
			continue
		}
		end, n, last := i, 0, r
		for end < len(s) {
			r, size := utf8.DecodeRuneInString(s[end:])
			if letterKind(r) != kind {
				break
			}
			end, n, last = end+size, n+1, r
		}
		if n >= 2 && !isWord(before) && !strings.ContainsRune(`@/.:\-`, before) && endsWord(s[end:]) {
			if w := strings.ToLower(s[i:end]); !dull[w] {
				out[w] = true
			}
		}
		before, i = last, end
	}
}

// endsWord reports whether a word can end before rest.
func endsWord(rest string) bool {
	if rest == "" {
		return true
	}
	r, size := utf8.DecodeRuneInString(rest)
	if isWord(r) || r == '@' || r == '/' || r == '\\' {
		return false
	}
	if r == '.' || r == ':' || r == '-' {
		next, n := utf8.DecodeRuneInString(rest[size:])
		return n == 0 || !isWord(next)
	}
	return true
}

var keySplit = strings.NewReplacer("_", " ", ".", " ", "[", " ", "]", " ")

// keyWords adds the words of a text to a set, with keys split into their parts.
func keyWords(s string, out map[string]bool) { addWords(keySplit.Replace(s), out) }

// stepBack returns the place n characters before at, or the beginning.
func stepBack(s string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at
}

// stepAhead returns the place n characters after at, or the end.
func stepAhead(s string, at, n int) int {
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// unescape decodes the escapes of JSON strings, so that raw JSON and decoded text compare
// alike.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return escapes.ReplaceAllStringFunc(s, func(e string) string {
		switch c := e[1]; c {
		case 'u':
			n, _ := strconv.ParseUint(e[2:], 16, 32)
			return string(rune(n))
		case 'n':
			return "\n"
		case 't':
			return "\t"
		case 'r':
			return "\r"
		case 'b', 'f':
			return " "
		default:
			return string(c)
		}
	})
}
