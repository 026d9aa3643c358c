package rawjson

import "bytes"

// Token is one token of a JSON text: a bracket, a string, a number or a word. Commas and colons are none.
type Token struct {
	Start, End int
	First      byte // the token's first byte: { } [ ] " or that of a number, true, false or null
	Name       bool // a string that names a member
}

// Scanner reads the tokens of a text one after another. It keeps no more than a byte for each open bracket, so that
// neither depth nor size costs a stack. The text need not be valid: tokens come as far as they can be told apart.
type Scanner struct {
	data []byte
	at   int
	open []byte // brackets around the next token
	name bool   // the next string of an object is a name
}

// Scan begins at the start of a text.
func Scan(data []byte) Scanner { return Scanner{data: data} }

// Depth is how many brackets are open around the next token.
func (s *Scanner) Depth() int { return len(s.open) }

// Next reads a token; false at the end of the text, at a bracket that closes what was never opened and at a string
// without end.
func (s *Scanner) Next() (t Token, ok bool) {
	for s.at < len(s.data) {
		c := s.data[s.at]
		switch c {
		case ' ', '\t', '\n', '\r', ':':
			s.at++
			continue
		case ',':
			s.at++
			s.name = len(s.open) > 0 && s.open[len(s.open)-1] == '{'
			continue
		}
		t = Token{Start: s.at, End: s.at + 1, First: c}
		switch c {
		case '{', '[':
			s.open, s.name = append(s.open, c), c == '{'
		case '}', ']':
			if len(s.open) == 0 {
				return t, false
			}
			s.open, s.name = s.open[:len(s.open)-1], false
		case '"':
			if t.End = stringEnd(s.data, s.at); t.End < 0 {
				return t, false
			}
			t.Name, s.name = s.name, false
		default:
			t.End = literalEnd(s.data, s.at)
		}
		s.at = t.End
		return t, true
	}
	return t, false
}

// stringEnd returns the offset past the closing quote of the string that opens at i, or -1.
func stringEnd(data []byte, i int) int {
	for from := i + 1; from < len(data); {
		n := bytes.IndexByte(data[from:], '"')
		if n < 0 {
			return -1
		}
		end := from + n
		slashes := 0
		for k := end - 1; k > i && data[k] == '\\'; k-- {
			slashes++
		}
		if from = end + 1; slashes%2 == 0 {
			return from
		}
	}
	return -1
}

// literalEnd returns the offset past a number, true, false or null; always beyond i.
func literalEnd(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case ',', ':', ' ', '\t', '\n', '\r', '}', ']', '{', '[', '"':
			return i
		}
	}
	return i
}
