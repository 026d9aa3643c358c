package compact

import "strings"

// claim is a part of a summary that must occur in the source.
type claim struct {
	text  string
	fold  bool // ignore case
	index bool // a number in brackets after a name
	open  sides
	found bool
}

// pattern is a form in which a claim may occur in a source. A space matches any run of white space.
type pattern struct {
	claim *claim
	text  string
	first int // offset of its first word
}

// claims holds the claims of a summary, by the word they begin with.
type claims struct {
	all     []*claim
	byWord  map[string][]pattern
	words   wordSet
	anyWord []pattern // patterns that may begin inside a word of the source
	seen    map[string]bool
	open    int // number of claims not found yet
	work    int // bytes that may still be compared
}

// maxCompared limits the work on a source that repeats the beginnings of claims; a claim not found by then counts as
// absent.
const maxCompared = 400 << 20

func emptyClaims() *claims {
	return &claims{byWord: map[string][]pattern{}, words: newWordSet(), seen: map[string]bool{}, work: maxCompared}
}

func (c *claims) add(x claim, text string) {
	if c.seen[x.text] {
		return
	}
	c.seen[x.text] = true
	c.all = append(c.all, &x)
	c.open++
	c.addPattern(text)
}

// addPattern gives the last claim another form.
func (c *claims) addPattern(text string) {
	p := pattern{claim: c.all[len(c.all)-1], text: text}
	for p.first < len(text) && !isWordByte(text[p.first]) {
		p.first++
	}
	if p.first == len(text) {
		return
	}
	if p.claim.open&openLeft != 0 && p.first == 0 {
		c.anyWord = append(c.anyWord, p)
		return
	}
	end := wordEnd(text, p.first)
	if end == len(text) && p.claim.open&openRight != 0 {
		c.anyWord = append(c.anyWord, p)
		return
	}
	key := string(lowered(text[p.first:end], nil))
	c.byWord[key] = append(c.byWord[key], p)
	c.words.add(key)
}

func wordEnd(text string, i int) int {
	for i < len(text) && isWordByte(text[i]) {
		i++
	}
	return i
}

// find looks for the claims in a text, in one pass.
func (c *claims) find(text string) {
	for _, p := range c.anyWord {
		c.findCut(p, text)
	}
	var buf [64]byte
	for i := 0; i < len(text) && c.open > 0 && c.work > 0; {
		if !isWordByte(text[i]) {
			i++
			continue
		}
		start := i
		i = wordEnd(text, i)
		w := text[start:i]
		if !c.words.mayHave(w[0], len(w)) {
			continue
		}
		ps := c.byWord[string(lowered(w, buf[:0]))]
		for k := range ps {
			if p := &ps[k]; !p.claim.found && start >= p.first && c.matches(p, text[start-p.first:], text) {
				p.claim.found = true
				c.open--
			}
		}
	}
}

// lowered appends a word to buf, with its ASCII letters in lower case.
func lowered(w string, buf []byte) []byte {
	for i := 0; i < len(w); i++ {
		b := w[i]
		if isUpper(b) {
			b += 'a' - 'A'
		}
		buf = append(buf, b)
	}
	return buf
}

// matches reports whether a text begins with a pattern.
func (c *claims) matches(p *pattern, text, whole string) bool {
	i := 0
	for k := 0; k < len(p.text); k++ {
		c.work--
		if i >= len(text) {
			return false
		}
		a, b := p.text[k], text[i]
		if a == ' ' {
			if !isSpace(b) {
				return false
			}
			for i < len(text) && isSpace(text[i]) {
				i++
				c.work--
			}
			continue
		}
		if a != b && !(p.claim.fold && a|0x20 == b|0x20 && isAlnum(a) && isAlnum(b)) {
			return false
		}
		i++
	}
	last := p.text[len(p.text)-1]
	return p.claim.open&openRight != 0 || !isWordByte(last) || i == len(text) || !isWordByte(text[i])
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}

// findCut looks for a claim that an omission mark cuts, which may begin and end inside a word.
func (c *claims) findCut(p pattern, text string) {
	if p.claim.found || c.work <= 0 {
		return
	}
	c.work -= len(text) / 16
	needle, _, _ := strings.Cut(p.text, " ")
	for at := 0; c.work > 0; {
		i := strings.Index(text[at:], needle)
		if i < 0 {
			return
		}
		at += i
		left := p.claim.open&openLeft != 0 || at == 0 || !isWordByte(text[at-1]) || !isWordByte(text[at])
		if left && c.matches(&p, text[at:], text) {
			p.claim.found = true
			c.open--
			return
		}
		at++
	}
}
