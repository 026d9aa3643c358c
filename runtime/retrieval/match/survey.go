package match

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// survey holds facts about a pattern's text that its parse tree has lost. Positions are byte offsets, -1 for none.
type survey struct {
	newline int  // first newline outside a class, written in any way
	upper   bool // a letter written in upper case
	quoted  bool // ends within \Q
	open    int  // innermost ( that is not closed
	close   int  // first ) that closes nothing
}

// surveyor walks a pattern, which may be invalid.
type surveyor struct {
	survey
	text  string
	pos   int
	opens []int
}

func surveyPattern(pattern string) survey {
	s := surveyor{text: pattern, survey: survey{newline: -1, open: -1, close: -1}}
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case '\\':
			s.readEscape(true)
		case '[':
			s.readClass()
		case '(':
			s.readGroup()
		case ')':
			if len(s.opens) > 0 {
				s.opens = s.opens[:len(s.opens)-1]
			} else if s.close < 0 {
				s.close = s.pos
			}
			s.pos++
		default:
			s.readChar(true)
		}
	}
	if len(s.opens) > 0 {
		s.open = s.opens[len(s.opens)-1]
	}
	return s.survey
}

// readChar reads one plain character.
func (s *surveyor) readChar(outside bool) {
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	s.noteRune(r, outside)
	s.pos += size
}

func (s *surveyor) noteRune(r rune, outside bool) {
	if r == '\n' && outside && s.newline < 0 {
		s.newline = s.pos
	}
	s.upper = s.upper || unicode.IsUpper(r)
}

// readGroup reads a ( with its flags or name, whose letters are not to be matched.
func (s *surveyor) readGroup() {
	s.opens = append(s.opens, s.pos)
	s.pos++
	if !strings.HasPrefix(s.text[s.pos:], "?") {
		return
	}
	rest := s.text[s.pos:]
	end := strings.IndexAny(rest, ":)")
	if strings.HasPrefix(rest, "?P<") || strings.HasPrefix(rest, "?<") {
		end = strings.IndexByte(rest, '>')
	}
	switch {
	case end < 0:
		s.pos = len(s.text)
	case rest[end] == ')':
		s.pos += end
	default:
		s.pos += end + 1
	}
}

// readClass reads [...].
func (s *surveyor) readClass() {
	s.pos++
	if strings.HasPrefix(s.text[s.pos:], "^") {
		s.pos++
	}
	for first := true; s.pos < len(s.text); first = false {
		rest := s.text[s.pos:]
		switch {
		case rest[0] == ']' && !first:
			s.pos++
			return
		case rest[0] == '\\':
			s.readEscape(false)
		case strings.HasPrefix(rest, "[:") && strings.Contains(rest, ":]"):
			s.pos += strings.Index(rest, ":]") + 2
		default:
			s.readChar(false)
		}
	}
}

// readEscape reads a backslash and the characters that belong to it.
func (s *surveyor) readEscape(outside bool) {
	rest := s.text[s.pos+1:]
	size := 1 // of the text after the backslash
	switch {
	case rest == "":
		size = 0
	case rest[0] == 'Q' && outside:
		s.readQuote()
		return
	case rest[0] == 'n':
		s.noteRune('\n', outside)
	case rest[0] == 'p' || rest[0] == 'P':
		size = nameSize(rest)
	case rest[0] == 'x' || rest[0] >= '0' && rest[0] <= '7':
		var r rune
		r, size = readNumber(rest)
		s.noteRune(r, outside)
	default:
		_, size = utf8.DecodeRuneInString(rest)
	}
	s.pos += 1 + size
}

// readQuote reads \Q...\E.
func (s *surveyor) readQuote() {
	text, _, closed := strings.Cut(s.text[s.pos+2:], `\E`)
	end := s.pos + 2 + len(text)
	for s.pos += 2; s.pos < end; {
		s.readChar(true)
	}
	if s.quoted = !closed; closed {
		s.pos += 2
	}
}

// nameSize returns the length of pN or p{Name}.
func nameSize(s string) int {
	if strings.HasPrefix(s[1:], "{") {
		if end := strings.IndexByte(s, '}'); end >= 0 {
			return end + 1
		}
	}
	return min(2, len(s))
}

// readNumber reads x41, x{41} or octal 101.
func readNumber(s string) (r rune, size int) {
	base, digits := rune(8), s[:min(3, len(s))]
	if s[0] == 'x' {
		base, size = 16, 1
		digits = s[1:min(3, len(s))]
		if strings.HasPrefix(s, "x{") {
			size = 2
			digits, _, _ = strings.Cut(s[2:], "}")
		}
	}
	for _, d := range digits {
		v := strings.IndexRune("0123456789abcdef", unicode.ToLower(d))
		if v < 0 || rune(v) >= base || r > unicode.MaxRune {
			break
		}
		r = r*base + rune(v)
		size++
	}
	if strings.HasPrefix(s, "x{") && size < len(s) {
		size++
	}
	return r, size
}
