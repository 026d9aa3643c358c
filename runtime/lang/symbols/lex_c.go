package symbols

import "bytes"

// cLexer reads what is specific to C, C++ and C#.
type cLexer struct{ *lexer }

// readDirective reads a whole directive, including continuation lines, as one token. The text under "#if 0" is a
// comment.
func (l cLexer) readDirective() {
	end := l.findDirectiveEnd(l.i)
	text := directiveWords(l.src[l.i:end])
	l.emit(tokDirective, 0, end)
	if l.rules.lang != CSharp && text == "if 0" {
		l.skipDisabled()
	}
}

// findDirectiveEnd returns the end of the preprocessor line that starts at i: the first line break that neither a
// backslash nor a block comment continues.
func (l cLexer) findDirectiveEnd(i int) int {
	for i < len(l.src) {
		n := bytes.IndexAny(l.src[i:], "\n/")
		if n < 0 {
			return len(l.src)
		}
		i += n
		switch {
		case l.src[i] == '\n':
			if !bytes.HasSuffix(bytes.TrimSuffix(l.src[l.i:i], []byte{'\r'}), []byte{'\\'}) {
				return i
			}
		case bytes.HasPrefix(l.src[i:], []byte("//")):
			return i
		case bytes.HasPrefix(l.src[i:], []byte("/*")):
			n := bytes.Index(l.src[i+2:], []byte("*/"))
			if n < 0 {
				return len(l.src)
			}
			i += n + 3
		}
		i++
	}
	return len(l.src)
}

// skipDisabled reads from "#if 0" to its #else, #elif or #endif.
func (l cLexer) skipDisabled() {
	depth, j := 0, l.i
	for j < len(l.src) {
		end := len(l.src)
		if n := bytes.IndexByte(l.src[j:], '\n'); n >= 0 {
			end = j + n
		}
		line := bytes.TrimLeft(l.src[j:end], " \t\r")
		if bytes.HasPrefix(line, []byte("#")) {
			word := bytes.TrimLeft(line[1:], " \t")
			switch {
			case bytes.HasPrefix(word, []byte("if")):
				depth++
			case depth == 0 && (bytes.HasPrefix(word, []byte("el")) || bytes.HasPrefix(word, []byte("endif"))):
				l.addComment(j)
				return
			case bytes.HasPrefix(word, []byte("endif")):
				depth--
			}
		}
		j = end + 1
	}
	l.addComment(len(l.src))
}

// maxDirectiveWords limits the text that identifies a directive, in bytes.
const maxDirectiveWords = 64

// directiveWords returns the first two words of a directive without its #: "if 0", "define X", "include <x>".
func directiveWords(line []byte) string {
	line = line[:min(len(line), maxDirectiveWords)]
	words := bytes.Fields(bytes.TrimPrefix(line, []byte("#")))
	return string(bytes.Join(words[:min(len(words), 2)], []byte(" ")))
}

// maxRawTag is the length that C++ allows for the tag of a raw string.
const maxRawTag = 16

// readPrefixedString reads L"…", u8"…" and C++ raw strings R"tag(…)tag".
func (l cLexer) readPrefixedString(word []byte, j int) bool {
	raw := word[len(word)-1] == 'R' && l.src[j] == '"'
	if raw {
		word = word[:len(word)-1]
	}
	switch string(word) {
	case "", "L", "u", "U", "u8":
	default:
		return false
	}
	if !raw {
		if l.src[j] == '\'' {
			return l.readChar(j + 1)
		}
		return l.readQuoted('"', quoteLine, j+1)
	}
	tag := j + 1
	for tag < len(l.src) && tag-j <= maxRawTag+1 && l.src[tag] != '(' {
		tag++
	}
	if tag >= len(l.src) || l.src[tag] != '(' {
		return l.readQuoted('"', quoteLine, j+1)
	}
	l.emit(tokString, '"', l.findClosingTag(tag+1, l.src[j+1:tag]))
	return true
}

// findClosingTag returns the offset after ")tag" and a quote, searching from j.
func (l cLexer) findClosingTag(j int, tag []byte) int {
	for ; j < len(l.src); j++ {
		end := j + 1 + len(tag)
		if l.src[j] == ')' && end < len(l.src) && l.src[end] == '"' && string(l.src[j+1:end]) == string(tag) {
			return end + 1
		}
	}
	return len(l.src)
}
