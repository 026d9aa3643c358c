package symbols

// cursor reads the tokens of one file and the pairs of its brackets. Its methods accept any index: outside the file
// they report that there is nothing.
type cursor struct {
	source []byte
	toks   []token
	match  []int32 // partner of a bracket; len(toks) for an unclosed one, -1 for a stray closer
	limit  int     // number of tokens to walk
}

// text returns the source of token i, or nil outside the file.
func (c *cursor) text(i int) []byte {
	if uint(i) >= uint(c.limit) {
		return nil
	}
	t := c.toks[i]
	return c.source[t.off:t.end]
}

// token returns token i, or the zero token outside the file.
func (c *cursor) token(i int) token {
	if uint(i) >= uint(c.limit) {
		return token{}
	}
	return c.toks[i]
}

// punct returns the operator or bracket at i, or 0 for anything else.
func (c *cursor) punct(i int) byte {
	if uint(i) >= uint(c.limit) {
		return 0
	}
	if t := &c.toks[i]; t.kind == tokPunct {
		return t.ch
	}
	return 0
}

// is reports whether token i is the identifier or keyword w.
func (c *cursor) is(i int, w string) bool {
	return uint(i) < uint(c.limit) && c.toks[i].kind == tokIdent && string(c.text(i)) == w
}

// isOneOf reports whether token i is one of the words.
func (c *cursor) isOneOf(i int, words ...string) bool {
	for _, w := range words {
		if c.is(i, w) {
			return true
		}
	}
	return false
}

// isIdent reports whether token i is an identifier or keyword.
func (c *cursor) isIdent(i int) bool {
	return uint(i) < uint(c.limit) && c.toks[i].kind == tokIdent
}

// isString reports whether token i is a string.
func (c *cursor) isString(i int) bool {
	return uint(i) < uint(c.limit) && c.toks[i].kind == tokString
}

// isCloser reports whether token i closes a bracket.
func (c *cursor) isCloser(i int) bool {
	switch t := c.token(i); t.ch {
	case '}', ')', ']':
		return t.kind == tokPunct || t.kind == tokHole
	}
	return false
}

// startsLine reports whether token i is the first on its line, or the end of the file.
func (c *cursor) startsLine(i int) bool {
	return uint(i) >= uint(c.limit) || c.toks[i].nl
}

// lineOf returns the line on which token i starts.
func (c *cursor) lineOf(i int) int32 {
	if i >= c.limit {
		i = c.limit - 1
	}
	if i < 0 {
		return 1
	}
	return c.toks[i].line
}

// lastLine returns the line on which token i ends; only strings span several lines.
func (c *cursor) lastLine(i int) int32 {
	i = min(i, c.limit-1)
	if i < 0 {
		return 1
	}
	t := c.toks[i]
	line := t.line
	if t.kind >= tokString {
		for _, b := range c.source[t.off:t.end] {
			if b == '\n' {
				line++
			}
		}
	}
	return line
}

// skip returns the token after the bracket pair that opens at i, or i+1 if none does.
func (c *cursor) skip(i int) int {
	switch c.token(i).ch {
	case '(', '[', '{':
		if t := c.token(i); t.kind == tokPunct || t.kind == tokHole {
			return int(c.match[i]) + 1
		}
	}
	return i + 1
}

// partner returns the bracket that pairs with the one at i.
func (c *cursor) partner(i int) int { return int(c.match[i]) }

// unquoted returns the source of token i, without quotes if it is a string.
func (c *cursor) unquoted(i int) []byte {
	text := c.text(i)
	if c.isString(i) && len(text) >= 2 {
		return text[1 : len(text)-1]
	}
	return text
}
