package symbols

import "bytes"

// readSlashComment reads the comment that starts with the slash, if any.
func (l *lexer) readSlashComment() bool {
	switch l.peek(1) {
	case '/':
		l.readLineComment()
	case '*':
		if l.rules.lang == CUE {
			return false
		}
		l.readBlockComment()
	default:
		return false
	}
	return true
}

// readLineComment reads up to the end of the line, without the line break.
func (l *lexer) readLineComment() {
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

// readBlockComment reads /* … */; an unclosed comment ends with the file.
func (l *lexer) readBlockComment() {
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

// addComment adds the comment from l.i to end and moves after it.
func (l *lexer) addComment(end int) {
	if l.i < l.bodyEnd {
		end = min(end, l.bodyEnd)
	}
	c := comment{off: uint32(l.i), end: uint32(end), line: l.line, own: l.fresh}
	l.skipTo(end)
	c.endLine = l.line
	if c.endLine != c.line {
		l.fresh = true
	}
	l.comments = append(l.comments, c)
}
