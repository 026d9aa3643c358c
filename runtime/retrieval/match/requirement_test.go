package match

import (
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show writes a word as a pattern.
func show(w word) string {
	var b strings.Builder
	for _, c := range w {
		if x, ok := c.onlyByte(); ok {
			b.WriteByte(x)
			continue
		}
		b.WriteByte('[')
		c.each(func(x byte) { b.WriteByte(x) })
		b.WriteByte(']')
	}
	return b.String()
}

// What a pattern needs decides how fast it is: a requirement lost makes a search slower many times over.
func TestRequirement(t *testing.T) {
	tests := []struct {
		pattern string
		exact   bool
		folds   bool
		want    string
	}{
		{`ErrUnexpectedEOF`, true, false, `ErrUnexpectedEOF`},
		{`foo|bar`, true, false, `foo bar`},
		{`fo(?:o|x[yz])`, true, false, `foo fox[yz]`},
		{`ab??c`, true, false, `ac abc`},
		{`\bfunc\s+\w*Handler`, false, false, `Handler`},
		{`(?i)sql`, true, true, `[Ss][Qq][Ll]`},
		{`(?i)é`, true, false, "\xc3\x89 \xc3\xa9"},
		{`\bfoo\b`, false, false, `foo`},
		{`(?:foo|bar)+x`, false, false, `foox barx`},
		{`.*needle.*`, false, false, `needle`},
		{`(?:alpha|beta\d+)\s*=`, false, false, `alpha beta[0123456789]`},
		{`x[^a]y`, false, false, `x`},
		{`\d{4}-\d{2}`, true, false, strings.Repeat("[0123456789]", 4) + "-" + strings.Repeat("[0123456789]", 2)},
		{`[\n\t]a`, true, false, "\ta"},
		{`a*`, false, false, ``},
		{`(?:foo)?`, true, false, ``},
		{`\x{FFFD}foo`, false, false, `foo`},
		{`.`, false, false, ``},
	}
	for _, tt := range tests {
		t.Run(tt.pattern, func(t *testing.T) {
			re, err := syntax.Parse(tt.pattern, syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			var x extractor
			p := x.extract(re.Simplify())
			words := []string{}
			for _, w := range p.needs().words {
				words = append(words, show(w))
			}
			if diff := cmp.Diff(tt.want, strings.Join(words, " ")); diff != "" {
				t.Errorf("words (-want +got)\n%s", diff)
			}
			if p.exact && !p.guarded != tt.exact || x.folds != tt.folds {
				t.Errorf("exact %v, folds %v", p.exact && !p.guarded, x.folds)
			}
		})
	}
}

// The finder reads the text in strides; a word must be found at every offset, also near either end.
func TestFinderAtEveryOffset(t *testing.T) {
	for _, words := range [][]string{{"q"}, {"qx"}, {"qxj"}, {"qxjzv"}, {"qxjzvkwqa"}, {"qxjzvkwqa", "zq"}, {"ee", "qqq", "a\x00"}} {
		var set []word
		for _, w := range words {
			set = append(set, spellWord(w))
		}
		f := newFinder(set, false)
		for _, w := range words {
			for size := len(w); size < 80; size++ {
				for at := 0; at+len(w) <= size; at++ {
					text := []byte(strings.Repeat(".", at) + w + strings.Repeat(".", size-at-len(w)))
					if got := f.next(text, 0); got != at {
						t.Fatalf("words %q: %q found at %d of %d bytes, want %d", words, w, got, size, at)
					}
				}
			}
		}
	}
}

// Every stride finds a word, not only the one that was chosen.
func TestStrides(t *testing.T) {
	set := []word{spellWord("abcdefghij"), spellWord("klmnopqrst")}
	for _, stride := range []int{1, 2, 4, 8} {
		f := newFinder(set, false)
		f.stride = stride
		f.fillTable(set, sampleWindows(set, stride))
		for at := range 70 {
			text := []byte(strings.Repeat("-", at) + "klmnopqrst" + strings.Repeat("-", 70-at))
			if got := f.next(text, 0); got != at {
				t.Fatalf("stride %d: found at %d, want %d", stride, got, at)
			}
		}
	}
}
