package docs

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extractor"
)

// Source code of any bytes is text with marks in it, or is said to be none.
func FuzzSource(f *testing.F) {
	f.Add("a.go", []byte("package a\n\n// F is a function.\nfunc F() {}\n"))
	f.Add("a.py", []byte("# one\nclass A:\n\tdef b(self): pass"))
	f.Add("a.c", []byte("\xff\xfei\x00n\x00t\x00"))
	f.Add("a.js", []byte("function a(){\r\n}\r/*"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		e, ok := extract.For(Extractors(extractor.Limits{}), name)
		if !ok || extract.KindName(e) != "source" || len(data) > 1<<16 {
			return
		}
		x, err := e.Extract(t.Context(), name, data)
		if err != nil {
			return
		}
		if !utf8.ValidString(x.Text) {
			t.Errorf("%q is no text", x.Text)
		}
		for _, m := range x.Marks {
			if m.At < 0 || m.At > len(x.Text) || m.Name == "" {
				t.Errorf("%+v is no mark of %d bytes", m, len(x.Text))
			}
		}
	})
}

// A snippet is of the text, valid and bounded, whatever is asked.
func FuzzSnippet(f *testing.F) {
	f.Add("A pool keeps twelve connections. It is emptied when the database is away.", "pool emptied")
	f.Add("\x80\xff. \u2028", "")
	f.Add(strings.Repeat("word", 3000), "word")
	f.Fuzz(func(t *testing.T, text, query string) {
		s := snippet(text, termsOf(query))
		if len(s) > 2*snippetSize || utf8.ValidString(text) && !utf8.ValidString(s) {
			t.Errorf("%q", s)
		}
		for _, w := range strings.Fields(strings.TrimSuffix(s, "…")) {
			if utf8.ValidString(text) && !strings.Contains(strings.Join(strings.Fields(text), " "), strings.TrimSuffix(w, "…")) {
				t.Errorf("%q is not in the text", w)
			}
		}
	})
}

// No part of a secret is left of a piece, wherever it is cut.
func FuzzMasked(f *testing.F) {
	f.Add("before <secret> after", 3, 12)
	f.Add("<a><b>", 1, 4)
	f.Add("é<é>é", 1, 5)
	f.Fuzz(func(t *testing.T, whole string, start, end int) {
		if start < 0 || end > len(whole) || start > end || strings.Count(whole, "<") > 1 || strings.Contains(whole, gone) {
			return
		}
		before, rest, opened := strings.Cut(whole, "<")
		secret, _, closed := strings.Cut(rest, ">")
		if !opened || !closed || len(secret) < 8 || strings.Contains(before, secret[:4]) {
			return
		}
		if got := maskRange(hide, whole, start, end); strings.Contains(got, "<"+secret[:4]) {
			t.Errorf("%q of %q", got, whole)
		}
	})
}

// What a model says loses the marks of passages that are there, and no other letter.
func FuzzUnmarked(f *testing.F) {
	f.Add("It is so [1]. And so [2, 3].", 3)
	f.Add("[1[1]]", 1)
	f.Fuzz(func(t *testing.T, said string, passages int) {
		got := []rune(removeMarks(said, passages))
		left := []rune(said)
		for _, r := range got { // a subsequence
			i := slices.Index(left, r)
			if i < 0 {
				t.Fatalf("%q of %q", string(got), said)
			}
			left = left[i+1:]
		}
	})
}
