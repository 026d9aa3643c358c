package symbols

import (
	"bytes"
	"unicode/utf8"
)

// Documents: their definitions are headings, each with the text up to the next heading of the same or a higher level.

// docScan reads a document line by line.
type docScan struct {
	*outline
	line  int32
	off   int    // of the line
	prev  []byte // previous line, nil after a blank one
	prevN int    // its offset
	open  []openHeading
	fence []byte // marker that ends a code block, nil outside
	last  int32  // last non-blank line
	marks []byte // reStructuredText: adornments by level, with the high bit for a title with a row above it as well
	row   int32  // line of the last row of one character
	sign  byte   // its character
	wants int    // definition that still lacks a first sentence, -1 for none
	doc   sentence
}

// openHeading is a heading whose text is being read.
type openHeading struct {
	level int
	def   int
	cont  span
}

// scanDocument reads the headings of a document.
func scanDocument(o *outline) {
	d := docScan{outline: o, wants: -1}
	rest := bytes.TrimPrefix(d.src, bom)
	rest = d.skipFrontMatter(rest)
	d.off = len(d.src) - len(rest)
	for len(rest) > 0 {
		line, next, _ := cutLine(rest)
		d.line++
		d.readLine(bytes.TrimSuffix(line, []byte{'\r'}))
		if len(bytes.TrimSpace(line)) > 0 {
			d.last = d.line
		}
		d.off += len(rest) - len(next)
		rest = next
	}
	d.extendDoc()
	d.endHeadings(0, d.line)
}

// skipFrontMatter skips YAML or TOML between rows of dashes or pluses.
func (d *docScan) skipFrontMatter(src []byte) []byte {
	for _, mark := range []string{"---", "+++"} {
		if !bytes.HasPrefix(src, []byte(mark+"\n")) && !bytes.HasPrefix(src, []byte(mark+"\r\n")) {
			continue
		}
		if n := bytes.Index(src, []byte("\n"+mark)); n >= 0 {
			end := n + 1 + len(mark)
			d.line = int32(bytes.Count(src[:end], []byte{'\n'}))
			if k := bytes.IndexByte(src[end:], '\n'); k >= 0 {
				d.line++
				return src[end+k+1:]
			}
			return nil
		}
	}
	return src
}

// readLine reads one line.
func (d *docScan) readLine(line []byte) {
	text := bytes.TrimSpace(line)
	if d.fence != nil {
		if closesFence(text, d.fence) {
			d.fence = nil
		}
		return
	}
	if mark := openFence(d.lang, text); mark != nil {
		d.extendDoc()
		d.fence = mark
		return
	}
	if d.lang == Markdown && d.readUnderlined(text) || d.lang == RST && d.readAdorned(line, text) {
		d.prev = nil // it was a title rather than prose
		return
	}
	d.extendDoc()
	found := d.lang != RST && d.readHashes(line, '#') || d.lang == AsciiDoc && d.readHashes(line, '=')
	if found || len(text) == 0 || len(line) > maxLine {
		if !found && d.doc.lines > 0 {
			d.wants = -1 // the paragraph is over
		}
		return
	}
	d.prev, d.prevN = line, d.off
}

// openFence returns the marker of a code block that starts with this line, or nil.
func openFence(lang Lang, text []byte) []byte {
	switch lang {
	case Markdown:
		for _, c := range []byte("`~") {
			if n := runLen(text, c); n >= 3 && (c == '~' || bytes.IndexByte(text[n:], '`') < 0) {
				return text[:n]
			}
		}
	case AsciiDoc:
		for _, m := range []string{"----", "....", "////", "++++", "```"} {
			if bytes.HasPrefix(text, []byte(m)) && runLen(text, m[0]) == len(text) || m == "```" && bytes.HasPrefix(text, []byte(m)) {
				return text[:runLen(text, m[0])]
			}
		}
	}
	return nil
}

// closesFence reports whether a line ends the code block that mark opened.
func closesFence(text, mark []byte) bool {
	n := runLen(text, mark[0])
	return n >= len(mark) && n == len(text)
}

// runLen returns how many times c is repeated at the start of text.
func runLen(text []byte, c byte) (n int) {
	for n < len(text) && text[n] == c {
		n++
	}
	return n
}

// maxHeadingLevel is the limit of Markdown and AsciiDoc.
const maxHeadingLevel = 6

// readHashes reads "## Heading ##".
func (d *docScan) readHashes(line []byte, mark byte) bool {
	n := runLen(line, mark)
	if n == 0 || n > maxHeadingLevel || n >= len(line) || line[n] != ' ' && line[n] != '\t' {
		return false
	}
	text := bytes.TrimSpace(line[n:])
	text = bytes.TrimRight(bytes.TrimRight(text, string(mark)), " ")
	d.addHeading(n, text, d.line, d.off)
	return true
}

// readUnderlined reads a Markdown heading with a row of = or - below it.
func (d *docScan) readUnderlined(text []byte) bool {
	if d.prev == nil || len(text) < 2 || runLen(text, text[0]) != len(text) || text[0] != '=' && text[0] != '-' {
		return false
	}
	title := bytes.TrimSpace(d.prev)
	if title[0] == '|' || title[0] == '-' || title[0] == '*' || title[0] == '>' || title[0] == '#' || title[0] == '<' {
		return false
	}
	level := 1
	if text[0] == '-' {
		level = 2
	}
	d.addHeading(level, title, d.line-1, d.prevN)
	return true
}

