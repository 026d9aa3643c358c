package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// kind is the kind of a unit in its document.
type kind uint8

const (
	prose kind = iota
	item       // of a list
	row        // of a table
	code
	heading // names the text after it; it answers nothing on its own
)

// unit is a stretch of a passage that is taken or left as a whole.
type unit struct {
	kind    kind
	passage int // its index among the passages
	span        // in the passage's text
	block   int // paragraph, list or table; counted over all passages
	place   int // its index in the block
	under   int // index of the heading above it in the same passage; -1 for none
	head    int // index of the row that names the columns; -1 for none
	intro   int // index of the sentence that introduces the list or the code; -1 for none
	terms   map[string]float64
	sorted  []string // the terms, in the order in which they are always summed up
	norm    float64  // of their weights as a vector
	wide    int      // approximate tokens
}

// documentSpan returns the place of a unit in its document.
func (u *unit) documentSpan(p *Passage) span { return span{p.Start + u.start, p.Start + u.end} }

// Unit is a part of a passage that can be quoted as a whole.
type Unit struct {
	Citation
	Kind    string // sentence, item, row, code or heading
	Heading string // the nearest one above it in its passage
}

var kindNames = [...]string{prose: "sentence", item: "item", row: "row", code: "code", heading: "heading"}

// Units returns the parts of passages that can be quoted, in their order.
func Units(passages []Passage) []Unit {
	passages = readablePassages(passages)
	var out []Unit
	list := splitUnits(passages)
	for _, u := range list {
		p := &passages[u.passage]
		x := Unit{Citation: cite(p, u.span), Kind: kindNames[u.kind]}
		if u.under >= 0 {
			h := list[u.under]
			x.Heading = strings.Trim(p.Text[h.start:h.end], "#= ")
		}
		out = append(out, x)
	}
	return out
}

// maxCode is the maximum number of lines of code in a unit.
const maxCode = 16

// reader splits passages into units.
type reader struct {
	units   []unit
	passage int
	text    string
	block   int
	under   int
	head    int
	intro   int
	para    span // the open paragraph or item
	kind    kind // of para

	// of reStructuredText
	rst     bool
	literal int // indent of the line that announced code by two colons; -1 for none
	indent  int // of the line before
	scopes  []scope
}

// splitUnits splits passages into units, in their order.
func splitUnits(passages []Passage) []unit {
	r := &reader{}
	for i := range passages {
		r.passage, r.text, r.under, r.head, r.intro, r.rst = i, passages[i].Text, -1, -1, -1, isRST(&passages[i])
		r.block++
		r.read()
	}
	return r.units
}

// read goes over the lines of a passage once.
func (r *reader) read() {
	r.para, r.literal, r.indent, r.scopes = span{}, -1, 0, nil
	at := r.skipFrontMatter()
	if !r.rst && insideCode(r.text[at:]) {
		at = r.addFenced(at, "```")
	}
	blank := true
	for at < len(r.text) && len(r.units) < maxUnits {
		end := lineEnd(r.text, at)
		line := strings.TrimRight(r.text[at:end], " \t\r\n")
		body := strings.TrimLeft(line, " \t>")
		if body == "" {
			r.flush()
		} else {
			end = r.readLine(at, end, line, body, blank)
		}
		blank = body == ""
		at = end
	}
	r.flush()
	r.block++
}

// readLine reads a line that is not empty, and the block that it opens, and returns where the text continues.
func (r *reader) readLine(at, end int, line, body string, blank bool) int {
	if r.rst {
		if next := r.readRST(at, end, line, body, blank); next > 0 {
			return next
		}
	}
	switch {
	case strings.HasPrefix(body, "```"), strings.HasPrefix(body, "~~~"):
		r.flush()
		return r.addFenced(end, body)
	case blank && isIndented(line) && r.kind != item && markerLength(body) == 0: // not an item of a list that began before
		return r.indentedCode(at)
	case strings.HasPrefix(body, "<h"):
		return r.addTagged(at, end, blank)
	}
	r.addLine(at, end, body, blank)
	return end
}

