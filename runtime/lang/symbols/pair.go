package symbols

// pairer finds the partner of every bracket token. It is tolerant: a brace closes all brackets left open inside it, a
// stray closing bracket is skipped, and every branch of a preprocessor conditional starts from the state before the
// conditional.
//
// The stack of open brackets is a linked list through up, so that a conditional can save a state as one number.
type pairer struct {
	list  []token
	match []int32 // index of the partner; len(toks) for an unclosed bracket, -1 for a stray closing one
	up    []int32 // for an opening bracket: the one around it, -1 at top level
	top   int32   // innermost open bracket, -1 if none
	depth int32   // open braces
	ifs   []conditional
	stray bool // some bracket has no partner
	lang  language
}

// conditional is an open #if, with the top of the stack before it and after its first branch (-2 while that branch
// lasts).
type conditional struct {
	before, after int32
	depth, depth2 int32
}

// reset switches to other tokens and returns the slice that pair will fill.
func (p *pairer) reset(toks []token) []int32 {
	p.list = toks
	p.match = resized(p.match, len(toks))
	p.up = resized(p.up, len(toks))
	return p.match
}

// pair fills match for the tokens. If brackets are missing, it makes a second pass, in which the indentation of closing
// braces and the words that occur only at top level decide.
func (p *pairer) pair(src []byte, lang language) {
	p.lang = lang
	if p.run(src, false); p.stray {
		p.run(src, true)
	}
}

// resized returns s with room for n numbers, which may have any value.
func resized(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n, n+n/4)
	}
	return s[:n]
}

// run pairs all brackets, also by indentation if indent is set.
func (p *pairer) run(src []byte, indent bool) {
	p.top, p.depth, p.stray, p.ifs = -1, 0, false, p.ifs[:0]
	for i := range p.list {
		t := &p.list[i]
		if indent && t.nl && t.kind == tokIdent && p.top >= 0 && p.lang.anchors(i) {
			p.closeAll(int32(i))
		}
		switch t.kind {
		case tokPunct, tokHole:
			switch t.ch {
			case '(', '[', '{':
				p.openBracket(int32(i), t.ch)
			case ')', ']', '}':
				if indent && t.ch == '}' && t.nl {
					p.alignBrace(src, i)
				}
				p.closeBracket(int32(i), t.ch)
			}
		case tokDirective:
			p.readDirective(src, i)
		}
	}
	p.closeAll(int32(len(p.list)))
}

// closeAll closes all open brackets: their contents end before token i.
func (p *pairer) closeAll(i int32) {
	for p.top >= 0 {
		p.stray = true
		p.match[p.top] = i - 1
		if int(i) == len(p.list) {
			p.match[p.top] = i
		}
		p.top = p.up[p.top]
	}
	p.depth = 0
}

// openBracket reads an opening bracket.
func (p *pairer) openBracket(i int32, ch byte) {
	p.up[i] = p.top
	p.match[i] = int32(len(p.list))
	p.top = i
	if ch == '{' {
		p.depth++
	}
}

// closeBracket reads a closing bracket.
func (p *pairer) closeBracket(i int32, ch byte) {
	p.match[i] = -1
	want := byte('{')
	switch ch {
	case ')':
		want = '('
	case ']':
		want = '['
	}
	for p.top >= 0 {
		have := p.list[p.top].ch
		if have == want {
			p.match[i], p.match[p.top] = p.top, i
			p.pop(have)
			return
		}
		p.stray = true
		if have == '{' || want != '{' && !p.hasNear(want) || want == '{' && p.depth == 0 {
			return
		}
		p.match[p.top] = i
		p.pop(have)
	}
	p.stray = true
}

// hasNear reports whether the wanted opening bracket is one or two levels up.
func (p *pairer) hasNear(want byte) bool {
	i := p.up[p.top]
	for n := 0; i >= 0 && n < 2; n++ {
		if p.list[i].ch == want {
			return true
		}
		if p.list[i].ch == '{' {
			return false
		}
		i = p.up[i]
	}
	return false
}

// pop removes the innermost open bracket.
func (p *pairer) pop(ch byte) {
	p.top = p.up[p.top]
	if ch == '{' {
		p.depth--
	}
}

// alignBrace closes brackets opened on lines that are indented deeper than a closing brace at the start of its line:
// their own closing brackets are missing.
func (p *pairer) alignBrace(src []byte, i int) {
	col := indentOf(src, p.list[i].off)
	for p.top >= 0 && p.depth > 1 {
		if lineIndent(src, p.list[p.top].off) <= col {
			return
		}
		p.match[p.top] = int32(i)
		p.pop(p.list[p.top].ch)
	}
}

// readDirective reads a preprocessor line: conditionals save and restore the open brackets.
func (p *pairer) readDirective(src []byte, i int) {
	t := p.list[i]
	p.match[i] = -1
	word := directiveWords(src[t.off:t.end])
	n := len(p.ifs)
	switch {
	case len(word) >= 2 && word[:2] == "if":
		p.ifs = append(p.ifs, conditional{before: p.top, depth: p.depth, after: -2})
	case n == 0:
	case len(word) >= 2 && word[:2] == "el":
		c := &p.ifs[n-1]
		if c.after == -2 {
			c.after, c.depth2 = p.top, p.depth
		}
		p.top, p.depth = c.before, c.depth
	case len(word) >= 5 && word[:5] == "endif":
		if c := p.ifs[n-1]; c.after != -2 {
			p.top, p.depth = c.after, c.depth2
		}
		p.ifs = p.ifs[:n-1]
	}
}

// maxIndent limits the backward search for the start of a line, so that long lines cost no more than short ones.
const maxIndent = 1 << 10

// indentOf returns the column of the byte at off, counting only the blanks before it, with tab stops at multiples of
// eight.
func indentOf(src []byte, off uint32) int {
	start := int(off)
	for start > 0 && isBlank(src[start-1]) && int(off)-start < maxIndent {
		start--
	}
	col := 0
	for _, c := range src[start:off] {
		if c == '\t' {
			col += 8 - col%8
		} else {
			col++
		}
	}
	return col
}

// lineIndent returns the indentation of the line of the byte at off.
func lineIndent(src []byte, off uint32) int {
	first := int(off)
	for n := 0; first > 0 && src[first-1] != '\n' && n < maxIndent; n++ {
		first--
	}
	for first < int(off) && isBlank(src[first]) {
		first++
	}
	return indentOf(src, uint32(first))
}
