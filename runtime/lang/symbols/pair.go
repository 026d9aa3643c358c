package symbols

// pairer finds the partner of every bracket token. It is tolerant: a brace
// closes whatever brackets were left open inside it, a stray closer is passed
// over, and the branches of a preprocessor conditional each start from the
// state before it.
//
// The stack of open brackets is a linked list through up, so that a
// conditional can remember a state as one number.
type pairer struct {
	list  []token
	match []int32 // partner's index; for an open end len(toks), for a stray closer -1
	up    []int32 // for an opener: the opener around it, -1 at top level
	top   int32   // innermost open bracket, -1 for none
	depth int32   // braces open
	ifs   []conditional
	stray bool // something did not pair
	lang  language
}

// conditional is one #if that is open, with the stack's tops: before it, and
// after its first branch (-2 while that branch lasts).
type conditional struct {
	before, after int32
	depth, depth2 int32
}

// reset turns to other tokens and returns where their pairs will stand.
func (p *pairer) reset(toks []token) []int32 {
	p.list = toks
	p.match = resized(p.match, len(toks))
	p.up = resized(p.up, len(toks))
	return p.match
}

// pair fills match for the tokens. When brackets are missing it goes over them
// once more and lets the indentation of closing braces decide, and the words
// that the language has at top level alone.
func (p *pairer) pair(src []byte, lang language) {
	p.lang = lang
	if p.run(src, false); p.stray {
		p.run(src, true)
	}
}

// resized returns s with room for n numbers, which need not be zero.
func resized(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n, n+n/4)
	}
	return s[:n]
}

// run pairs all brackets, by indentation as well if that is asked for.
func (p *pairer) run(src []byte, indent bool) {
	p.top, p.depth, p.stray, p.ifs = -1, 0, false, p.ifs[:0]
	for i := range p.list {
		t := &p.list[i]
		if indent && t.nl && t.kind == tokIdent && p.top >= 0 && p.lang.anchors(i) {
			p.abandon(int32(i))
		}
		switch t.kind {
		case tokPunct, tokHole:
			switch t.ch {
			case '(', '[', '{':
				p.open(int32(i), t.ch)
			case ')', ']', '}':
				if indent && t.ch == '}' && t.nl {
					p.alignBrace(src, i)
				}
				p.shut(int32(i), t.ch)
			}
		case tokDirective:
			p.readDirective(src, i)
		}
	}
	p.abandon(int32(len(p.list)))
}

// abandon gives up all open brackets: what they hold ends before token i.
func (p *pairer) abandon(i int32) {
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

// open takes an opening bracket.
func (p *pairer) open(i int32, ch byte) {
	p.up[i] = p.top
	p.match[i] = int32(len(p.list))
	p.top = i
	if ch == '{' {
		p.depth++
	}
}

// shut takes a closing bracket.
func (p *pairer) shut(i int32, ch byte) {
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

// hasNear says that the opener wanted is one or two levels up.
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

// pop leaves the innermost open bracket.
func (p *pairer) pop(ch byte) {
	p.top = p.up[p.top]
	if ch == '{' {
		p.depth--
	}
}

// alignBrace gives up openers on lines indented deeper than a closing brace
// that starts its line: their own closers are missing.
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

// readDirective takes a preprocessor line: conditionals save and restore what
// is open.
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

// maxIndent bounds how far back a line's start is looked for, so that long
// lines cost no more than short ones.
const maxIndent = 1 << 10

// indentOf is the column of the byte at off, counted over the blanks before
// it, tabs to the next multiple of eight.
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

// lineIndent is the indentation of the line that holds the byte at off.
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
