package symbols

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/notebook"
)

// Files that contain code of another language: notebooks and components.

// scanComponent scans the script parts of a Vue, Svelte or Astro file in place.
func (s *Scanner) scanComponent(src []byte) {
	s.scan(TypeScript, blankMarkup(src))
}

// addComponent adds the component that a file defines, which is named after the file.
func (s *Scanner) addComponent(file string) {
	file = path.Base(file)
	name := strings.TrimSuffix(file, path.Ext(file))
	if name == "" || !isUpper(name[0]) {
		return // a page, which other files do not name
	}
	s.file.defs = append(s.file.defs, rawDef{kind: KindComponent, line: 1, end: 1, exported: true, name: s.file.put([]byte(name)), sig: s.file.put([]byte(file))})
}

// splitComponent splits the scripts of a component as code, and reports styles and markup comments as comments.
func (s *Scanner) splitComponent(src []byte, w *spanWriter) {
	type part struct {
		kind       SpanKind
		start, end int
	}
	var parts []part
	script := blankMarkup(src)
	inner := spanWriter{kind: SpanCode, fn: func(kind SpanKind, start, end int) {
		if kind != SpanCode {
			parts = append(parts, part{kind, start, end})
		}
	}}
	s.splitTokens(TypeScript, script, &inner)
	inner.flush()
	quiet := func(start, end int) { parts = append(parts, part{SpanComment, start, end}) }
	eachStretch(src, script, "<!--", "-->", quiet)
	eachStretch(src, script, "<style", "</style", func(start, end int) {
		for { // v-bind(name) uses names of the script
			n := bytes.Index(src[start:end], []byte("v-bind("))
			if n < 0 {
				break
			}
			quiet(start, start+n)
			if start += n + len("v-bind("); start < end {
				start += max(bytes.IndexByte(src[start:end], ')'), 0)
			}
		}
		quiet(start, end)
	})
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.start, b.start) })
	for _, p := range parts {
		w.addSpan(p.kind, p.start, p.end)
	}
}

// eachStretch calls fn for the text between two markup delimiters, the first of which is a whole word, outside scripts.
func eachStretch(src, script []byte, open, close string, fn func(start, end int)) {
	for at := 0; ; {
		n := bytes.Index(src[at:], []byte(open))
		if n < 0 {
			return
		}
		start := at + n
		at = start + len(open)
		if script[start] != ' ' || open == "<style" && at < len(src) && (isWord(src[at]) || src[at] == '-') {
			continue
		}
		end := bytes.Index(src[at:], []byte(close))
		if end < 0 {
			return
		}
		at += end + len(close)
		fn(start, at)
	}
}

// fence begins and ends the script of an Astro file.
var fence = []byte("---\n")

// blankMarkup returns a copy of src in which everything outside of <script> elements and of the script before the
// markup is blank, so that offsets and lines remain valid.
func blankMarkup(src []byte) []byte {
	out := bytes.Repeat([]byte{' '}, len(src))
	for i, c := range src {
		if c == '\n' {
			out[i] = c
		}
	}
	at := 0
	if bytes.HasPrefix(src, fence) {
		if n := bytes.Index(src, append([]byte{'\n'}, fence...)); n > 0 {
			at = n + 1
			copy(out[len(fence):at], src[len(fence):at])
		}
	}
	for {
		n := bytes.Index(src[at:], []byte("<script"))
		if n < 0 {
			return out
		}
		at += n
		open := bytes.IndexByte(src[at:], '>')
		if open < 0 {
			return out
		}
		at += open + 1
		end := len(src)
		if n := bytes.Index(src[at:], []byte("</script")); n >= 0 {
			end = at + n
		}
		copy(out[at:end], src[at:end])
		at = end
	}
}

// notebookLang returns the language of the output of notebook.Lines, or "" for other text or an unknown language.
func notebookLang(src []byte) Lang {
	name := notebook.Language(src)
	if l, ok := kernels[name]; ok {
		return l
	}
	return interpreters[strings.TrimRight(name, "0123456789.")]
}

// kernels maps the names of notebook languages that differ from the names of their interpreters.
var kernels = map[string]Lang{
	"r": R, "javascript": JavaScript, "typescript": TypeScript, "c++": CPP, "c": C, "c#": CSharp, "csharp": CSharp, "java": Java,
	"go": Go, "rust": Rust, "haskell": Haskell, "powershell": PowerShell, "sql": SQL, "ipython": Python, "sage": Python, "sagemath": Python,
}

// scanNotebook scans the output of notebook.Lines: its text as a document, the rest as code.
func (s *Scanner) scanNotebook(src []byte) {
	code := breakCells(src)
	s.scan(Markdown, textOf(code))
	if lang := notebookLang(src); lang != "" {
		s.scan(lang, code)
	}
	if &code[0] == &src[0] {
		return
	}
	lines := make([]int32, 1, 1+bytes.Count(code, []byte{'\n'})) // lines of the file, by lines of code
	lines[0] = 1
	for i, c := range code {
		if c == '\n' {
			n := lines[len(lines)-1]
			if src[i] == '\n' {
				n++
			}
			lines = append(lines, n)
		}
	}
	lines = append(lines, lines[len(lines)-1]) // the document ends its last line, too
	for i := range s.file.defs {
		d := &s.file.defs[i]
		d.line, d.end = lines[d.line-1], lines[d.end-1]
	}
}

// breakCells replaces the marks between notebook lines on one line of the file with line breaks. Offsets stay valid.
func breakCells(src []byte) []byte {
	if bytes.IndexByte(src, notebook.BreakMark) < 0 || notebook.Language(src) == "" {
		return src
	}
	return bytes.ReplaceAll(src, []byte{notebook.BreakMark}, []byte{'\n'})
}

// textOf returns the text lines of a notebook without their marks, and all other lines empty.
func textOf(src []byte) []byte {
	out := make([]byte, 0, len(src)/4)
	for line := range bytes.Lines(src) {
		if head, text, ok := bytes.Cut(line, []byte(notebook.TextMark)); ok && len(head) > 0 && len(bytes.Trim(head, "#/-")) == 0 {
			out = append(out, bytes.TrimSuffix(text, []byte{'\n'})...)
		}
		out = append(out, '\n')
	}
	return out
}
