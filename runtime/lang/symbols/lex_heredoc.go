package symbols

import "bytes"

// heredoc is a body that starts on the next line and ends with a line that consists of its tag.
type heredoc struct {
	tag    string
	indent bool // the tag may be indented
	tail   bool // code may follow the tag (PHP)
}

// maxMisses limits the unsuccessful searches for a heredoc's tag, each of which runs to the end of the file and would
// otherwise make hostile input quadratic.
const maxMisses = 8

// Limits on a tag, in bytes; people read and write tags.
const (
	maxHeredocTag = 128
	maxDollarTag  = 64
)

// queueHeredoc queues a heredoc whose tag is at offset j and returns the offset after the tag, or 0 if there is none.
func (l *lexer) queueHeredoc(j int, h heredoc) int {
	var quote byte
	if j < len(l.src) && (l.src[j] == '\'' || l.src[j] == '"' || l.src[j] == '`' || l.src[j] == '\\') {
		quote = l.src[j]
		j++
	}
	end := j
	for end < len(l.src) && isWord(l.src[end]) && end-j < maxHeredocTag {
		end++
	}
	if end == j || isDigit(l.src[j]) {
		return 0
	}
	h.tag = string(l.src[j:end])
	if quote != 0 && quote != '\\' {
		if end >= len(l.src) || l.src[end] != quote {
			return 0
		}
		end++
	}
	if !l.hasTagAhead(h, end) {
		return 0
	}
	l.heredocs = append(l.heredocs, h)
	return end
}

// hasTagAhead reports whether a later line ends the heredoc. Without this check a shift operator would swallow the rest
// of the file.
func (l *lexer) hasTagAhead(h heredoc, j int) bool {
	if l.misses >= maxMisses || len(l.heredocs) >= maxMisses {
		return false
	}
	if from, _ := l.findTag(h, j); from < 0 {
		l.misses++
		return false
	}
	return true
}

// findTag searches from offset j for the line that ends a heredoc, and returns where the line starts and where its tag
// ends. from is -1 if there is none.
func (l *lexer) findTag(h heredoc, j int) (from, end int) {
	for j < len(l.src) {
		n := bytes.Index(l.src[j:], []byte(h.tag))
		if n < 0 {
			break
		}
		at := j + n
		j = at + 1
		from = at
		for h.indent && from > 0 && isBlank(l.src[from-1]) {
			from--
		}
		if from == 0 || l.src[from-1] != '\n' {
			continue
		}
		end = at + len(h.tag)
		rest := byte('\n')
		if end < len(l.src) {
			rest = l.src[end]
		}
		if rest == '\n' || rest == '\r' || h.tail && !isWord(rest) {
			return from, end
		}
	}
	return -1, -1
}

// readHeredocBodies reads the bodies announced on the last line.
func (l *lexer) readHeredocBodies() {
	for _, h := range l.heredocs {
		from, end := l.findTag(h, max(l.i-1, 0))
		if from < l.i {
			end = len(l.src)
		}
		l.fresh = false // the body belongs to the statement that announced it
		l.emit(tokString, '<', end)
		l.fresh = !h.tail
		if l.i < len(l.src) && !h.tail {
			l.skipLine()
		}
	}
	l.heredocs = l.heredocs[:0]
}

// skipLine moves to the start of the next line.
func (l *lexer) skipLine() {
	n := bytes.IndexByte(l.src[l.i:], '\n')
	if n < 0 {
		l.i = len(l.src)
		return
	}
	l.i += n + 1
	l.line++
}