// addLine adds a line that opens no block of several lines.
func (r *reader) addLine(at, end int, body string, blank bool) {
	switch {
	case headingLevel(body) > 0:
		r.flush()
		r.addHeading(at, end)
	case strings.HasPrefix(body, "|") || strings.Count(body, " | ") > 1:
		r.flush()
		r.addRow(at, end, body)
	case markerLength(body) > 0:
		r.flush()
		r.kind, r.para = item, span{at, end}
	case isUnderline(body):
		r.setext(at, end)
	case isSilent(body):
		r.flush()
	default:
		r.addProse(at, end, blank)
	}
}

// addProse adds a line to the open paragraph or item, or opens a paragraph.
func (r *reader) addProse(at, end int, blank bool) {
	if r.para.end == 0 {
		if r.kind != item || !blank || !isIndented(r.text[at:end]) { // a paragraph of an item stays with its list
			r.kind = prose
			r.block++
		}
		r.para = span{at, end}
		return
	}
	r.para.end = end
}

// flush ends the open paragraph or item.
func (r *reader) flush() {
	p := r.para
	r.para = span{}
	if p.end == 0 {
		return
	}
	start := p.start
	if r.kind == item { // its mark is not a sentence: 1. and 2) do not end one
		lead := len(r.text[start:p.end]) - len(strings.TrimLeft(r.text[start:p.end], " \t>"))
		start += lead + markerLength(r.text[start+lead:p.end])
	}
	list := splitSentences(r.text, start, p.end)
	if r.kind == prose && len(list) == 1 && isQuestion(r.text[p.start:p.end]) {
		r.addHeading(p.start, p.end)
		return
	}
	for i, s := range list {
		from := s.start
		if i == 0 && r.kind == item {
			from = trim(r.text, p.start, p.end).start
		}
		r.add(r.kind, from, s.end)
	}
}

// add appends a unit if it has a letter or a digit.
func (r *reader) add(k kind, start, end int) {
	s := trim(r.text, start, end)
	if len(r.units) >= maxUnits || !hasText(r.text[s.start:s.end]) {
		return
	}
	for k != code && s.end-s.start > maxSentence { // a heading or a row
		stop := wordEnd(r.text, s.start, s.start+maxSentence)
		r.add(k, s.start, stop)
		if s = trim(r.text, stop, s.end); len(r.units) >= maxUnits {
			return
		}
	}
	u := unit{kind: k, passage: r.passage, span: s, block: r.block, under: r.under, head: -1, intro: -1}
	switch k {
	case row:
		u.head = r.head
	case item, code:
		if n := len(r.units); n > 0 && n-1 != r.intro && r.units[n-1].kind != k {
			r.intro = -1 // it introduced the units in between
		}
		u.intro = r.intro
	case prose, heading:
		r.intro = -1
		if k == prose && opensList(r.text[s.start:s.end]) {
			r.intro = len(r.units)
		}
	}
	if n := len(r.units); n > 0 && r.units[n-1].block == r.block {
		u.place = r.units[n-1].place + 1
	}
	r.units = append(r.units, u)
}

// pointsOn reports whether a text is only a link to another place of its document, like the entries
// of a table of contents.
func pointsOn(text string) bool {
	text = strings.TrimSpace(text)
	text = strings.TrimSpace(text[markerLength(text):])
	return strings.HasPrefix(text, "[") && strings.HasSuffix(text, ")") && strings.Count(text, "](") == 1 && strings.Contains(text, "](#")
}

// opensList reports whether a sentence announces the text after it.
func opensList(sentence string) bool {
	return strings.HasSuffix(sentence, ":") || strings.HasSuffix(sentence, "：")
}

// isQuestion reports whether a text is a question.
func isQuestion(text string) bool {
	text = strings.TrimRight(text, " \t\r\n*_\"”’)")
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || strings.HasSuffix(text, "؟")
}

