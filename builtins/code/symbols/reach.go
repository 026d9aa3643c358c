package symbols

// The scanners look at tokens through these helpers, all of which accept any
// index.

// text is the source of token i, empty outside the file.
func (s *Scanner) text(i int) []byte {
	if uint(i) >= uint(s.limit) {
		return nil
	}
	t := s.toks[i]
	return s.src[t.off:t.end]
}

// tok is token i, a zero token outside the file.
func (s *Scanner) tok(i int) token {
	if uint(i) >= uint(s.limit) {
		return token{}
	}
	return s.toks[i]
}

// ch is the operator at i, 0 for anything else.
func (s *Scanner) ch(i int) byte {
	if uint(i) >= uint(s.limit) {
		return 0
	}
	if t := &s.toks[i]; t.kind == tokPunct {
		return t.ch
	}
	return 0
}

// is says that token i is the identifier or keyword w.
func (s *Scanner) is(i int, w string) bool {
	return uint(i) < uint(s.limit) && s.toks[i].kind == tokIdent && string(s.text(i)) == w
}

// oneOf says that token i is one of the words.
func (s *Scanner) oneOf(i int, words ...string) bool {
	for _, w := range words {
		if s.is(i, w) {
			return true
		}
	}
	return false
}

func (s *Scanner) ident(i int) bool {
	return uint(i) < uint(s.limit) && s.toks[i].kind == tokIdent
}

func (s *Scanner) isString(i int) bool {
	return uint(i) < uint(s.limit) && s.toks[i].kind == tokString
}

// nl says that token i starts a line; the end of the file does too.
func (s *Scanner) nl(i int) bool {
	return uint(i) >= uint(s.limit) || s.toks[i].nl
}

func (s *Scanner) lineOf(i int) int32 {
	if i >= s.limit {
		i = s.limit - 1
	}
	if i < 0 {
		return 1
	}
	return s.toks[i].line
}

// lastLine is the line on which token i ends; only strings span several.
func (s *Scanner) lastLine(i int) int32 {
	i = min(i, s.limit-1)
	if i < 0 {
		return 1
	}
	t := s.toks[i]
	line := t.line
	if t.kind >= tokString {
		for _, c := range s.src[t.off:t.end] {
			if c == '\n' {
				line++
			}
		}
	}
	return line
}

// past is the token behind the bracket pair that opens at i, or behind i.
func (s *Scanner) past(i int) int {
	switch s.tok(i).ch {
	case '(', '[', '{':
		if t := s.tok(i); t.kind == tokPunct || t.kind == tokHole {
			return int(s.match[i]) + 1
		}
	}
	return i + 1
}

// closing is the partner of the bracket that opens at i.
func (s *Scanner) closing(i int) int { return int(s.match[i]) }

// maxGeneric bounds how many tokens a list of type arguments may have.
const maxGeneric = 400

// pastAngle is the token behind the type arguments that open at i with a
// less-than sign, or i when no plausible list starts there.
func (s *Scanner) pastAngle(i int) int {
	depth := 0
	for j := i; j < min(s.limit, i+maxGeneric) && s.spend(); {
		switch s.ch(j) {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return j + 1
			}
		case ';', '}', ')', ']':
			return i
		case opLogic: // a condition, except in C++, where types compute
			if s.lang != CPP && s.lang != C {
				return i
			}
		case '(', '[', '{':
			j = s.past(j)
			continue
		}
		j++
	}
	return i
}

// backAngle is the token that opens the type arguments which close at i, or
// -1.
func (s *Scanner) backAngle(i int) int {
	depth := 0
	for j := i; j >= max(0, i-64); j-- {
		switch s.ch(j) {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return j
			}
		case ';', '{', '}':
			return -1
		}
	}
	return -1
}

// find is the first of the given operators at or behind i, outside brackets
// that open on the way and before end; end when there is none.
func (s *Scanner) find(i, end int, ops ...byte) int {
	for i < end && s.spend() {
		if c := s.ch(i); c != 0 {
			for _, op := range ops {
				if c == op {
					return i
				}
			}
			if c == ')' || c == ']' || c == '}' {
				return i
			}
		}
		i = s.past(i)
	}
	return end
}

// findAngled is find with type arguments passed over as well.
func (s *Scanner) findAngled(i, end int, ops ...byte) int {
	for i < end && s.spend() {
		c := s.ch(i)
		for _, op := range ops {
			if c == op && c != 0 {
				return i
			}
		}
		switch {
		case s.closer(i):
			return i
		case c == '<':
			i = max(s.pastAngle(i), i+1)
		default:
			i = s.past(i)
		}
	}
	return end
}

// spend takes one step of looking ahead from what the file allows. Ordinary
// source needs a few steps a token; hostile source, made so that every token
// starts another long search, runs out and yields less.
func (s *Scanner) spend() bool {
	s.steps--
	return s.steps > 0
}

// lineEnd is the last token of a statement that starts at i and that a line
// break ends, in languages where operators carry a statement on.
func (s *Scanner) lineEnd(i, end int) int {
	j := s.past(i)
	for j < end && s.spend() && s.ch(j) != ';' && !s.closer(j) && (!s.nl(j) || s.carries(j)) {
		j = s.past(j)
	}
	return min(j, end) - 1
}

// carries says that no statement can end before token j: an operator stands
// on either side of the line break.
func (s *Scanner) carries(j int) bool {
	switch t := s.tok(j - 1); t.kind {
	case tokPunct:
		switch t.ch {
		case ')', ']', '}', ';', opStep, opMarkup, '!', '?', '>', '*':
		default:
			return true
		}
	}
	switch s.ch(j) {
	case '.', '?', ':', '=', '|', '&', opLogic, opThinArrow, opCompare, opFatArrow, opUpdate, '+', '/', '%':
		return s.ch(j) != opFatArrow || s.ch(j-1) == ')'
	}
	return false
}