// readAdorned reads a reStructuredText title: a row of one punctuation character, at least as long as the title above
// it, and perhaps above it too. The order in which these styles first occur defines the levels.
func (d *docScan) readAdorned(line, text []byte) bool {
	if len(text) < 2 || isWord(text[0]) || runLen(text, text[0]) != len(text) || isBlank(line[0]) {
		return false
	}
	above := d.row == d.line-2 && d.sign == text[0]
	d.row, d.sign = d.line, text[0]
	if d.prev == nil || isBlank(d.prev[0]) && !above {
		return false
	}
	title := bytes.TrimSpace(d.prev)
	if utf8.RuneCount(title) > len(text)+1 || isRuler(title) || bytes.HasPrefix(title, []byte(".. ")) {
		return false
	}
	mark := text[0]
	if above {
		mark |= 0x80
	}
	d.row = 0 // it is not above the next title
	level := bytes.IndexByte(d.marks, mark)
	if level < 0 {
		d.marks = append(d.marks, mark)
		level = len(d.marks) - 1
	}
	d.addHeading(level+1, title, d.line-1, d.prevN)
	return true
}

// addHeading adds a heading and makes it the container of the following ones.
func (d *docScan) addHeading(level int, title []byte, line int32, off int) {
	d.wants = -1
	name := plainHeading(title)
	if len(name) == 0 || d.isFull() {
		return
	}
	d.endHeadings(level, line-1)
	h := openHeading{level: level, def: len(d.defs)}
	raw := rawDef{kind: KindHeading, line: line, end: line, pos: uint32(off), exported: true}
	if n := len(d.open); n > 0 {
		raw.cont = d.open[n-1].cont
	}
	raw.name = d.put(clip(name, maxName))
	raw.sig = d.put(clip(title, maxSignature))
	h.cont = d.join(raw.cont, " > ", name)
	d.defs = append(d.defs, raw)
	d.open = append(d.open, h)
	d.wants, d.doc = h.def, sentence{start: len(d.buf), plain: true}
}

// endHeadings ends, at a line, the headings of the given level or below, excluding trailing blank lines.
func (d *docScan) endHeadings(level int, line int32) {
	for n := len(d.open) - 1; n >= 0 && d.open[n].level >= level; n-- {
		def := &d.defs[d.open[n].def]
		def.end = max(def.line, min(line, max(d.last, def.line)))
		d.open = d.open[:n]
	}
}

// extendDoc adds the previous line, if it is prose, to the first sentence under a heading, which is the heading's doc.
func (d *docScan) extendDoc() {
	line := d.prev
	if d.prev = nil; d.wants < 0 || line == nil {
		return
	}
	text := bytes.TrimSpace(line)
	list := len(text) > 1 && (text[0] == '-' || text[0] == '*') && text[1] == ' '
	if d.doc.lines == 0 && (list || isBlank(line[0]) || bytes.IndexByte([]byte("#|<![:=.+>"), text[0]) >= 0) {
		return
	}
	d.doc.buf = d.buf
	d.doc.addLine(text)
	d.buf = d.doc.finish()
	d.defs[d.wants].doc = span{uint32(d.doc.start), uint32(len(d.buf) - d.doc.start)}
	if d.doc.done {
		d.wants = -1
	}
}

// plainHeading removes emphasis, code marks, tags, link targets, {#anchors} and reStructuredText roles.
func plainHeading(title []byte) []byte {
	if n := bytes.LastIndex(title, []byte(" {#")); n > 0 && title[len(title)-1] == '}' {
		title = title[:n]
	}
	out := make([]byte, 0, len(title))
	for i := 0; i < len(title); i++ {
		switch c := title[i]; {
		case c == '`':
			if out = dropRole(out); i+1 < len(title) && title[i+1] == '~' {
				i++
			}
		case c == '*' || c == '[' || c == '!' && i+1 < len(title) && title[i+1] == '[':
		case c == '<' && tagLen(title[i:]) > 0:
			i += tagLen(title[i:]) - 1
		case c == ']':
			if i+1 < len(title) && title[i+1] == '(' {
				if n := bytes.IndexByte(title[i:], ')'); n > 0 {
					i += n
				}
			}
		default:
			out = append(out, c)
		}
	}
	return bytes.TrimSpace(out)
}

// dropRole removes ":role:" from the end of out.
func dropRole(out []byte) []byte {
	if !bytes.HasSuffix(out, []byte{':'}) {
		return out
	}
	n := bytes.LastIndexByte(out[:len(out)-1], ':')
	if n < 0 || bytes.IndexByte(out[n:], ' ') >= 0 {
		return out
	}
	return out[:n]
}

// maxTag limits the length of an HTML tag in a heading, in bytes.
const maxTag = 60

// tagLen returns the length of an HTML tag at the start of text, or 0.
func tagLen(text []byte) int {
	if len(text) < 3 || text[1] != '/' && !isIdent(text[1]) {
		return 0
	}
	return bytes.IndexByte(text[:min(len(text), maxTag)], '>') + 1
}
