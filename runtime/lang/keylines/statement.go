package keylines

import (
	"bytes"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
)

// Limits on what is read of one definition.
const (
	maxStatements = 600
	maxJoined     = 8   // lines of one statement
	maxText       = 400 // bytes of one statement
)

// A statement is a line of a body, or several lines that belong together.
type statement struct {
	line, indent int
	text         string // without comments, runs of blanks collapsed
	code         string // the same, also without strings
	note         string // comment right above it
	opens        bool   // a block follows
	kind         kind
	calls        []Call
}

// Call is a name that is called, with its qualifier.
type Call struct {
	Name      string
	Qualifier string // "pool" of pool.run(), "" of run()
	Line      int
}

// splitStatements splits the lines from first to last into statements.
func (t *Text) splitStatements(first, last int) []statement {
	var out []statement
	var note strings.Builder
	noted := 0 // line at which the note begins
	last = min(last, t.lineCount())
	for n := max(first, 1); n <= last && len(out) < maxStatements; {
		code := bytes.TrimSpace(t.cutLine(t.code, n))
		if len(bytes.TrimSpace(t.cutLine(t.said, n))) == 0 {
			if note.Len() == 0 {
				noted = n
			}
			addNote(&note, t.cutLine(t.src, n))
			n++
			continue
		}
		if isBare(code) && isBare(bytes.TrimSpace(t.cutLine(t.said, n))) {
			note.Reset()
			if len(out) > 0 && len(code) == 1 && code[0] == '{' {
				out[len(out)-1].opens = true
			}
			n++
			continue
		}
		s, next := t.statementAt(n, last)
		if s.note = tidyNote(note.String()); isRemark(s.note) && len(out) > 0 {
			out = append(out, statement{line: noted, indent: s.indent, text: s.note, kind: remark})
		}
		note.Reset()
		if s.text != "" {
			out = append(out, s)
		}
		n = next
	}
	return out
}

// addNote appends a line to the comment above a statement; an empty line resets it.
func addNote(b *strings.Builder, line []byte) {
	const most = 300
	text := bytes.TrimSpace(line)
	if len(text) == 0 {
		b.Reset()
		return
	}
	if b.Len() < most {
		b.WriteString(contract.Shorten(string(text), most)) // before redaction, so that no token is cut in half
		b.WriteByte(' ')
	}
}

// tidyNote formats a comment for display. It keeps the comment marks, so that it is not mistaken for code.
func tidyNote(s string) string {
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "�")
	if strings.HasPrefix(s, "//") {
		return "//" + strings.ReplaceAll(s[2:], " // ", " ")
	}
	if strings.HasPrefix(s, "#") {
		return "#" + strings.ReplaceAll(s[1:], " # ", " ")
	}
	return s
}

// isRemark reports whether a note is a comment rather than a docstring.
func isRemark(note string) bool {
	return strings.HasPrefix(note, "/") || strings.HasPrefix(note, "#") || strings.HasPrefix(note, "--")
}

// isBare reports whether a line has no words, only brackets and separators.
func isBare(code []byte) bool {
	for _, c := range code {
		if wordByte(c) || c == '"' || c == '\'' || c == '`' {
			return false
		}
	}
	return true
}

// statementAt reads the statement that begins on a line, and returns the line at which the next one may begin.
func (t *Text) statementAt(n, last int) (statement, int) {
	s := statement{line: n, indent: indentOf(t.cutLine(t.src, n))}
	var text, code strings.Builder
	depth := 0
	next := n
	for next <= last && next < n+maxJoined && text.Len() < maxText {
		raw := t.cutLine(t.code, next)
		c := bytes.TrimSpace(raw)
		said := bytes.TrimSpace(t.cutLine(t.said, next)) // code lacks a string that ends the line
		addTo(&text, said)
		addTo(&code, raw)
		depth += depthOf(c)
		next++
		if opensBlock(c) {
			s.opens = true
			break
		}
		if depth <= 0 && !goesOn(said) && (next > last || !isContinuation(bytes.TrimSpace(t.cutLine(t.code, next)))) {
			break
		}
	}
	s.text, s.code = trimStatement(text.String()), trimStatement(code.String())
	s.kind = kindOf(s.code)
	s.calls = callsIn(s.code, n)
	return s, next
}

