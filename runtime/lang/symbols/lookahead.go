package symbols

// lookahead searches the tokens around a given one, within a budget for the whole file.
type lookahead struct {
	cursor
	steps    int  // steps that are left
	computed bool // types may contain expressions with && and ||, as in C++
}

const (
	// maxTypeTokens limits the tokens of a type or a list of type arguments; maxTypeTokensBack does so for searches
	// backwards from the end.
	maxTypeTokens     = 400
	maxTypeTokensBack = 64

	// maxBeforeName limits the tokens from the start of a line to the keyword or name that a definition starts with.
	maxBeforeName = 64
)

// spend takes one step of looking ahead from the budget of the file and reports whether any is left. Ordinary source
// needs a few steps per token; hostile source, in which every token starts another long search, runs out and yields
// less.
func (a *lookahead) spend() bool {
	a.steps--
	return a.steps > 0
}

// lineStart returns the first token on the line of token i.
func (a *lookahead) lineStart(i int) int {
	for n := 0; i > 0 && !a.startsLine(i) && n < maxBeforeName; n++ {
		i--
	}
	return i
}

// find returns the first of the given operators at or after i and before end, outside of brackets that open on the way,
// or the closing bracket that it meets first; end if there is neither.
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

// findAngled does what find does, but skips type arguments, too.
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

// skipAngles returns the token after the type arguments that open at i with a less-than sign, or i if no plausible list
// starts there.
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

// openingAngle returns the token that opens the type arguments that close at i, or -1.
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

// beforeAngles returns the token before i, or before type arguments that end there.
func (a *lookahead) beforeAngles(i int) int {
	if a.punct(i-1) == '>' {
		if open := a.openingAngle(i - 1); open > 0 {
			return open - 1
		}
	}
	return i - 1
}

// findStatementEnd returns the last token of the statement that starts at i, in languages where a line break ends a
// statement unless an operator continues it.
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

// carriesOn reports whether no statement can end before token j, because an operator is on either side of the line
// break.
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
