package relation

import (
	"bytes"
	"regexp"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// blockHead matches the words before a block header without parentheses.
var blockHead = regexp.MustCompile(`^\s*(\}\s*else\s+)?(if|for|while|switch|match)\b`)

// Beginnings of a pattern that declares a variable.
var (
	matched  = regexp.MustCompile(`\b(is(\s+not)?|instanceof|out)\s+(final\s+)?[\w.<>\[\]?]+\s+$`)
	caseHead = regexp.MustCompile(`^\s*case\b`)
	nextCase = regexp.MustCompile(`\n\s*(case|default)\b`)
)

// isParameterOf reports whether a name at an offset is a parameter of the outermost function around it.
func isParameterOf(r *Reader, at int) bool {
	d, ok := r.outermostFunction(r.lineOf(at))
	open := openAt(r, at)
	if !ok || byteAt(r.code, open) != '(' || open < r.lineStart(d.Line) || isClosureHead(r, open) {
		return false
	}
	head := r.code[r.lineStart(d.Line):open]
	return bytes.IndexByte(head, '{') < 0 && bytes.Contains(head, []byte(d.Name))
}

// isClosureHead reports whether the parenthesis at an offset opens closure parameters, in an argument or a value.
func isClosureHead(r *Reader, open int) bool {
	i := r.skipBack(open)
	switch byteAt(r.code, i-1) {
	case '(', ',', '=', ':', '{':
		return true
	}
	return false
}

// sightOf returns the scope of the variable declared from at to end: from the end of its initializer to the end of its
// block, or the body in whose header it is.
func sightOf(r *Reader, at, end, to int, isClosure bool) (from, until int) {
	if isParameterOf(r, at) {
		return at, to
	}
	before := r.code[r.lineStart(r.lineOf(at)):at]
	until = pastBlock(r, end, to)
	var bare []int
	if isClosure {
		bare = bareArrow.FindIndex(r.code[end:min(len(r.code), end+maxBlockLine)])
	}
	switch {
	case bare != nil:
		if c := byteAt(bytes.TrimLeft(r.code[end+bare[1]:], " \t\r"), 0); c == '\n' || r.src.Lang == symbols.Kotlin {
			return at, until
		}
		return at, endOfBody(r, end+bare[1], to, true)
	case matched.Match(before): // if (x is T name): up to the end of the enclosing block
		for until < to && r.code[until] != '}' {
			until = pastBlock(r, until+1, to)
		}
		return end, until
	case caseHead.Match(before):
		if next := nextCase.FindIndex(r.code[end:until]); next != nil {
			until = end + next[0]
		}
		return end, until
	case byteAt(r.code, until) == ')':
		return at, endOfBody(r, until+1, to, false)
	case blockHead.Match(before) && (bytes.IndexByte(bytes.TrimLeft(before, " \t}"), '{') < 0 || r.src.Lang == symbols.Rust && ifLet.Match(before)):
		body := bodyBehind(r, end, to)
		if semicolon := bytes.IndexByte(r.code[end:max(end, body)], ';'); semicolon >= 0 {
			return end + semicolon, endOfChain(r, body, to)
		}
		return body, endOfChain(r, body, to)
	}
	return endOfValue(r, end, until), until
}

// bareArrow matches what follows a parameter without parentheses: name => value, |name| value.
var bareArrow = regexp.MustCompile(`^(\s*(=>|->)|[\w\s,&():<>]*\|)`)

// pastBlock returns where the bracket closes that is open at i, or to.
func pastBlock(r *Reader, i, to int) int {
	depth, from := 0, i
	for ; i < to; i++ {
		switch r.code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				r.steps -= i - from
				return i
			}
		}
	}
	r.steps -= max(0, i-from)
	return to
}

// endOfValue returns where the value ends that the variable before i is set to, if any.
func endOfValue(r *Reader, i, to int) int {
	for j := i; j < to; j++ {
		switch r.code[j] {
		case '(', '[', '{':
			j = pastBlock(r, j+1, to)
		case ')', ']', '}', ';':
			return j
		case '\n':
			next := pastBlanks(r, j, to)
			if !goesOnBehind(r, j, next) {
				return j
			}
			j = next - 1
		}
	}
	return to
}

// pastBlanks returns where the next text after an offset begins.
func pastBlanks(r *Reader, i, to int) int {
	from := i
	for i < to && (r.code[i] == ' ' || r.code[i] == '\t' || r.code[i] == '\r' || r.code[i] == '\n') {
		i++
	}
	r.steps -= i - from
	return max(i, from+1)
}

// goesOnBehind reports whether a statement continues after the end of a line, with the text at next.
func goesOnBehind(r *Reader, newline, next int) bool {
	before, behind := bytes.TrimRight(r.code[:newline], " \t\r"), r.code[min(next, len(r.code)):]
	switch byteAt(before, len(before)-1) {
	case ',', '(', '[', '=', '>', '+', '-', '&', '|', '?', ':', '.':
		return true
	}
	switch byteAt(behind, 0) {
	case '.', '{', ')', ']', '?', ':', '&', '|', '=', ',':
		return true
	}
	word := string(leadingWord(behind))
	return word == "throws" || word == "where"
}

// endOfBody returns where the body after a closed header, or after the arrow of a closure, ends.
func endOfBody(r *Reader, i, to int, isClosure bool) int {
	isText := false
	for ; i < to; i++ {
		switch c := r.code[i]; {
		case c == '{' && !opensType(r, i):
			return pastBlock(r, i+1, to)
		case c == '(', c == '[', c == '{':
			i = pastBlock(r, i+1, to)
		case c == ')', c == ']', c == '}', c == ';', c == ',' && isClosure:
			return i
		case c == '\n':
			next := pastBlanks(r, i, to)
			if isText && !goesOnBehind(r, i, next) {
				return i
			}
			i = next - 1
		default:
			isText = isText || c > ' '
		}
	}
	return to
}

// opensType reports whether the brace at an offset opens a type in a header or a value: struct{}, ): { a: T }, x{a}.
func opensType(r *Reader, i int) bool {
	switch r.wordBefore(i) {
	case "struct", "interface":
		return true
	}
	c := byteAt(r.code, r.skipBack(i)-1)
	return c == ':' || c == '<' || c == '|' && r.src.Lang != symbols.Rust || c == '&' || r.src.Lang == symbols.CPP && wordByte(byteAt(r.code, i-1))
}

// bodyBehind returns where the body after a header without parentheses opens.
func bodyBehind(r *Reader, i, to int) int {
	for ; i < to; i++ {
		switch c := r.code[i]; {
		case c == '{' && byteAt(r.code, i-1) == ' ' && !opensType(r, i):
			return i
		case c == '(', c == '[', c == '{': // of a value
			i = pastBlock(r, i+1, to)
		}
	}
	return to
}

// endOfChain returns the end of the block that opens at an offset, or in Go of the last else block that follows it.
func endOfChain(r *Reader, i, to int) int {
	for {
		end := pastBlock(r, min(i+1, to), to)
		rest := bytes.TrimLeft(r.code[min(end+1, to):to], " \t")
		if !bytes.HasPrefix(rest, []byte("else")) || r.src.Lang != symbols.Go {
			return end
		}
		i = bodyBehind(r, end+1, to)
	}
}
