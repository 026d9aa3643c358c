package keylines

import (
	"bytes"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// maxComment limits the lines of a doc comment that are read.
const maxComment = 120

// Comment returns the parts of a definition's doc comment that matter for a query: its first sentence and, in their
// original order, those others that contain the most terms, up to most bytes in all.
func (t *Text) Comment(d symbols.Def, terms *Terms, most int) string {
	list := splitSentences(t.commentOf(d))
	if len(list) == 0 {
		return ""
	}
	keep := []int{0}
	size := len(list[0])
	worth := make([]float64, len(list))
	for i, s := range list {
		worth[i] = terms.Weigh(s)
	}
	left := make([]int, 0, len(list))
	for i := 1; i < len(list); i++ {
		if worth[i] > 0 {
			left = append(left, i)
		}
	}
	slices.SortStableFunc(left, func(a, b int) int {
		switch {
		case worth[a] > worth[b]:
			return -1
		case worth[a] < worth[b]:
			return 1
		}
		return a - b
	})
	for _, i := range left {
		if size+1+len(list[i]) <= most {
			keep = append(keep, i)
			size += 1 + len(list[i])
		}
	}
	slices.Sort(keep)
	var out []string
	for _, i := range keep {
		out = append(out, list[i])
	}
	return contract.Shorten(strings.Join(out, " "), max(most, 40))
}

// commentOf returns the text of the comment on a definition: its docstring, else the comment right above the definition
// and its annotations.
func (t *Text) commentOf(d symbols.Def) string {
	if t.lang == symbols.Python {
		if s := t.docstring(d); s != "" {
			return s
		}
	}
	n := d.Line - 1
	for k := 0; n > 0 && k < maxComment && t.isAnnotation(n); k++ {
		n--
	}
	last := n
	for n > 0 && last-n < maxComment && t.isComment(n) {
		n--
	}
	return t.joinComment(n+1, last)
}

// docstring returns the comment at the start of a body.
func (t *Text) docstring(d symbols.Def) string {
	first := 0
	for n := d.Line; n <= min(d.EndLine, d.Line+maxComment); n++ {
		comment := t.isComment(n)
		switch {
		case comment && first == 0:
			first = n
		case !comment && first > 0 && len(bytes.TrimSpace(t.cutLine(t.src, n))) > 0:
			return t.joinComment(first, n-1)
		case !comment && first == 0 && n > d.Line && endsHead(t.cutLine(t.code, n-1)) && len(bytes.TrimSpace(t.cutLine(t.src, n))) > 0:
			return ""
		}
	}
	return ""
}

func endsHead(code []byte) bool { return bytes.HasSuffix(bytes.TrimSpace(code), []byte(":")) }

// isComment reports whether a line holds a comment and nothing else.
func (t *Text) isComment(n int) bool {
	return len(bytes.TrimSpace(t.cutLine(t.said, n))) == 0 && len(bytes.TrimSpace(t.cutLine(t.src, n))) > 0
}

// isAnnotation reports whether a line above a definition belongs to it but is not a comment: a decorator, an attribute,
// modifiers on a line of their own.
func (t *Text) isAnnotation(n int) bool {
	code := bytes.TrimSpace(t.cutLine(t.code, n))
	return len(code) > 0 && (code[0] == '@' || bytes.HasPrefix(code, []byte("#[")) || code[0] == '[' && bytes.HasSuffix(code, []byte("]")) ||
		bytes.HasPrefix(code, []byte("template")))
}

// joinComment joins the lines of a comment without comment marks, up to the first that lists parameters or shows code. An
// empty line becomes a line break.
func (t *Text) joinComment(first, last int) string {
	var b strings.Builder
	for n := first; n <= last; n++ {
		line := stripMarks(t.cutLine(t.src, n))
		if endsProse(line) && b.Len() > 0 {
			break
		}
		if tag := bytes.HasPrefix(line, []byte("@")); tag {
			continue
		}
		if len(line) == 0 {
			b.WriteByte('\n')
			continue
		}
		b.Write(line)
		b.WriteByte(' ')
	}
	return strings.ToValidUTF8(b.String(), "�")
}

// stripMarks removes comment marks and simple markup from a line.
func stripMarks(line []byte) []byte {
	line = bytes.TrimSpace(line)
	line = bytes.TrimSuffix(line, []byte("*/"))
	line = bytes.TrimLeft(line, "/*#!;-<% \t")
	line = bytes.TrimLeft(bytes.TrimPrefix(line, []byte("' ")), "# \t") // of roxygen, and of notebook text
	line = bytes.TrimSuffix(bytes.TrimSpace(line), []byte(`"""`))
	for _, q := range []string{`r"""`, `"""`, `r'''`, `'''`} {
		line = bytes.TrimPrefix(line, []byte(q))
	}
	if i := bytes.IndexByte(line, '>'); i > 0 && i < 10 && isTag(line[:i]) {
		line = line[i+1:]
	}
	line = bytes.TrimSpace(line)
	return withoutMarkup(line)
}

// isTag reports whether a text is the inside of a markup tag.
func isTag(b []byte) bool {
	for _, c := range bytes.TrimLeft(b, "</") {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// withoutMarkup removes tags, and the braces of inline tags, from a line.
func withoutMarkup(line []byte) []byte {
	if !bytes.ContainsAny(line, "<{") {
		return line
	}
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '<':
			if end := bytes.IndexByte(line[i:min(len(line), i+40)], '>'); end > 0 && isTag(line[i+1:i+end]) {
				i += end
				continue
			}
		case line[i] == '{' && i+1 < len(line) && line[i+1] == '@':
			end := bytes.IndexByte(line[i:min(len(line), i+100)], '}')
			if _, name, ok := bytes.Cut(line[i:max(i, i+end)], []byte(" ")); end > 0 && ok {
				out = append(out, bytes.TrimPrefix(name, []byte("#"))...)
				i += end
				continue
			}
		}
		out = append(out, line[i])
	}
	return out
}

// endsProse reports whether a comment lists parameters or shows code from this line on.
func endsProse(line []byte) bool {
	return hasPrefix(line, "@param", "@return", "@throws", "@see", "@since", "@author", "@template", "@example", ":param", ":return", ":type", ">>>", "```",
		"Args:", "Arguments:", "Parameters:", "Returns:", "Example", "Raises:", "# Example", "~~~", "<pre", ".. code")
}

// splitSentences splits prose into sentences.
func splitSentences(text string) []string {
	var out []string
	for _, paragraph := range strings.Split(text, "\n") {
		p := strings.Join(strings.Fields(paragraph), " ")
		for len(p) > 0 {
			end := sentenceEnd(p)
			if s := strings.TrimSpace(p[:end]); hasLetter(s) {
				out = append(out, s)
			}
			p = strings.TrimSpace(p[end:])
		}
	}
	return out
}

// sentenceEnd returns the offset at which the first sentence of a text ends.
func sentenceEnd(p string) int {
	for i := 0; i+1 < len(p); i++ {
		if (p[i] == '.' || p[i] == '!' || p[i] == '?') && p[i+1] == ' ' && !isAbbreviation(p[:i+1]) {
			return i + 1
		}
	}
	return len(p)
}

// isAbbreviation reports whether a text ends with the period of an abbreviation.
func isAbbreviation(s string) bool {
	word := s[strings.LastIndexByte(s, ' ')+1:]
	switch strings.ToLower(strings.TrimLeft(word, "([")) {
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "resp.", "incl.", "no.":
		return true
	}
	return len(word) == 2
}

func hasLetter(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; c >= 'a' && c <= 'z' || s[i] >= 0x80 {
			return true
		}
	}
	return false
}
