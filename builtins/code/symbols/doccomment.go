package symbols

import (
	"bytes"
	"cmp"
	"slices"
)

// maxDocLines bounds how many line comments above a definition are read.
const maxDocLines = 200

// docBefore is the first sentence of the comment right above token i: no blank
// line and no other token may stand between.
func (s *Scanner) docBefore(i int) span {
	if i < 0 || i >= s.limit {
		return span{}
	}
	k := s.commentFrom(s.toks[i].off) - 1
	if k < 0 {
		return span{}
	}
	var floor uint32 // end of the token before
	if i > 0 {
		floor = s.toks[i-1].end
	}
	last := s.comments[k]
	if last.off < floor || s.toks[i].line-last.endLine > 1 || !last.own || s.foreign(last) {
		return span{}
	}
	first := k
	if s.lineComment(last) {
		for first > 0 && k-first < maxDocLines {
			c := s.comments[first-1]
			if !c.own || c.off < floor || c.endLine != s.comments[first].line-1 || !s.lineComment(c) || s.foreign(c) {
				break
			}
			first--
		}
	}
	return s.docText(s.comments[first : k+1])
}

// foreign says that a comment speaks of the whole file: Rust's //! and the
// "#!" line of a script.
func (s *Scanner) foreign(c comment) bool {
	text := s.src[c.off:c.end]
	return bytes.HasPrefix(text, []byte("//!")) || (c.off <= 3 && bytes.HasPrefix(text, []byte("#!")))
}

// docBehind is the comment that follows token i on its line, which is how
// fields and constants are often explained.
func (s *Scanner) docBehind(i int) span {
	if i < 0 || i >= s.limit {
		return span{}
	}
	k := s.commentFrom(s.toks[i].end)
	if k >= len(s.comments) {
		return span{}
	}
	c := s.comments[k]
	if c.line != s.toks[i].line || c.endLine != c.line || s.codeBetween(i, c.off) {
		return span{}
	}
	return s.docText(s.comments[k : k+1])
}

// codeBetween says that more than a value and a separator stands between token
// i and the comment at off: another name on the line, which owns the comment.
func (s *Scanner) codeBetween(i int, off uint32) bool {
	return i+4 < s.limit && s.toks[i+4].end < off
}

func (s *Scanner) lineComment(c comment) bool {
	return !bytes.HasPrefix(s.src[c.off:c.end], []byte("/*")) && c.line == c.endLine
}

// trailingDoc says that a comment on the same line explains this kind.
func trailingDoc(k Kind) bool {
	switch k {
	case KindField, KindMember, KindConstant, KindVariable, KindMacro:
		return true
	}
	return false
}

// docText writes the first sentence of some comments.
func (s *Scanner) docText(comments []comment) span {
	w := sentence{buf: s.buf, start: len(s.buf)}
	for _, c := range comments {
		body, more := s.src[c.off:c.end], true
		for len(body) > 0 && more && !w.done {
			var line []byte
			line, body, more = cutLine(body)
			w.line(line)
		}
	}
	s.buf = w.close()
	return span{uint32(w.start), uint32(len(s.buf) - w.start)}
}

func cutLine(b []byte) (line, rest []byte, more bool) {
	return bytes.Cut(b, []byte{'\n'})
}

// docString writes the first sentence of a string literal, quotes included.
func (s *Scanner) docString(i int) span {
	body := s.text(i)
	body = bytes.TrimLeft(body, "rRuUbBfF")
	body = bytes.Trim(body, `"'`)
	w := sentence{buf: s.buf, start: len(s.buf), plain: true}
	for more := true; more && !w.done; {
		var line []byte
		line, body, more = cutLine(body)
		w.line(line)
	}
	s.buf = w.close()
	return span{uint32(w.start), uint32(len(s.buf) - w.start)}
}

// sentence gathers words until a sentence or paragraph ends.
type sentence struct {
	buf   []byte
	start int
	done  bool
	plain bool // no comment markers to strip
	lines int
}

func (w *sentence) close() []byte {
	text := clipped(w.buf[w.start:], maxDoc)
	return w.buf[:w.start+len(bytes.TrimRight(text, " "))]
}

// line takes one line of a comment.
func (w *sentence) line(line []byte) {
	text := bytes.TrimSpace(line)
	if !w.plain {
		text = stripMarkers(text)
	}
	if w.lines++; w.lines > maxDocLines {
		w.done = true
		return
	}
	switch {
	case len(text) == 0 || ruler(text) || bytes.HasPrefix(text, []byte(":param")):
		w.done = w.done || len(w.buf) > w.start
	case directiveComment(text):
		w.done = len(w.buf) > w.start
	case text[0] == '@' || text[0] == '\\':
		if rest, ok := summaryTag(text); ok {
			w.words(rest)
			return
		}
		w.done = true
	default:
		w.words(text)
	}
}

// words adds the words of a line up to the end of the sentence.
func (w *sentence) words(text []byte) {
	for len(text) > 0 && !w.done {
		text = bytes.TrimLeft(text, " \t\r")
		if n := markupLen(text); n > 0 {
			w.reference(text[:n])
			text = text[n:]
			continue
		}
		n := wordLen(text)
		if n == 0 {
			break
		}
		w.word(text[:n], n < len(text) && text[n] == '<')
		text = text[n:]
	}
}

// wordLen is the length of the first word, which markup ends.
func wordLen(text []byte) int {
	for n, c := range text {
		if c <= ' ' || n > 0 && (c == '<' || c == '{') && markupLen(text[n:]) > 0 {
			return n
		}
	}
	return len(text)
}

