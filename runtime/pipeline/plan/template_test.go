package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPieces(t *testing.T) {
	for source, want := range map[string][]string{
		"":                          nil,
		"no braces } here }}":       {"no braces } here }}"},
		"{{a}}":                     {"=a"},
		"a {{ b }} c {{d}}{{e}}":    {"a ", "= b ", " c ", "=d", "=e"},
		"{{ '}}' }}x":               {"= '}}' ", "x"},
		`{{ "\"}}" + 'it\'s }}' }}`: {`= "\"}}" + 'it\'s }}' `},
		"{{ {a: {b: 1}} }}.":        {"= {a: {b: 1}} ", "."},
		"{{ {a: {b: 1}}.a }} }}":    {"= {a: {b: 1}}.a ", " }}"},
		"{{ '{{' }}literal":         {"= '{{' ", "literal"},
		"open {{ a } b":             {"open "},
		"open {{ 'a }} b":           {"open "},
		"größer {{ü}}":              {"größer ", "=ü"},
	} {
		list, rest := splitPrompt(source)
		var got []string
		for _, p := range list {
			if p.expr {
				p.text = "=" + p.text
			}
			got = append(got, p.text)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q: -want +got\n%s", source, d)
		}
		if open := strings.HasPrefix(source, "open"); open != (rest < len(source)) {
			t.Errorf("%q: ended at %d", source, rest)
		}
	}
}

func FuzzPieces(f *testing.F) {
	for _, s := range []string{"a {{ b }} c", "{{ '}}' }}", "{{", "{{{}}}", "}}{{ `", "{{ {a: 1}}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		list, rest := splitPrompt(source)
		var b strings.Builder
		for _, p := range list {
			text, at := p.text, p.at
			if p.expr {
				text, at = opening+text+closing, at-len(opening)
			}
			if at != b.Len() {
				t.Fatalf("%q: a piece at %d, want %d", source, at, b.Len())
			}
			b.WriteString(text)
		}
		if b.String() != source[:rest] {
			t.Errorf("%q came apart as %q", source[:rest], b.String())
		}
		if rest < len(source) && !strings.HasPrefix(source[rest:], opening) {
			t.Errorf("%q ended at %d, where no braces stand", source, rest)
		}
	})
}
