package tokens

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// splitPiece returns the length of the first piece of s, which is not empty. Tokens do not
// cross the bounds of pieces. It implements by hand the vocabulary's regular
// expression, the first of these that matches:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func splitPiece(s string) int {
	k, size := kindAt(s)
	begin := 0
	if k&(capital|small|either|digit) == 0 && s[0] != '\r' && s[0] != '\n' || k == mark {
		begin = size
	}
	for _, word := range []func(string) int{lowerWord, upperWord} {
		if n := word(s[begin:]); n > 0 {
			return begin + n + contractionLen(s[begin+n:])
		}
		if n := word(s); begin > 0 && n > 0 {
			return n + contractionLen(s[n:])
		}
	}
	switch {
	case k == digit:
		return digitsLen(s)
	case k == space:
		return blankLen(s)
	}
	return signsEnd(s, 0)
}

// kind is the class of a character, as far as the pieces need it.
type kind uint8

const (
	capital kind = 1 << iota // Lu, Lt
	small                    // Ll
	either                   // Lm, Lo: counts as a capital or a small letter
	mark                     // M: likewise, but not a letter
	digit                    // N
	space
	sign // anything else
)

var asciiKinds = func() (t [utf8.RuneSelf]kind) {
	for c := range t {
		t[c] = classOf(rune(c))
	}
	return t
}()

// kinds caches the kinds of all characters, in blocks that are computed on first use:
// package unicode searches its tables for each class separately.
var kinds [unicode.MaxRune>>8 + 1]atomic.Pointer[[256]kind]

func kindOf(r rune) kind {
	at := &kinds[r>>8]
	block := at.Load()
	if block == nil {
		block = new([256]kind)
		for i := range block {
			block[i] = classOf(r&^0xFF | rune(i))
		}
		at.Store(block)
	}
	return block[r&0xFF]
}

func kindAt(s string) (kind, int) {
	if c := s[0]; c < utf8.RuneSelf {
		return asciiKinds[c], 1
	}
	r, size := utf8.DecodeRuneInString(s)
	return kindOf(r), size
}

func classOf(r rune) kind {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.Is(unicode.Ll, r):
		return small
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return capital
	case unicode.IsLetter(r):
		return either
	case unicode.IsMark(r):
		return mark
	case unicode.IsNumber(r):
		return digit
	}
	return sign
}

// runOf returns the length of the characters at the start of s that are of one of the
// kinds, and the offset of the last of them that is of one of the kinds in last, or -1.
func runOf(s string, kinds, last kind) (n, at int) {
	at = -1
	for n < len(s) {
		k, size := kindAt(s[n:])
		if k&kinds == 0 {
			break
		}
		if k&last != 0 {
			at = n
		}
		n += size
	}
	return n, at
}

// lowerWord returns the length of capitals followed by at least one small letter. If
// needed, the last character that counts as both is taken from the capitals.
func lowerWord(s string) int {
	n, last := runOf(s, capital|either|mark, either|mark)
	if lower, _ := runOf(s[n:], small|either|mark, 0); lower > 0 {
		return n + lower
	}
	if last < 0 {
		return 0
	}
	_, size := kindAt(s[last:])
	return last + size
}

// upperWord returns the length of capitals.
func upperWord(s string) int {
	n, _ := runOf(s, capital|either|mark, 0)
	return n
}

// contractionLen returns the length of an English ending such as 's or 'LL.
func contractionLen(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	second := byte(0)
	switch s[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	case 'r', 'v':
		second = 'e'
	case 'l':
		second = 'l'
	}
	if second != 0 && len(s) > 2 && s[2]|0x20 == second {
		return 3
	}
	return 0
}

func digitsLen(s string) int {
	n := 0
	for range 3 {
		if n < len(s) {
			if k, size := kindAt(s[n:]); k == digit {
				n += size
			}
		}
	}
	return n
}

// signsEnd returns the end of a run, starting at from, of signs and marks, then line ends
// and slashes; 0 if no sign follows.
func signsEnd(s string, from int) int {
	n, _ := runOf(s[from:], sign|mark, 0)
	if n == 0 {
		return 0
	}
	for n += from; n < len(s) && (s[n] == '\r' || s[n] == '\n' || s[n] == '/'); n++ {
	}
	return n
}

// blankLen returns the length of white space: up to its last line end, or all but the last
// character, which joins what follows.
func blankLen(s string) int {
	if s[0] == ' ' {
		if n := signsEnd(s, 1); n > 0 {
			return n
		}
	}
	n, last := 0, 0
	for n < len(s) {
		k, size := kindAt(s[n:])
		if k != space {
			break
		}
		last = n
		n += size
	}
	for i := n; i > 0; i-- {
		if s[i-1] == '\r' || s[i-1] == '\n' {
			return i
		}
	}
	if n < len(s) && last > 0 {
		return last
	}
	return n
}
