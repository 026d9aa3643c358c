package config

import (
	"strings"
	"unicode/utf8"
)

// charSpan maps characters from..to of a text to bytes of the CUE literal in which it is
// written. It does not support surrogate pairs, which are not used in practice.
func charSpan(lit string, from, to int) (a, b int, ok bool) {
	s := newLiteralScanner(lit)
	if s == nil || from < 0 || to < from {
		return 0, 0, false
	}
	a, b = -1, -1
	for n := 0; ; n++ {
		s.skipIndent()
		if n == from {
			a = s.at
		}
		if n == to {
			b = s.at
			break
		}
		if !s.next() {
			break
		}
	}
	if a < 0 {
		return 0, 0, false
	}
	if b < 0 { // an end beyond the text means its end
		b = s.end
	}
	return a, b, true
}

// literalScanner walks the characters of a literal as written.
type literalScanner struct {
	text    string
	at, end int
	escape  string // the backslash with its #s
	indent  string // of a text block, removed from each of its lines
	block   bool
	fresh   bool // at the beginning of a line
}

func newLiteralScanner(lit string) *literalScanner {
	hashes := len(lit) - len(strings.TrimLeft(lit, "#"))
	body := lit[hashes:]
	s := &literalScanner{text: lit, escape: `\` + lit[:hashes]}
	for _, quote := range []string{`"""`, `"`} {
		closing := quote + lit[:hashes]
		if !strings.HasPrefix(body, quote) || !strings.HasSuffix(lit, closing) || len(body) < len(quote)+len(closing) {
			continue
		}
		s.at, s.end = hashes+len(quote), len(lit)-len(closing)
		if s.block = quote == `"""`; s.block {
			return s.openBlock()
		}
		return s
	}
	return nil
}

// openBlock skips the line of the opening quotes and drops the last line break: neither
// is part of the text.
func (s *literalScanner) openBlock() *literalScanner {
	first := strings.IndexByte(s.text[s.at:s.end], '\n')
	last := strings.LastIndexByte(s.text[:s.end], '\n')
	if first < 0 || last < 0 {
		return nil
	}
	s.at += first + 1
	s.indent = s.text[last+1 : s.end]
	s.end = max(s.at, last)
	if s.end > s.at && s.text[s.end-1] == '\r' {
		s.end--
	}
	s.fresh = true
	return s
}

// skipIndent skips the indentation of a block's line.
func (s *literalScanner) skipIndent() {
	if s.fresh && strings.HasPrefix(s.text[s.at:s.end], s.indent) {
		s.at += len(s.indent)
	}
	s.fresh = false
}

// next advances over one character of the text.
func (s *literalScanner) next() bool {
	rest := s.text[s.at:s.end]
	switch {
	case rest == "":
		return false
	case strings.HasPrefix(rest, s.escape):
		s.at += len(s.escape)
		return s.skipEscape()
	case strings.HasPrefix(rest, "\r\n"):
		s.at += 2
		s.fresh = true
		return true
	}
	r, size := utf8.DecodeRuneInString(rest)
	s.at += size
	s.fresh = s.block && r == '\n'
	return true
}

func (s *literalScanner) skipEscape() bool {
	if s.at >= s.end {
		return false
	}
	size := map[byte]int{'u': 5, 'U': 9}[s.text[s.at]]
	s.at = min(s.at+max(size, 1), s.end)
	if c := s.text[s.at-1]; size == 0 && c == '\n' { // the line break is escaped: not a character
		s.fresh = true
		s.skipIndent()
		return s.next()
	}
	return true
}
