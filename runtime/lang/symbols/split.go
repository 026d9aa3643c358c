package symbols

import "math"

import "bytes"

// Split splits a source into code, comments and strings: it calls fn with adjacent spans in order, from 0 to len(src),
// no two neighbors of the same kind. A Python string that is a statement of its own, such as a docstring, is a comment.
// In documents prose is comment and code blocks are code. A source in an unknown language is one span of code.
func (s *Scanner) Split(lang Lang, src []byte, fn func(kind SpanKind, start, end int)) {
	w := spanWriter{fn: fn, kind: SpanCode}
	src = breakCells(src)
	switch lang {
	case "", JSON:
	case Markdown, AsciiDoc, RST:
		splitDocument(lang, src, &w)
	case YAML, TOML:
		splitHashes(src, &w)
	case Component:
		s.splitComponent(src, &w)
	default:
		s.splitTokens(lang, src, &w)
	}
	w.addSpan(SpanCode, len(src), len(src))
	w.flush()
}

// spanWriter joins neighbors of one kind and fills gaps with code.
type spanWriter struct {
	fn         func(kind SpanKind, start, end int)
	kind       SpanKind
	start, end int
}

// addSpan adds a span, preceded by code if there is a gap before it.
func (w *spanWriter) addSpan(kind SpanKind, start, end int) {
	if start > w.end {
		w.extend(SpanCode, start)
	}
	w.extend(kind, end)
}

// extend extends the output to end with a kind.
func (w *spanWriter) extend(kind SpanKind, end int) {
	if end <= w.end {
		return
	}
	if kind != w.kind {
		w.flush()
		w.kind, w.start = kind, w.end
	}
	w.end = end
}

// flush emits the pending span.
func (w *spanWriter) flush() {
	if w.end > w.start {
		w.fn(w.kind, w.start, w.end)
	}
	w.start = w.end
}

// splitTokens lexes the source and merges the strings among the tokens with the comments.
func (s *Scanner) splitTokens(lang Lang, src []byte, w *spanWriter) {
	s.lexer.lex(src, lang)
	s.file.load(&s.lexer)
	s.writeSpans(lang, w)
}

// writeSpans reports the comments and strings of the loaded tokens.
func (s *Scanner) writeSpans(lang Lang, w *spanWriter) {
	comments := s.file.comments
	for i, t := range s.file.toks {
		if t.kind != tokString {
			continue
		}
		for len(comments) > 0 && comments[0].off < t.off {
			w.addSpan(SpanComment, int(comments[0].off), int(comments[0].end))
			comments = comments[1:]
		}
		kind := SpanString
		if lang == Python && s.file.aloneOnLine(i) || lang == Elixir && s.file.isDocString(i) {
			kind = SpanComment
		}
		w.addSpan(kind, int(t.off), int(t.end))
	}
	for _, c := range comments {
		w.addSpan(SpanComment, int(c.off), int(c.end))
	}
}

// isDocString reports whether string token i is the text of @doc and the like.
func (s *cursor) isDocString(i int) bool {
	return s.punct(i-2) == '@' && s.isOneOf(i-1, "doc", "moduledoc", "typedoc")
}

// aloneOnLine reports whether string token i is a statement of its own.
func (s *cursor) aloneOnLine(i int) bool {
	if !s.startsLine(i) || !s.startsLine(i+1) {
		return false
	}
	switch s.punct(i - 1) {
	case ':', ']', '}', ')', 0:
		return true
	}
	return false
}

// splitDocument reports prose as comment and fenced blocks as code.
func splitDocument(lang Lang, src []byte, w *spanWriter) {
	var fence []byte // marker that ends a code block, nil outside
	for off := 0; off < len(src); {
		line, _, _ := cutLine(src[off:])
		end := min(off+len(line)+1, len(src))
		text := bytes.TrimSpace(line)
		kind := SpanComment
		switch {
		case fence != nil:
			if kind = SpanCode; closesFence(text, fence) {
				fence = nil
			}
		default:
			if fence = openFence(lang, text); fence != nil {
				kind = SpanCode
			}
		}
		w.addSpan(kind, off, end)
		off = end
	}
}

// splitHashes finds the comments of YAML and TOML: a number sign at the start of a line or after a blank, outside of
// quotes.
func splitHashes(src []byte, w *spanWriter) {
	var quote byte
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\n':
			quote = 0
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || !isWord(src[i-1])):
			quote = c
		case c == '#' && (i == 0 || src[i-1] <= ' '):
			end := len(src)
			if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
				end = i + n
			}
			w.addSpan(SpanComment, i, end)
			i = end - 1
		}
	}
}

// ScanAndSplit does what Scan and Split do, but reads the tokens only once.
func (s *Scanner) ScanAndSplit(path string, src []byte, fn func(kind SpanKind, start, end int)) []Def {
	lang := Detect(path, src)
	switch Language(path) {
	case Markdown, AsciiDoc, RST, Notebook, Component, YAML, TOML, JSON:
		s.Split(lang, src, fn)
		return s.Scan(path, src)
	}
	if lang == "" {
		s.Split(lang, src, fn)
		return nil
	}
	s.file.outline.reset(len(src))
	if len(src) > math.MaxInt32-1 {
		return nil
	}
	s.file.outline.begin(lang, src)
	s.lexer.lex(src, lang)
	s.file.load(&s.lexer)
	w := spanWriter{fn: fn, kind: SpanCode}
	s.writeSpans(lang, &w)
	w.addSpan(SpanCode, len(src), len(src))
	w.flush()
	s.scanLoaded(lang, src)
	return s.file.finish()
}