// addTo appends the words of a line, separated by single spaces.
func addTo(b *strings.Builder, line []byte) {
	for len(line) > 0 && b.Len() < maxText {
		line = bytes.TrimLeft(line, " \t\r\f\v")
		end := bytes.IndexAny(line, " \t\r\f\v")
		if end < 0 {
			end = len(line)
		}
		if end > 0 {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.Write(line[:min(end, maxText)])
		}
		line = line[end:]
	}
}

// trimStatement removes what belongs to the block before or after a statement, and the blanks that joining lines left inside
// brackets.
func trimStatement(s string) string {
	s = strings.TrimSpace(strings.TrimLeft(s, "})]; "))
	s = strings.TrimRight(s, " ;")
	if strings.HasSuffix(s, "{") {
		s = strings.TrimRight(s, " {")
	}
	s = strings.ReplaceAll(s, "( ", "(")
	s = strings.ReplaceAll(s, " )", ")")
	return strings.ToValidUTF8(s, "�")
}

// depthOf returns how many more parentheses and square brackets a line opens than it closes.
func depthOf(code []byte) int {
	d := 0
	for _, c := range code {
		switch c {
		case '(', '[':
			d++
		case ')', ']':
			d--
		}
	}
	return d
}

// opensBlock reports whether a block begins at the end of a line.
func opensBlock(code []byte) bool {
	return hasSuffix(code, "{", "=>", "->", " do", ":", "|", " then") && !hasSuffix(code, "||")
}

// goesOn reports whether a statement continues after a line.
func goesOn(code []byte) bool {
	return hasSuffix(code, "=", "+", "&&", "||", "\\", " and", " or", " not", "(", ".", " ?", " return")
}

// isContinuation reports whether a line continues the statement above it.
func isContinuation(code []byte) bool {
	if len(code) < 2 {
		return false
	}
	switch code[0] {
	case '.', '?':
		return true
	case '&', '|':
		return code[1] == code[0]
	case '+', ':':
		return code[1] == ' '
	}
	return hasPrefix(code, "and ", "or ")
}

func hasSuffix(b []byte, list ...string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return bytes.HasSuffix(b, []byte(s)) })
}

func hasPrefix(b []byte, list ...string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return bytes.HasPrefix(b, []byte(s)) })
}

// wordByte extends idents.WordByte with #, the mark of private members.
func wordByte(c byte) bool { return c == '#' || idents.WordByte(c) }

// callsIn returns the names that are followed by an opening parenthesis.
func callsIn(code string, line int) []Call {
	var out []Call
	for i := 1; i < len(code); i++ {
		if code[i] != '(' {
			continue
		}
		end := i
		if code[end-1] == '!' || code[end-1] == '?' {
			end--
		}
		start := end
		for start > 0 && wordByte(code[start-1]) {
			start--
		}
		name := code[start:end]
		if name == "" || notCalled[name] || declaresName(code[:start]) {
			continue
		}
		out = append(out, Call{Name: name, Qualifier: qualifierOf(code[:start]), Line: line})
	}
	return out
}

// notCalled lists words that precede a parenthesis without being called.
var notCalled = words.Set("if for while switch catch match return func function fn fun def elif unless until foreach using lock synchronized with in and or not when await yield typeof sizeof assert except super self this new defer go select case raise throw print len str int")

// declaresName reports whether the last word before a name declares it.
func declaresName(before string) bool {
	f := strings.Fields(before)
	if len(f) == 0 || strings.HasSuffix(before, ".") {
		return false
	}
	switch f[len(f)-1] {
	case "func", "function", "def", "fn", "fun":
		return true
	}
	return false
}

// qualifierOf returns the name before the dot, arrow or colons at the end of a text.
func qualifierOf(before string) string {
	rest := before
	for _, sep := range []string{"?.", ".", "::", "->"} {
		if r, ok := strings.CutSuffix(before, sep); ok {
			rest = r
			break
		}
	}
	if rest == before {
		return ""
	}
	start := len(rest)
	for start > 0 && wordByte(rest[start-1]) {
		start--
	}
	if start == len(rest) {
		return "?" // the result of an expression
	}
	return rest[start:]
}