// addFenced adds code between fences and returns where the text continues.
func (r *reader) addFenced(from int, fence string) int {
	mark := fence[:3]
	at := from
	for at < len(r.text) {
		end := lineEnd(r.text, at)
		if strings.HasPrefix(strings.TrimLeft(r.text[at:end], " \t>"), mark) {
			r.addCode(from, at)
			return end
		}
		at = end
	}
	r.addCode(from, at)
	return at
}

// insideCode reports whether a text begins between fences, as a passage does if code was too long
// for one. A fence that names a language opens: if it would close a block when the text began
// outside, the text began inside. If no fence tells, and their number is odd, the lines before the
// first one decide.
func insideCode(text string) bool {
	fences, opening, closing := 0, 0, 0 // named fences that open and that would close
	lines, coded := 0, 0                // before the first fence
	for line := range strings.Lines(text) {
		body := strings.TrimSpace(strings.TrimLeft(line, " \t>"))
		info, fence := strings.CutPrefix(body, "```")
		switch {
		case fence && strings.Trim(info, "`") != "" && fences%2 == 0:
			opening++
		case fence && strings.Trim(info, "`") != "":
			closing++
		case !fence && fences == 0 && body != "":
			lines++
			if strings.IndexByte("{}[]();,>=", body[len(body)-1]) >= 0 || isIndented(line) {
				coded++
			}
		}
		if fence {
			fences++
		}
	}
	if opening != closing {
		return closing > opening
	}
	return fences%2 == 1 && 2*coded > lines
}

// indentedCode adds indented code and returns where the text continues.
func (r *reader) indentedCode(from int) int {
	at := from
	for at < len(r.text) {
		end := lineEnd(r.text, at)
		if line := r.text[at:end]; strings.TrimSpace(line) != "" && !isIndented(line) {
			break
		}
		at = end
	}
	r.addCode(from, at)
	return at
}

// addCode adds lines of code: all at once if they are few, otherwise some at a time, cut at empty
// lines if there are any.
func (r *reader) addCode(from, to int) {
	r.flush()
	r.kind = prose
	r.block++
	most := maxCode
	if isAnnotated(r.text[from:to]) {
		most = 1
	}
	start, count, gap := from, 0, -1
	for at := from; at < to; {
		end := min(lineEnd(r.text, at), to, at+maxSentence)
		end = max(charBoundary(r.text, end), at+1)
		if strings.TrimSpace(r.text[at:end]) == "" {
			gap = end
		}
		at = end
		if count++; count >= most || at-start >= maxSentence {
			if gap > start && at-start < maxSentence {
				at = gap
			}
			r.add(code, start, at)
			start, count, gap = at, 0, -1
		}
	}
	r.add(code, start, to)
	r.block++
}

// isAnnotated reports whether commands or options are listed one below the other, each with its
// purpose: like the rows of a table, they are quoted one by one.
func isAnnotated(text string) bool {
	lines, said := 0.0, 0.0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines++
			said += worthIf(strings.Contains(line, "  # ") || strings.Contains(line, "\t# ") || strings.HasPrefix(line, "-") && strings.Contains(line, "   "), 1)
		}
	}
	return lines > 1 && said >= lines*2/3
}

// addRow adds a row of a table. The first row names the columns if a rule follows.
func (r *reader) addRow(at, end int, body string) {
	if strings.Trim(body, "|-: \t") == "" { // the rule
		if n := len(r.units); n > 0 && r.units[n-1].kind == row {
			r.head = n - 1
		}
		return
	}
	if n := len(r.units); n == 0 || r.units[n-1].kind != row || r.units[n-1].passage != r.passage {
		r.block++
		r.head = -1
	}
	r.kind = prose
	r.add(row, at, end)
}

// maxTagged is how far the end of a heading between tags is searched for, in bytes.
const maxTagged = 400

