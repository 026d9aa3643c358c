package notes

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFind(t *testing.T) {
	const text = "# Pools\n\nA pool keeps  twelve\nconnections open. É naïve.\n\nA pool keeps twelve\u00a0connections."
	for _, c := range []struct {
		quote string
		from  int
		want  string
	}{
		{"twelve\nconnections open.", 0, "twelve\nconnections open."},
		{"keeps twelve connections open.", 0, "keeps  twelve\nconnections open."},
		{" A pool ", 0, "A pool"},
		{"A pool keeps", 20, "A pool keeps"},
		{"twelve connections", 40, "twelve\u00a0connections"},
		{"É naïve", 0, "É naïve"},
		{"\xc3", 0, ""}, // half of É
		{"twelveconnections", 0, ""},
		{"thirteen", 0, ""},
		{"", 0, ""},
		{" \n ", 0, ""},
		{text, 999, text},
	} {
		start, end, ok := findQuote(text, c.quote, c.from)
		if ok != (c.want != "") || ok && text[start:end] != c.want || ok && c.from == 40 && start < 40 {
			t.Errorf("%q from %d: %q, %v; want %q", c.quote, c.from, text[start:end], ok, c.want)
		}
	}
}

// What is found is the quote but for white space, and cuts no character in two.
func FuzzFind(f *testing.F) {
	f.Add("a b  c\nd", "b c", 0)
	f.Add("é\u00a0é", "é é", 1)
	f.Add("\xff\xfe a", "a", -5)
	f.Fuzz(func(t *testing.T, text, quote string, from int) {
		start, end, ok := findQuote(text, quote, from)
		if !ok {
			if q := strings.TrimSpace(quote); q != "" && utf8.ValidString(q) && strings.Contains(text, q) {
				t.Errorf("%q is in %q", quote, text)
			}
			return
		}
		if got, want := strings.Join(strings.Fields(text[start:end]), " "), strings.Join(strings.Fields(quote), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if utf8.ValidString(text) && !utf8.ValidString(text[start:end]) {
			t.Errorf("%q is cut", text[start:end])
		}
	})
}

func TestIsID(t *testing.T) {
	p := Pin{Owner: Owner{"me", "c"}, URI: "guide/a.md", Quote: "x"}
	if id := idOf(p); !IsID(id) || IsID(strings.ToUpper(id)) || IsID(id[1:]) || IsID("ce89196a42-6396-0") || IsID("guide/note-a.md") {
		t.Errorf("%s is not told from other ids", id)
	}
	p.Owner.Client = ""
	if q := (Pin{Owner: Owner{"mec", ""}, URI: "guide/a.md", Quote: "x"}); idOf(p) == idOf(q) {
		t.Error("one owner passes for another")
	}
}
