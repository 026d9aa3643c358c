package symbols

// lookahead searches among the tokens around one. What it may spend on that
// is bounded for a whole file.
type lookahead struct {
	cursor
	steps    int  // that are left
	computed bool // types may compute with && and ||, as those of C++ do
}

const (
	// maxTypeTokens bounds how many tokens a type or a list of type arguments
	// may have; maxTypeTokensBack the same on the way back from its end.
	maxTypeTokens     = 400
	maxTypeTokensBack = 64

	// maxBeforeName bounds the tokens from a line's start to the keyword or
	// name that a definition starts with.
	maxBeforeName = 64
)

// spend takes one step of looking ahead from what the file allows. Ordinary
// source needs a few steps a token; hostile source, made so that every token
// starts another long search, runs out and yields less.
func (a *lookahead) spend() bool {
	a.steps--
	return a.steps > 0
}

// lineStart goes back from token i to the first on its line.
func (a *lookahead) lineStart(i int) int {
	for n := 0; i > 0 && !a.startsLine(i) && n < maxBeforeName; n++ {
		i--
	}
	return i
}

// find returns the first of the given operators at or behind i, outside
// brackets that open on the way and before end; end when there is none.
func (a *lookahead) find(i, end int, ops ...byte) int {
	for i < end && a.spend() {
		if c := a.punct(i); c != 0 {
			for _, op := range ops {
				if c == op {
					return i
				}
			}
			if c == ')' || c == ']' || c == '}' {
				return i
			}
		}
		i = a.skip(i)
	}
	return end
}

// findAngled is find that passes over type arguments, too.
func (a *lookahead) findAngled(i, end int, ops ...byte) int {
	for i < end && a.spend() {
		c := a.punct(i)
		for _, op := range ops {
			if c == op && c != 0 {
				return i
			}
		}
		switch {
		case a.isCloser(i):
			return i
		case c == '<':
			i = max(a.skipAngles(i), i+1)
		default:
			i = a.skip(i)
		}
	}
	return end
}

// skipAngles returns the token behind the type arguments that open at i with a
// less-than sign, or i when no plausible list starts there.
func (a *lookahead) skipAngles(i int) int {
	depth := 0
	for j := i; j < min(a.limit, i+maxTypeTokens) && a.spend(); {
		switch a.punct(j) {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return j + 1
			}
		case ';', '}', ')', ']':
			return i
		case opLogic: // a condition
			if !a.computed {
				return i
			}
		case '(', '[', '{':
			j = a.skip(j)
			continue
		}
		j++
	}
	return i
}

// openingAngle is the token that opens the type arguments which close at i, or
// -1.
func (a *lookahead) openingAngle(i int) int {
	depth := 0
	for j := i; j >= max(0, i-maxTypeTokensBack); j-- {
		switch a.punct(j) {
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

// beforeAngles is the token before i, or before type arguments that end there.
func (a *lookahead) beforeAngles(i int) int {
	if a.punct(i-1) == '>' {
		if open := a.openingAngle(i - 1); open > 0 {
			return open - 1
		}
	}
	return i - 1
}

// findStatementEnd finds the last token of a statement that starts at i and
// that a line break ends, in languages where operators carry a statement on.
func (a *lookahead) findStatementEnd(i, end int) int {
	j := a.skip(i)
	for j < end && a.spend() {
		t := a.token(j)
		if t.kind == tokPunct && t.ch == ';' || a.isCloser(j) || t.nl && !a.carriesOn(j) {
			break
		}
		j = a.skip(j)
	}
	return min(j, end) - 1
}

// carriesOn says that no statement can end before token j: an operator stands
// on either side of the line break.
func (a *lookahead) carriesOn(j int) bool {
	switch t := a.token(j - 1); t.kind {
	case tokPunct:
		switch t.ch {
		case ')', ']', '}', ';', opStep, opMarkup, '!', '?', '>', '*':
		default:
			return true
		}
	}
	switch a.punct(j) {
	case '.', '?', ':', '=', '|', '&', opLogic, opThinArrow, opCompare, opFatArrow, opUpdate, '+', '/', '%':
		return a.punct(j) != opFatArrow || a.punct(j-1) == ')'
	}
	return false
}
