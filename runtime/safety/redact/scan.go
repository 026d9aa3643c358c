package redact

import (
	"strings"
	"unicode/utf8"
)

// scan is one pass of all detectors over one text.
type scan struct {
	r     *Redactor
	path  string // root-relative; empty if unknown
	text  string
	links bool // the text contains "://"
	leads bool // the text has bytes that an edit may begin with
	solid int  // length of the text without surrounding blanks
	watch *watch
	found []finding
	open  map[*detector]window // windows that later keywords may still extend, per detector
	done  map[*detector]int    // how far a detector has processed the text

	headed   int // end of the last line that was checked as the heading of a table
	listed   int // end of the last column list of an INSERT statement
	unclosed int // rows of INSERT statements without an end
}

// finding is a part of the text that a detector claims.
type finding struct {
	start, end int
	by         *detector
}

// window is a part of the text over which an unanchored expression is run.
type window struct{ lo, hi int }

const (
	windowBefore = 160  // bytes before a keyword, if the expression sets no limit
	windowAfter  = 512  // and after it
	windowMax    = 8192 // the longest window, and the longest match of an expression without a limit
	attemptCost  = 48   // the minimum cost of an attempt, however soon it fails
)

// run finds everything in the text. The findings overlap and are unsorted.
func (s *scan) run() []finding {
	s.solid = len(strings.TrimSpace(s.text))
	s.links = strings.Contains(s.text, "://")
	s.r.words.scan(s.text, func(end int, hits []hit) bool {
		for _, h := range hits {
			if d := s.r.detectors[h.detector]; end-int(h.length) >= s.done[d] {
				s.visitKeyword(d, end-int(h.length), end)
			}
		}
		return !s.watch.isOver()
	})
	if len(s.open) > 0 { // most texts are short and contain no keyword; there are hundreds of detectors
		for _, d := range s.r.detectors {
			if w, ok := s.open[d]; ok {
				s.searchWindow(d, w)
			}
		}
	}
	for _, d := range s.r.always {
		if !s.watch.isOver() {
			s.searchAll(d)
		}
	}
	return s.found
}

// visitKeyword handles one keyword at text[start:end].
func (s *scan) visitKeyword(d *detector, start, end int) {
	if d.look != nil {
		d.look(s, start, end)
		return
	}
	if d.path != nil && (d.needPath || s.path != "") && !d.path.MatchString(s.path) {
		return
	}
	if d.assign && !assignsAfter(s.text, end, d.rank == rankGeneric) {
		return
	}
	if d.steps > 0 {
		s.watch.spend(visitUnits)
	}
	p := d.program()
	if !p.anchored {
		s.widenWindow(d, p, start, end)
		return
	}
	if !strings.HasPrefix(s.text[start:], p.head) {
		return
	}
	if start > 0 && (p.wordStart && isWord(s.text[start-1]) && !behindEscape(s.text, start) || d.rank == rankVendor && insideBlob(s.text, start)) {
		return
	}
	at := 0
	if hasTail(s.text, end, d.tail) {
		at = s.tryMatch(d, p, start)
	}
	if d.rank == rankVendor {
		at = max(at, s.attemptJoined(d, p, start, at))
	}
	if at > 0 {
		s.skipTo(d, at)
	}
}

// hasTail reports whether text[at] begins n characters that tokens are made of.
func hasTail(text string, at, n int) bool {
	if len(text)-at < n {
		return false
	}
	for i := range n {
		if !isEncoding(text[at+i]) {
			return false
		}
	}
	return true
}

// behindEscape reports whether an escape ends at text[at], whose last byte may look like part of a word.
func behindEscape(text string, at int) bool {
	for n := 2; n <= min(at, len(`\u0022`)); n++ {
		if escapeEnd(text, at-n) == at {
			return true
		}
	}
	return false
}

