package symbols

import (
	"bytes"
	"cmp"
	"slices"
)

// sentence collects words until a sentence or paragraph ends.
type sentence struct {
	buf   []byte
	start int
	done  bool
	plain bool // no comment markers to strip
	lines int
}

// finish returns the buffer with the sentence cut to size.
func (w *sentence) finish() []byte {
	text := clip(w.buf[w.start:], maxDoc)
	return w.buf[:w.start+len(bytes.TrimRight(text, " "))]
}

// addLine adds one line of a comment.
func (w *sentence) addLine(line []byte) {
	text := bytes.TrimSpace(line)
	if !w.plain {
		text = stripMarkers(text)
	}
	if w.lines++; w.lines > maxDocLines {
		w.done = true
		return
	}
	switch {
	case len(text) == 0 || isRuler(text) || bytes.HasPrefix(text, []byte(":param")):
		w.done = w.done || len(w.buf) > w.start
	case isDirectiveComment(text):
		w.done = len(w.buf) > w.start
	case text[0] == '@' || text[0] == '\\':
		if rest, ok := summaryTag(text); ok {
			w.addWords(rest)
			return
		}
		w.done = true
	default:
		w.addWords(text)
	}
}

// addWords adds the words of a line up to the end of the sentence.
func (w *sentence) addWords(text []byte) {
	for len(text) > 0 && !w.done {
		text = bytes.TrimLeft(text, " \t\r")
		if n := markupLen(text); n > 0 {
			w.addReference(text[:n])
			text = text[n:]
			continue
		}
		n := wordLen(text)
		if n == 0 {
			break
		}
		w.addWord(text[:n], n < len(text) && text[n] == '<')
		text = text[n:]
	}
}

// wordLen returns the length of the first word, which ends at a blank or at markup.
func wordLen(text []byte) int {
	for n, c := range text {
		if c <= ' ' || n > 0 && (c == '<' || c == '{') && markupLen(text[n:]) > 0 {
			return n
		}
	}
	return len(text)
}

// addWord adds a word, preceded by a blank if needed; glued reports that markup follows it immediately.
func (w *sentence) addWord(word []byte, glued bool) {
	if n := len(w.buf); n > w.start && w.buf[n-1] != '(' && !(len(word) == 1 && bytes.IndexByte([]byte(".,;:)"), word[0]) >= 0) {
		w.buf = append(w.buf, ' ')
	}
	w.buf = append(w.buf, word...)
	w.done = len(w.buf)-w.start > maxDoc || !glued && endsSentence(word)
}

// addReference reads a tag or an inline tag: {@link X}, <see cref="X"/>, <p>.
func (w *sentence) addReference(tag []byte) {
	switch {
	case tag[0] == '{':
		name := bytes.Fields(bytes.Trim(tag, "{}"))
		if len(name) > 1 {
			w.addWord(bytes.TrimPrefix(name[1], []byte("#")), true)
		}
	case bytes.Contains(tag, []byte("cref=\"")):
		_, name, _ := bytes.Cut(tag, []byte("cref=\""))
		name, _, _ = bytes.Cut(name, []byte{'"'})
		if n := bytes.IndexByte(name, ':'); n == 1 {
			name = name[2:]
		}
		w.addWord(name, true)
	case bytes.HasPrefix(tag, []byte("<p")) && len(w.buf) > w.start:
		w.done = true
	}
}

// Limits on a tag in a doc comment and on its name, in bytes.
const (
	maxDocTag  = 120
	maxTagName = 16
)

// markupLen returns the length of the HTML, XML or Javadoc tag at the start of text, or 0 if there is none.
func markupLen(text []byte) int {
	if len(text) < 3 {
		return 0
	}
	end := byte('>')
	switch {
	case text[0] == '{' && text[1] == '@':
		end = '}'
	case text[0] != '<' || !isHTMLTag(text[1:]):
		return 0
	}
	n := bytes.IndexByte(text[:min(len(text), maxDocTag)], end)
	return n + 1
}

// htmlTags lists the tags that doc comments use; other words in angle brackets are type arguments or placeholders and
// are kept.
var htmlTags = []string{ // sorted
	"a", "b", "br", "c", "code", "div", "em", "h1", "h2", "h3", "i", "inheritdoc", "li", "ol", "p", "para",
	"paramref", "pre", "remarks", "see", "strong", "summary", "tt", "typeparamref", "ul",
}

// isHTMLTag reports whether text starts with the name of a tag.
func isHTMLTag(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte{'/'})
	n := 0
	for n < len(text) && isWord(text[n]) && n < maxTagName {
		n++
	}
	_, ok := slices.BinarySearchFunc(htmlTags, text[:n], func(a string, b []byte) int { return cmp.Compare(a, string(b)) })
	return ok
}

// closesComment maps the start of a comment to its end on the same line.
var closesComment = map[string]string{"--[[": "]]", "{-": "-}", "<#": "#>"}

// stripMarkers removes the comment markers of a line.
func stripMarkers(text []byte) []byte {
	text = bytes.TrimSuffix(text, []byte("*/"))
	for _, m := range []string{"=begin", "=end", "/**", "/*!", "/*", "///", "//!", "//", "--[[", "{-", "<#"} {
		if bytes.HasPrefix(text, []byte(m)) {
			text = bytes.TrimSuffix(text[len(m):], []byte(closesComment[m]))
			break
		}
	}
	text = bytes.TrimLeft(text, "*#- \t!")
	for _, m := range []string{": ", "| ", "' "} { // of Sphinx, Haddock and roxygen
		text = bytes.TrimPrefix(text, []byte(m))
	}
	return bytes.TrimSpace(withoutTags(text))
}

// withoutTags removes XML tags such as <summary> from both ends of a line, and doxygen's mark of a trailing comment.
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

// isRuler reports whether a line has no letter or digit, such as a row of dashes.
func isRuler(text []byte) bool {
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

// isDirectiveComment reports whether a line addresses a tool.
func isDirectiveComment(text []byte) bool {
	return slices.ContainsFunc(directives, func(d []byte) bool { return bytes.HasPrefix(text, d) })
}

// summaryTag returns the text after a tag that introduces a description.
func summaryTag(text []byte) ([]byte, bool) {
	for _, tag := range []string{"brief ", "summary ", "description ", "desc ", "short "} {
		if rest, ok := bytes.CutPrefix(text[1:], []byte(tag)); ok {
			return rest, true
		}
	}
	return nil, false
}

// endsSentence reports whether a word ends a sentence, excluding abbreviations.
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
		return len(bare) > 1 && !bytes.HasSuffix(bare, []byte("..")) && !isAbbreviation(bare)
	}
	return false
}

// isAbbreviation reports whether a word ends with the period of an abbreviation.
func isAbbreviation(word []byte) bool {
	switch string(bytes.ToLower(bytes.TrimLeft(word, "(["))) {
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "resp.", "incl.", "no.":
		return true
	}
	return len(word) == 2 && isUpper(word[0]) // an initial
}

// cutLine splits off the first line.
func cutLine(b []byte) (line, rest []byte, more bool) {
	return bytes.Cut(b, []byte{'\n'})
}
