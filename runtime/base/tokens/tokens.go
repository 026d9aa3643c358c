// Package tokens counts tokens: exactly for replies, and never too few for the input of
// a model whose own tokenizer is not at hand.
package tokens

import (
	"unicode"
	"unicode/utf8"
)

// Fits reports whether s has at most max tokens. For most replies the estimate alone
// decides, and it never counts further than max.
func Fits(s string, max int) bool {
	if Estimate(s) <= max {
		return true
	}
	size, _ := Head(s, max)
	return size == len(s)
}

// Estimate returns an upper bound for text, measured against o200k on source code, JSON
// and prose (see the test): runs of letters cost a token for every three bytes, and
// more where they change case or are not English words; digits count in threes,
// punctuation singly, anything outside ASCII a token for each byte but one.
func Estimate(s string) int {
	n := 0
	for i := 0; i < len(s); {
		size, cost := measureRun(s[i:])
		n += cost
		i += size
	}
	return n
}

// measureRun measures the class run at the start of s.
func measureRun(s string) (size, cost int) {
	c := s[0]
	switch {
	case c >= utf8.RuneSelf:
		return measureWide(s)
	case isLower(c) || isUpper(c):
		return measureWord(s)
	case c >= '0' && c <= '9':
		size = spanLen(s, func(c byte) bool { return c >= '0' && c <= '9' })
		return size, (size + 2) / 3
	case c == ' ':
		size = spanLen(s, func(c byte) bool { return c == ' ' })
		if size == 1 && len(s) > 1 && (isLower(s[1]) || isUpper(s[1])) {
			return 1, 0 // a single space joins the word after it
		}
		return size, (size + 7) / 8
	case c == '\n' || c == '\t' || c == '\r':
		size = spanLen(s, func(b byte) bool { return b == c })
		return size, (size + 3) / 4
	}
	return 1, 1
}

// measureWord costs one token for each case hump and every four bytes within it.
func measureWord(s string) (size, cost int) {
	start := 0
	for i := 0; i < len(s) && (isLower(s[i]) || isUpper(s[i])); i++ {
		if i > start && isUpper(s[i]) && !isUpper(s[i-1]) {
			cost += humpCost(i - start)
			start = i
		}
		size = i + 1
	}
	return size, cost + humpCost(size-start)
}

func humpCost(n int) int {
	switch {
	case n <= 4:
		return 1
	case n <= 7:
		return 2
	}
	return (n + 2) / 3
}

func measureWide(s string) (size, cost int) {
	r, size := utf8.DecodeRuneInString(s)
	if unicode.IsLetter(r) && size == 2 {
		return size, 1
	}
	return size, max(size-1, 1)
}

func spanLen(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
