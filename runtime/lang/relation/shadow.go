package relation

import (
	"bytes"
	"regexp"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Limits of the search for a variable: the lines above a name, and the bytes of a line.
const (
	maxBlock     = 400
	maxBlockLine = 500
)

// isShadowed reports whether a bare name refers to a variable of an enclosing block that hides the function or type of
// that name. It recognizes variables with a statement of their own, and closure parameters that are plain names: among
// types and defaults, a use could be taken for a parameter. Blocks are recognized by their indentation.
func isShadowed(r *Reader, name string, at int) bool {
	if r.profile.hides == nil {
		return false
	}
	line := r.lineOf(at)
	own := lineText(r, line)
	if len(own) > maxBlockLine {
		return false
	}
	if i := at - r.lineStart(line); i+len(name) <= len(own) && r.profile.family == symbols.JavaScript && declaresParameter(own[:i], own[i+len(name):]) {
		return true // the parameter itself
	}
	margin := marginOf(own)
	for n := line - 1; n > 0 && n > line-maxBlock && len(margin) > 0; n-- {
		text := lineText(r, n)
		if r.steps -= len(text); r.steps < 0 || len(text) > maxBlockLine {
			return false
		}
		around := marginOf(text)
		if len(around) == len(text) || len(around) > len(margin) {
			continue // a blank line, or a line of a sibling block
		}
		if !bytes.HasPrefix(margin, around) {
			return false // mixes tabs and blanks
		}
		opens := len(around) < len(margin)
		margin = around
		if i := indexWord(text, name); i >= 0 && r.profile.hides(text, i, i+len(name), opens) {
			return !definesOn(r, name, n)
		}
	}
	return false
}

// lineText returns a line of the code.
func lineText(r *Reader, line int) []byte {
	from := r.lineStart(line)
	return bytes.TrimRight(r.code[from:max(from, r.lineStart(line+1))], "\r\n")
}

// marginOf returns the indentation of a line.
func marginOf(line []byte) []byte { return line[:len(line)-len(bytes.TrimLeft(line, " \t"))] }

// definesOn reports whether a definition of a name begins on a line.
func definesOn(r *Reader, name string, line int) bool {
	for i := range r.src.Defs {
		if d := &r.src.Defs[i]; d.Line == line && d.Name == name {
			return true
		}
	}
	return false
}

// hidesInGo reports whether the name from at to end is a variable that a line of Go sets. If the line opens a block
// around the use, the variable is not in scope inside its own value.
func hidesInGo(line []byte, at, end int, opens bool) bool {
	m := goNames.FindSubmatch(line[:at])
	return m != nil && goAssigns.Match(line[end:]) && opens == (len(m[1]) > 0) && (!opens || opensBody(line))
}

// hidesInScript reports whether the name from at to end is a variable of a line, or a parameter of a closure that the line
// opens.
func hidesInScript(line []byte, at, end int, opens bool) bool {
	before, behind := line[:at], line[end:]
	if opens && declaresParameter(before, behind) {
		return goesOnBelow(behind[bytes.Index(behind, []byte("=>")):])
	}
	return scriptVariable.Match(before) && scriptAssigns.Match(behind) && !scriptImport.Match(behind)
}

var (
	goNames   = regexp.MustCompile(`^\s*(if\s+|for\s+|switch\s+)?(\w+\s*,\s*)*$`)
	goAssigns = regexp.MustCompile(`^\s*(,\s*\w+\s*)*:=`)

	scriptVariable = regexp.MustCompile(`^\s*(const|let|var)\s+$`)
	scriptAssigns  = regexp.MustCompile(`^\s*(:[^=]*)?=[^=>]`)
	scriptImport   = regexp.MustCompile(`\b(require|import)\s*\(`)

	closureBefore = regexp.MustCompile(`(^|[^\w$.\s]|\basync)\s*\(\s*(\w+\s*,\s*)*$`)
	closureBehind = regexp.MustCompile(`^\s*(,\s*\w+\s*)*\)\s*=>`)
	arrowBefore   = regexp.MustCompile(`(^|[(,={]|\basync)\s*$`)
	arrowBehind   = regexp.MustCompile(`^\s*=>`)
)

// openBrackets returns how many brackets of a text stay open; closes reports whether one closes that opened before it.
func openBrackets(text []byte) (n int, closes bool) {
	for _, c := range text {
		switch c {
		case '(', '[', '{':
			n++
		case ')', ']', '}':
			n--
			closes = closes || n < 0
		}
	}
	return n, closes
}

// goesOnBelow reports whether the body of a closure, given from its arrow on, continues after its line.
func goesOnBelow(body []byte) bool {
	n, closes := openBrackets(body)
	return !closes && (n > 0 || bytes.Equal(bytes.TrimSpace(body), []byte("=>")))
}

// opensBody reports whether a line of Go ends with the brace of a body rather than of a composite literal, before which
// gofmt puts no space.
func opensBody(line []byte) bool {
	n, _ := openBrackets(line)
	return n == 1 && bytes.HasSuffix(bytes.TrimRight(line, " \t"), []byte(" {"))
}

// declaresParameter reports whether a name, given the parts of its line before and after it, is a parameter of a
// closure with plain names only: (a, name) => or name =>.
func declaresParameter(before, behind []byte) bool {
	return bytes.Contains(behind, []byte("=>")) &&
		(arrowBehind.Match(behind) && arrowBefore.Match(before) || closureBehind.Match(behind) && closureBefore.Match(before))
}
