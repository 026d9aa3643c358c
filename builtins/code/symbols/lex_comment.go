package symbols

import "bytes"

// slashComment consumes a comment that starts with a slash, if one does.
func (l *lexer) slashComment() bool {
	switch l.peek(1) {
	case '/':
		l.lineComment()
	case '*':
		if l.rules.lang == CUE {
			return false
		}
		l.blockComment()
	default:
		return false
	}
	return true
}

// lineComment consumes up to the end of the line, without the line break.
func (l *lexer) lineComment() {
	end := len(l.src)
	if n := bytes.IndexByte(l.src[l.i:], '\n'); n >= 0 {
		end = l.i + n
	}
	if l.rules.lang == PHP { // "?>" ends PHP even inside a line comment
		if n := bytes.Index(l.src[l.i:end], []byte("?>")); n >= 0 {
			end = l.i + n
		}
	}
	l.addComment(end)
}

// blockComment consumes /* … */; an open one ends with the file.
func (l *lexer) blockComment() {
	depth, j := 1, l.i+2
	for depth > 0 {
		n := bytes.IndexByte(l.src[j:], '/')
		if n < 0 {
			j = len(l.src)
			break
		}
		j += n + 1
		if l.src[j-2] == '*' && j-2 >= l.i+2 {
			depth--
		} else if l.rules.nested && j < len(l.src) && l.src[j] == '*' {
			depth++
			j++
		}
	}
	l.addComment(j)
}

func (l *lexer) addComment(end int) {
	c := comment{off: uint32(l.i), end: uint32(end), line: l.line, own: l.fresh}
	l.skipTo(end)
	c.endLine = l.line
	if c.endLine != c.line {
		l.fresh = true
	}
	l.comments = append(l.comments, c)
}

// preprocessor takes a whole directive, continuation lines included, as one
// token. A region under "#if 0" is a comment.
func (l *lexer) preprocessor() {
	end := l.directiveEnd(l.i)
	text := directiveWords(l.src[l.i:end])
	l.emit(tokDirective, 0, end)
	if l.rules.lang != CSharp && text == "if 0" {
		l.skipDisabled()
	}
}

// directiveEnd finds the end of a preprocessor line that starts at i: the
// first line break that no backslash and no block comment carries on.
func (l *lexer) directiveEnd(i int) int {
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

// directiveWords is the directive without its #, at most 32 bytes, blanks
// collapsed: "if 0", "define", "include".
func directiveWords(line []byte) string {
	line = line[:min(len(line), 64)]
	words := bytes.Fields(bytes.TrimPrefix(line, []byte("#")))
	return string(bytes.Join(words[:min(len(words), 2)], []byte(" ")))
}

// skipDisabled consumes from "#if 0" to its #else, #elif or #endif.
func (l *lexer) skipDisabled() {
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