// escapeEnd returns where an escape of a non-word character at text[at] ends (\n, %3D, \u0022), or at for none.
func escapeEnd(text string, at int) int {
	rest := text[at:min(len(text), at+8)]
	if rest[0] != '\\' && rest[0] != '%' {
		return at
	}
	if len(rest) > 1 && rest[0] == '\\' && strings.IndexByte("nrtfbv0", rest[1]) >= 0 {
		return at + 2
	}
	if r, size := escapedRune(rest); size > 0 && (r >= utf8.RuneSelf || !isWord(byte(r))) {
		return at + size
	}
	return at
}

// skipTo makes a detector ignore its keywords before at.
func (s *scan) skipTo(d *detector, at int) {
	if s.done == nil {
		s.done = map[*detector]int{}
	}
	s.done[d] = max(s.done[d], at)
}

// tryMatch runs an anchored expression at start and returns where its match ended, or 0.
func (s *scan) tryMatch(d *detector, p *program, start int) int {
	hi := min(len(s.text), start+min(p.maxLen, windowAfter)+utf8.UTFMax)
	longest := windowMax * 8
	if d.steps > 0 {
		longest = windowMax * 2
	}
	for !s.watch.isOver() {
		hi = runeStart(s.text, hi)
		s.watch.spend(attemptCost + (hi-start)/4)
		if d.steps > 0 {
			s.watch.spendSteps(hi-start, d.steps)
		}
		loc := p.re().FindStringSubmatchIndex(s.text[start:hi])
		if loc == nil {
			return 0
		}
		// A match that reaches the cut might be longer, or exist only because "$" matched at the cut.
		if start+loc[1] == hi && hi < len(s.text) && hi-start < longest {
			s.watch.spend(hi - start)
			hi = min(len(s.text), start+2*(hi-start))
			continue
		}
		s.acceptMatch(d, start, s.text[start:hi], loc)
		return start + loc[1]
	}
	return 0
}

// widenWindow adds the surroundings of a keyword to the detector's open window, or starts a new one.
func (s *scan) widenWindow(d *detector, p *program, start, end int) {
	before, after := windowBefore, windowAfter
	if p.maxLen < unbounded {
		before, after = min(max(before, p.maxLen), windowMax), min(max(after, p.maxLen), windowMax)
	}
	last, ok := s.open[d]
	if ok && last.lo <= start-before && end+after <= last.hi {
		return // extend to the ends of long words only once, not for each keyword in them
	}
	w := window{s.breakBefore(start - before), s.breakAfter(end + after)}
	if ok {
		if w.lo <= last.hi && w.hi-last.lo <= 4*windowMax {
			s.open[d] = window{last.lo, max(w.hi, last.hi)}
			return
		}
		s.searchWindow(d, last)
	}
	if s.open == nil {
		s.open = map[*detector]window{}
	}
	s.open[d] = w
}

// searchAll runs a detector without keywords over the whole text; an expression runs in overlapping windows.
func (s *scan) searchAll(d *detector) {
	switch {
	case d.look != nil:
		d.look(s, 0, len(s.text))
		return
	case d.expr == "":
		return
	}
	for lo := 0; lo < len(s.text) && !s.watch.isOver(); lo += 3 * windowMax {
		s.searchWindow(d, window{s.breakBefore(lo), s.breakAfter(lo + 4*windowMax)})
	}
}

// searchWindow accepts all matches of an expression in a window.
func (s *scan) searchWindow(d *detector, w window) {
	if s.watch.isOver() {
		return
	}
	part := s.text[w.lo:w.hi]
	if d.steps > 0 {
		s.watch.spendSteps(len(part), d.steps)
	} else {
		s.watch.spend(3 * len(part))
	}
	for _, loc := range d.program().re().FindAllStringSubmatchIndex(part, -1) {
		if d.steps > 0 {
			s.watch.spend(matchUnits)
		}
		s.acceptMatch(d, w.lo, part, loc)
	}
}