// shellSpecial reads the shell's comments, escapes, quotes and heredocs.
func shellSpecial(l *lexer, c byte) bool {
	switch c {
	case '#':
		if l.i == 0 || bytes.IndexByte([]byte(" \t\n;(&|"), l.src[l.i-1]) >= 0 {
			l.readLineComment()
			return true
		}
	case '\\':
		if l.peek(1) != '\n' && l.peek(1) != '\r' {
			l.i = min(l.i+2, len(l.src))
			return true
		}
	case '`':
		return l.endHole('`')
	case '$':
		if l.peek(1) == '\'' {
			return l.readQuoted('\'', quoteMulti, l.i+2)
		}
	case '<':
		if l.peek(1) != '<' || l.peek(2) == '<' || l.i > 0 && l.src[l.i-1] == '<' {
			return false
		}
		j := l.i + 2
		h := heredoc{indent: l.peek(2) == '-'}
		if h.indent {
			j++
		}
		for j < len(l.src) && l.src[j] == ' ' {
			j++
		}
		if end := l.queueHeredoc(j, h); end > 0 {
			l.emit(tokNumber, 0, end)
			return true
		}
	}
	return false
}

// sqlSpecial reads PostgreSQL's dollar-quoted bodies, $$ … $$ or $tag$ … $tag$, and T-SQL's names in square brackets.
func sqlSpecial(l *lexer, c byte) bool {
	if c == '[' && isIdent(l.peek(1)) && (l.i == 0 || !isWord(l.src[l.i-1]) && l.src[l.i-1] != ')' && l.src[l.i-1] != ']') {
		l.readQuotedName(']')
		return true
	}
	if c != '$' {
		return false
	}
	j := endOfTag(l)
	if j < 0 {
		return false
	}
	tag := l.src[l.i : j+1]
	if l.i == l.bodyEnd && l.i > 0 {
		l.bodyEnd = 0
		l.emit(tokPunct, '}', j+1)
		return true
	}
	if l.i > l.bodyEnd {
		l.bodyEnd = 0
	}
	most := len(l.src)
	if l.bodyEnd > 0 {
		most = l.bodyEnd
	}
	n := bytes.Index(l.src[j+1:max(j+1, most)], tag)
	if n < 0 {
		l.emit(tokString, '$', most)
		return true
	}
	end := j + 1 + n
	if l.bodyEnd == 0 && holdsSQL(l, end+len(tag)) {
		l.bodyEnd = end
		l.emit(tokPunct, '{', j+1)
		return true
	}
	l.emit(tokString, '$', end+len(tag))
	return true
}

// endOfTag returns the offset of the last byte of the $tag$ at the current byte, or -1 if there is none.
func endOfTag(l *lexer) int {
	j := l.i + 1
	for j < len(l.src) && j-l.i < maxDollarTag && isWord(l.src[j]) && l.src[j] != '$' {
		j++
	}
	if j >= len(l.src) || l.src[j] != '$' || j > l.i+1 && isDigit(l.src[l.i+1]) {
		return -1
	}
	return j
}

// How far the language of a routine is searched for: words before its body, and bytes after it.
const (
	maxRoutineHead = 40
	maxRoutineTail = 200
)

// holdsSQL reports whether a quoted text, after which the source continues at end, is the body of a routine or of a do
// statement in SQL or PL/pgSQL.
func holdsSQL(l *lexer, end int) bool {
	word := func(i int) string {
		if i < 0 || i >= len(l.toks) {
			return ""
		}
		return lowerShort(bytes.Trim(l.src[l.toks[i].off:l.toks[i].end], "'\"")) // language 'plpgsql'
	}
	last := len(l.toks) - 1
	if body := word(last); body != "as" && body != "do" && word(last-1) != "language" {
		return false
	}
	for i := last; i >= max(0, last-maxRoutineHead) && word(i) != "create"; i-- {
		if word(i) == "language" {
			return isSQLDialect(word(i + 1))
		}
	}
	tail, _, _ := bytes.Cut(l.src[end:min(len(l.src), end+maxRoutineTail)], []byte{';'})
	words := bytes.Fields(bytes.ToLower(tail))
	for i := range words {
		if string(words[i]) == "language" && i+1 < len(words) {
			return isSQLDialect(string(bytes.Trim(words[i+1], "'\"")))
		}
	}
	return true
}

func isSQLDialect(language string) bool { return language == "sql" || language == "plpgsql" }
