package rawjson

import "bytes"

// Token is one token of a JSON text: a bracket, a string, a number or a word. Commas and colons are not tokens.
type Token struct {
	Start, End int
	First      byte // the token's first byte: { } [ ] " or that of a number, true, false or null
	Name       bool // a string that names a member
}

// Scanner reads the tokens of a text one after another. It stores only one byte for each open bracket, so that neither
// depth nor size uses up the stack. The text need not be valid: Next returns tokens as far as they can be told apart.
type Scanner struct {
	data []byte
	at   int
	open []byte // brackets around the current one; 0 means none
	in   byte   // the bracket around the next token
	name bool   // the next string of an object is a name
}

// Scan returns a scanner at the start of a text.
func Scan(data []byte) Scanner { return Scanner{data: data} }

// Depth returns the number of brackets that are open around the next token.
func (s *Scanner) Depth() int { return len(s.open) }

// Next returns the next token; false at the end of the text, at an unmatched closing bracket and at a string without an
// end.
func (s *Scanner) Next() (t Token, ok bool) {
	data := s.data
	for i := s.at; i < len(data); i++ {
		c := data[i]
		if glue[c] {
			if c == ',' {
				s.name = s.in == '{'
			}
			continue
		}
		t.Start, t.End, t.First = i, i+1, c
		switch c {
		case '"':
			if t.End = stringEnd(data, i); t.End < 0 {
				return t, false
			}
			t.Name, s.name = s.name, false
		case '{', '[':
			s.open = append(s.open, s.in)
			s.in, s.name = c, c == '{'
		case '}', ']':
			last := len(s.open) - 1
			if last < 0 {
				return t, false
			}
			s.in, s.open, s.name = s.open[last], s.open[:last], false
		default:
			t.End = literalEnd(data, i)
		}
		s.at = t.End
		return t, true
	}
	s.at = len(data)
	return t, false
}

// glue are the bytes between tokens.
var glue = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, ':': true, ',': true}

// ends are the bytes that end a number, true, false or null.
var ends = [256]bool{' ': true, '\t': true, '\n': true, '\r': true, ':': true, ',': true, '{': true, '}': true, '[': true, ']': true, '"': true}

// stringEnd returns the offset after the closing quote of the string that opens at i, or -1.
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

// literalEnd returns the offset after a number, true, false or null; always beyond i.
func literalEnd(data []byte, i int) int {
	for i++; i < len(data) && !ends[data[i]]; {
		i++
	}
	return i
}