func (w *sentence) word(word []byte, glued bool) {
	if n := len(w.buf); n > w.start && w.buf[n-1] != '(' && !(len(word) == 1 && bytes.IndexByte([]byte(".,;:)"), word[0]) >= 0) {
		w.buf = append(w.buf, ' ')
	}
	w.buf = append(w.buf, word...)
	w.done = len(w.buf)-w.start > maxDoc || !glued && endsSentence(word)
}

// reference takes a tag or an inline tag: {@link X}, <see cref="X"/>, <p>.
func (w *sentence) reference(tag []byte) {
	switch {
	case tag[0] == '{':
		name := bytes.Fields(bytes.Trim(tag, "{}"))
		if len(name) > 1 {
			w.word(bytes.TrimPrefix(name[1], []byte("#")), true)
		}
	case bytes.Contains(tag, []byte("cref=\"")):
		_, name, _ := bytes.Cut(tag, []byte("cref=\""))
		name, _, _ = bytes.Cut(name, []byte{'"'})
		if n := bytes.IndexByte(name, ':'); n == 1 {
			name = name[2:]
		}
		w.word(name, true)
	case bytes.HasPrefix(tag, []byte("<p")) && len(w.buf) > w.start:
		w.done = true
	}
}

// markupLen is the length of the HTML, XML or Javadoc tag that text starts
// with, 0 when it starts with none.
func markupLen(text []byte) int {
	if len(text) < 3 {
		return 0
	}
	end := byte('>')
	switch {
	case text[0] == '{' && text[1] == '@':
		end = '}'
	case text[0] != '<' || !htmlTag(text[1:]):
		return 0
	}
	n := bytes.IndexByte(text[:min(len(text), 120)], end)
	return n + 1
}

// htmlTags are the tags that doc comments use; other words between angle
// brackets are type arguments or placeholders and stay.
var htmlTags = []string{ // sorted
	"a", "b", "br", "c", "code", "div", "em", "h1", "h2", "h3", "i", "inheritdoc", "li", "ol", "p", "para",
	"paramref", "pre", "remarks", "see", "strong", "summary", "tt", "typeparamref", "ul",
}

func htmlTag(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte{'/'})
	n := 0
	for n < len(text) && isWord(text[n]) && n < 16 {
		n++
	}
	_, ok := slices.BinarySearchFunc(htmlTags, text[:n], func(a string, b []byte) int { return cmp.Compare(a, string(b)) })
	return ok
}

// stripMarkers drops what makes a line a comment.
func stripMarkers(text []byte) []byte {
	text = bytes.TrimSuffix(text, []byte("*/"))
	for _, m := range []string{"=begin", "=end", "/**", "/*!", "/*", "///", "//!", "//"} {
		if bytes.HasPrefix(text, []byte(m)) {
			text = text[len(m):]
			break
		}
	}
	text = bytes.TrimLeft(text, "*#- \t!")
	return bytes.TrimSpace(withoutTags(text))
}

// withoutTags takes XML tags such as <summary> off both ends of a line, and
// doxygen's mark of a trailing comment.
func withoutTags(text []byte) []byte {
	for len(text) > 0 && text[0] == '<' {
		end := bytes.IndexByte(text, '>')
		if end < 0 {
			return text[1:]
		}
		text = bytes.TrimSpace(text[end+1:])
	}
	if i := bytes.LastIndex(text, []byte("</")); i > 0 && text[len(text)-1] == '>' {
		text = text[:i]
	}
	return text
}

// ruler says that a line has no letter or digit, as rows of dashes have not.
func ruler(text []byte) bool {
	for _, c := range text {
		if isWord(c) && c != '_' {
			return false
		}
	}
	return true
}

var directives = [][]byte{
	[]byte("go:"), []byte("+build"), []byte("nolint"), []byte("eslint"), []byte("istanbul"), []byte("prettier"),
	[]byte("@ts-"), []byte("noqa"), []byte("type:"), []byte("pylint"), []byte("rubocop"), []byte("frozen_string"),
	[]byte("noinspection"), []byte("swiftlint"), []byte("clang-format"), []byte("NOLINT"), []byte("biome-"),
	[]byte("MARK:"), []byte("pragma"), []byte("region"), []byte("-*-"), []byte("vim:"), []byte("shellcheck"),
}

// directiveComment says that a line speaks to a tool.
func directiveComment(text []byte) bool {
	for _, d := range directives {
		if bytes.HasPrefix(text, d) {
			return true
		}
	}
	return false
}

// summaryTag is the text behind a tag that introduces a description.
func summaryTag(text []byte) ([]byte, bool) {
	for _, tag := range []string{"brief ", "summary ", "description ", "desc ", "short "} {
		if rest, ok := bytes.CutPrefix(text[1:], []byte(tag)); ok {
			return rest, true
		}
	}
	return nil, false
}

// endsSentence says that a word ends a sentence, abbreviations aside.
func endsSentence(word []byte) bool {
	if bytes.HasSuffix(word, []byte("。")) {
		return true
	}
	bare := bytes.TrimRight(word, `)"'*`)
	if len(bare) == 0 {
		return false
	}
	switch bare[len(bare)-1] {
	case '!', '?':
		return len(bare) > 1
	case '.':
		return len(bare) > 1 && !bytes.HasSuffix(bare, []byte("..")) && !abbreviation(bare)
	}
	return false
}

func abbreviation(word []byte) bool {
	switch string(bytes.ToLower(bytes.TrimLeft(word, "(["))) {
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "resp.", "incl.", "no.":
		return true
	}
	return len(word) == 2 && isUpper(word[0]) // an initial
}