// acceptMatch applies the rule's filters to a match at loc in part, which begins at base, and records what they leave of it.
func (s *scan) acceptMatch(d *detector, base int, part string, loc []int) {
	from, to := secretGroup(d.group, loc)
	if from < 0 {
		return
	}
	secret := part[from:to]
	trimmed := strings.Trim(secret, "\n")
	if n := len(trimmed); n > 2 && trimmed[0] == trimmed[n-1] && strings.IndexByte("\"'`", trimmed[0]) >= 0 {
		trimmed = trimmed[1 : n-1]
	}
	from += strings.Index(secret, trimmed)
	to = from + len(trimmed)
	if end := base + to; d.rank == rankVendor && strings.HasSuffix(trimmed, ".") && (end == len(s.text) || isBlank(s.text[end])) {
		trimmed, to = trimmed[:len(trimmed)-1], to-1 // the dot ends a sentence
	}
	if trimmed == "" || d.entropy > 0 && entropy(trimmed) <= d.entropy {
		return
	}
	m := match{secret: trimmed, text: part[loc[0]:loc[1]], line: func() string { return s.linesAround(base+loc[0], base+loc[1]) }}
	if d.assign {
		nameAt := keyStart(s.text, base+loc[0])
		m.text = s.text[nameAt : base+loc[1]]
		if d.rank == rankGeneric && isTypeName(s.text, nameAt) {
			return
		}
	}
	if d.allow != nil && d.allow(s, m) || d.rank == rankGeneric && s.isExempt(base+from, base+to) {
		return
	}
	s.addFinding(d, base+from, base+to)
}

// secretGroup returns the bounds of the secret: of the given group, else of the first with text, else of the match.
func secretGroup(group int, loc []int) (from, to int) {
	if group > 0 {
		return loc[2*group], loc[2*group+1]
	}
	for i := 2; i < len(loc); i += 2 {
		if loc[i] >= 0 && loc[i] < loc[i+1] {
			return loc[i], loc[i+1]
		}
	}
	return loc[0], loc[1]
}

func (s *scan) addFinding(d *detector, start, end int) {
	if start < end {
		s.found = append(s.found, finding{start, end, d})
	}
}

// linesAround returns the lines that contain text[start:end], or their part within windowAfter bytes on either side.
func (s *scan) linesAround(start, end int) string {
	before, after := s.text[max(0, start-windowAfter):start], s.text[end:min(len(s.text), end+windowAfter)]
	start -= len(before) - 1 - strings.LastIndexByte(before, '\n')
	if n := strings.IndexByte(after, '\n'); n >= 0 {
		after = after[:n]
	}
	return s.text[start : end+len(after)]
}

// breakBefore moves a window's start left, out of the word it would cut, by at most windowAfter bytes.
func (s *scan) breakBefore(at int) int {
	at = max(at, 0)
	for limit := at - windowAfter; at > 0 && at > limit && isWord(s.text[at-1]); {
		at--
	}
	return runeStart(s.text, at)
}

// breakAfter does the same for a window's end, to the right.
func (s *scan) breakAfter(at int) int {
	at = min(at, len(s.text))
	for limit := at + windowAfter; at < len(s.text) && at < limit && isWord(s.text[at]); {
		at++
	}
	return runeStart(s.text, at)
}

// runeStart moves at left to the start of a rune.
func runeStart(text string, at int) int {
	for i := 0; i < utf8.UTFMax && at > 0 && at < len(text) && !utf8.RuneStart(text[at]); i++ {
		at--
	}
	return at
}

func isWord(c byte) bool { return letterClass[c] != other || c == '_' }

// insideBlob reports whether text[start] continues a run of base64 after "+" or "/": in a long one, the short prefixes
// of tokens occur by chance.
func insideBlob(text string, start int) bool {
	const blob = 24
	if c := text[start-1]; c != '+' && c != '/' || start <= blob {
		return false
	}
	part := text[start-1-blob : start-1]
	for i := range len(part) {
		if !isBase64(part[i]) {
			return false
		}
	}
	const all = lower | upper | digit
	bits, _, _ := measureRandomness(part)
	return bits >= wordlikeBits && alphabetIn(part)&all == all
}