// addTagged adds the heading that a line of HTML opens and returns where the text continues. Any other
// line is skipped, or is prose.
func (r *reader) addTagged(at, end int, blank bool) int {
	text := r.text[at:min(len(r.text), at+maxTagged)]
	m := headingTag.FindStringSubmatchIndex(text)
	if m == nil {
		if body := strings.TrimSpace(r.text[at:end]); isSilent(body) {
			r.flush()
		} else {
			r.addProse(at, end, blank)
		}
		return end
	}
	r.flush()
	r.addHeading(at+m[2], at+m[3])
	return lineEnd(r.text, at+m[1]-1)
}

var headingTag = lazyregexp.New(`(?s)^\s*<h[1-6](?:\s[^>]*)?>(.*?)</h[1-6]>`)

// addHeading adds a heading for the units after it.
func (r *reader) addHeading(start, end int) {
	n := len(r.units)
	if r.add(heading, start, end); len(r.units) > n {
		r.under, r.head = len(r.units)-1, -1
	}
	r.block++
}

// setext turns the line before into a heading.
func (r *reader) setext(at, _ int) {
	p := r.para
	if p.end == 0 || r.kind != prose || strings.Count(strings.TrimSpace(r.text[p.start:p.end]), "\n") > 0 {
		r.flush()
		return
	}
	r.para = span{}
	r.addHeading(p.start, at)
}

// skipFrontMatter returns where the text after front matter begins.
func (r *reader) skipFrontMatter() int {
	if !strings.HasPrefix(r.text, "---\n") && !strings.HasPrefix(r.text, "---\r\n") {
		return 0
	}
	at := lineEnd(r.text, 0)
	for n := 0; at < len(r.text) && n < 100; n++ {
		end := lineEnd(r.text, at)
		if strings.TrimRight(r.text[at:end], " \r\n") == "---" {
			return end
		}
		at = end
	}
	return 0
}

func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

func isIndented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}

// headingLevel returns the level of a heading with number signs, or with the equals signs of AsciiDoc, 0 for none.
func headingLevel(body string) int {
	n := 0
	for n < len(body) && body[n] == body[0] {
		n++
	}
	if n == 0 || n > 6 || body[0] != '#' && body[0] != '=' || n < len(body) && body[n] != ' ' && body[n] != '\t' {
		return 0
	}
	if n == len(body) && body[0] == '=' { // an underline
		return 0
	}
	return n
}

// markerLength returns the length of the mark of an item, including the space after it.
func markerLength(body string) int {
	if len(body) > 1 && strings.IndexByte("-*+•", body[0]) >= 0 && (body[1] == ' ' || body[1] == '\t') {
		return 2
	}
	if strings.HasPrefix(body, "• ") || strings.HasPrefix(body, "– ") {
		return len("• ")
	}
	n := 0
	for n < len(body) && n < 9 && body[n] >= '0' && body[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(body) && (body[n] == '.' || body[n] == ')') && body[n+1] == ' ' {
		return n + 2
	}
	return 0
}

// isUnderline reports whether a line consists of signs alone.
func isUnderline(body string) bool {
	return len(body) >= 3 && (strings.Trim(body, "=") == "" || strings.Trim(body, "-") == "" || strings.Trim(body, "*_ ") == "")
}

// isSilent reports whether a line of markup says nothing.
func isSilent(body string) bool {
	return strings.HasPrefix(body, "<") && strings.HasSuffix(body, ">") && !hasText(stripTags(body)) ||
		strings.HasPrefix(body, ":::") || strings.HasPrefix(body, "[") && strings.Contains(body, "]: ")
}

// stripTags returns a line without the text between angle brackets.
func stripTags(line string) string {
	var b strings.Builder
	for line != "" {
		before, rest, ok := strings.Cut(line, "<")
		b.WriteString(before)
		if !ok {
			break
		}
		if _, line, ok = strings.Cut(rest, ">"); !ok {
			break
		}
	}
	return b.String()
}

// hasText reports whether a text has a letter or a digit.
func hasText(text string) bool {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return true
		}
		i += n
	}
	return false
}
