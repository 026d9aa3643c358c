package summaries

import (
	_ "embed"
	"strconv"
	"strings"
	"unicode/utf8"
)

// dullWords say nothing of what they stand beside.
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

// letters tells the two kinds of letters that words are made of; 0 for none.
func letters(r rune) int {
	switch {
	case r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r >= 0xC0 && r <= 0x24F:
		return 1
	case r >= 0x3040 && r <= 0x30FF, r >= 0x4E00 && r <= 0x9FFF:
		return 2
	}
	return 0
}

// words adds the plain words of a text to a set, in small letters: runs of letters
// that are no part of a path, of an address or of a name with digits.
func words(s string, out map[string]bool) {
	before := ' '
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		kind := letters(r)
		if kind == 0 {
			before, i = r, i+size
			continue
		}
		end, n, last := i, 0, r
		for end < len(s) {
			r, size := utf8.DecodeRuneInString(s[end:])
			if letters(r) != kind {
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

// endsWord reports that what follows lets a word end.
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

// keyWords is words, with the parts of a key each for itself.
func keyWords(s string, out map[string]bool) { words(keySplit.Replace(s), out) }

// back is the place n characters before another, or the beginning.
func back(s string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at
}

// ahead is the place n characters behind another, or the end.
func ahead(s string, at, n int) int {
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// unescape undoes the escapes of JSON strings, so that raw JSON and decoded text
// compare alike.
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
