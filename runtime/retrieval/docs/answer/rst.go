package answer

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

//go:embed lists/directives.txt
var directiveList string

// directives holds the names of directives by class.
var directives = sync.OnceValue(func() map[string][]string { return phrasesByClass(directiveList) })

var (
	anyDirective = lazyregexp.New(`(?m)^[ \t]*\.\. [\w:-]+::`)
	directive    = lazyregexp.New(`^\.\. (?:(?:py|c|cpp|js|rst):)?([\w:-]+)::[ \t]*`)
	footnote     = lazyregexp.New(`^\.\. \[[^\]]{1,60}\][ \t]+`)
	field        = lazyregexp.New(`^:[\w -]+:$`)
	anyField     = lazyregexp.New("^:[^:`]+:(?:[ \t]|$)")
)

// isRST reports whether a passage is of reStructuredText: by the name of its document, and by its directives if the name does
// not tell.
func isRST(p *Passage) bool {
	switch strings.ToLower(path.Ext(p.URI)) {
	case ".rst":
		return true
	case "", ".txt":
		return anyDirective.MatchString(p.Text)
	}
	return false
}

// scope is the text below the name of a directive or a term, up to a line that is not indented deeper.
type scope struct {
	indent int
	under  int // heading after it
}

// openScope adds a heading for the lines that are indented deeper.
func (r *reader) openScope(indent, start, end int) {
	r.flush()
	r.scopes = append(r.scopes, scope{indent, r.under})
	r.addHeading(start, end)
}

// closeScopes ends the scopes that a line with an indent is not in.
func (r *reader) closeScopes(indent int) {
	for n := len(r.scopes) - 1; n >= 0 && indent <= r.scopes[n].indent; n-- {
		r.flush()
		r.under, r.scopes = r.scopes[n].under, r.scopes[:n]
	}
}

// readRST reads a line of reStructuredText, and the block that it opens, and returns where the text continues, or 0 if the
// line is like one of Markdown. Indented text is prose there, and code only where a directive or two colons say so.
func (r *reader) readRST(at, end int, line, body string, blank bool) int {
	indent, literal := indentOf(line), r.literal
	if blank || indent <= literal {
		r.literal = -1
	}
	if blank && literal >= 0 && indent > literal {
		return r.literalBlock(at, literal)
	}
	r.closeScopes(indent)
	switch {
	case r.underlines(body):
		r.kind = prose
		r.setext(at, end)
		return end
	case ruleOf(body) != "": // above a title, or between paragraphs
		r.flush()
		return end
	case strings.HasPrefix(body, ".. ") || body == "..":
		return r.addDirective(at, end, body)
	case strings.HasPrefix(strings.TrimLeft(line, " \t"), ">>> "):
		return r.addDoctest(at)
	case field.MatchString(body):
		r.flush()
		return end
	}
	if strings.HasSuffix(body, "::") {
		r.literal = indent + markerLength(body) // the text of an item is not code
		if body == "::" {
			r.flush()
			return end
		}
	}
	if (blank || indent < r.indent) && r.isTerm(at, end) {
		r.openScope(indent, at, end)
		r.indent = indent
		return end
	}
	r.indent = indent
	if indent > 0 && markerLength(body) == 0 {
		r.addProse(at, end, blank)
		return end
	}
	return 0
}

// addDirective reads a directive, a comment or a target, and returns where the text continues.
func (r *reader) addDirective(at, end int, body string) int {
	r.flush()
	indent := indentOf(r.text[at:end])
	start := at + indent
	if f := footnote.FindString(body); f != "" {
		r.openProse(start+len(f), end)
		return end
	}
	m := directive.FindStringSubmatch(body)
	if m == nil { // a comment or a target
		return r.skipIndented(end, indent)
	}
	start = min(start+len(m[0]), end)
	is := func(class string) bool { return slices.Contains(directives()[class], m[1]) }
	switch {
	case is("none"):
		return r.skipIndented(end, indent)
	case is("code"):
		return r.literalBlock(r.skipFields(end), indent)
	case is("name"):
		r.openScope(indent, start, end)
	case strings.Contains(strings.TrimSpace(r.text[start:end]), " ") && strings.ContainsFunc(r.text[start:end], unicode.IsLetter):
		r.openProse(start, end)
	}
	return r.skipFields(end)
}

// openProse opens a paragraph behind a mark.
func (r *reader) openProse(start, end int) {
	r.kind, r.para = prose, span{start, end}
	r.block++
}

// literalBlock adds the lines that are indented deeper as code, and returns where the text continues.
func (r *reader) literalBlock(at, indent int) int {
	end := r.skipIndented(at, indent)
	r.addCode(at, end)
	return end
}

// addDoctest adds the lines of a doctest up to an empty one as code, and returns where the text continues.
func (r *reader) addDoctest(from int) int {
	at := from
	for at < len(r.text) && strings.TrimSpace(r.text[at:lineEnd(r.text, at)]) != "" {
		at = lineEnd(r.text, at)
	}
	r.addCode(from, at)
	return at
}

// skipIndented returns the end of the lines that are indented deeper, and of empty ones between them.
func (r *reader) skipIndented(at, indent int) int {
	last := at
	for at < len(r.text) {
		end := lineEnd(r.text, at)
		if line := r.text[at:end]; strings.TrimSpace(line) != "" {
			if indentOf(line) <= indent {
				break
			}
			last = end
		}
		at = end
	}
	return last
}

// skipFields returns where the text continues after the options of a directive, such as ":linenos:".
func (r *reader) skipFields(at int) int {
	for at < len(r.text) {
		end := lineEnd(r.text, at)
		if line := r.text[at:end]; indentOf(line) == 0 || !anyField.MatchString(strings.TrimSpace(line)) {
			break
		}
		at = end
	}
	return at
}

// ruleOf returns the sign that a line of three or more consists of, or "".
func ruleOf(body string) string {
	if len(body) < 3 || !strings.Contains("=-~^\"'`#*+.:_@!&$%/", body[:1]) || strings.Trim(body, body[:1]) != "" {
		return ""
	}
	return body[:1]
}

// underlines reports whether a line of one sign makes a heading of the open paragraph, which is one line and not longer.
func (r *reader) underlines(body string) bool {
	if r.para.end == 0 || r.para.end-r.para.start > 4*len(body)+4 || ruleOf(body) == "" {
		return false
	}
	title := strings.TrimSpace(r.text[r.para.start:r.para.end])
	return !strings.Contains(title, "\n") && utf8.RuneCountInString(title) <= len(body)+1
}

// maxTermWords is the maximum number of words of a term that is defined below.
const maxTermWords = 6

// isTerm reports whether a line is a term of a definition list: the line after it, without an empty one between, is indented
// deeper.
func (r *reader) isTerm(at, end int) bool {
	line := strings.TrimRight(r.text[at:end], " \t\r\n")
	next := strings.TrimRight(r.text[end:lineEnd(r.text, end)], " \t\r\n")
	return next != "" && indentOf(next) >= indentOf(line)+2 && len(strings.Fields(line)) <= maxTermWords &&
		!strings.ContainsAny(line[len(line)-1:], ".,:;!?\\{[(") && !anyField.MatchString(strings.TrimSpace(line)) &&
		markerLength(strings.TrimSpace(line)) == 0 && markerLength(strings.TrimSpace(next)) == 0
}

// indentOf returns the number of white space characters at the beginning of a line.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
