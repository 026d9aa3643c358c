package screen

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		in    []string
		want  string
	}{
		{"what fits stays", 20, []string{"a line\nanother\n"}, "a line\nanother\n"},
		{"between words", 10, []string{"one two three\n"}, "one two\nthree\n"},
		{"below its indentation", 12, []string{"  one two three\n"}, "  one two\n  three\n"},
		{"below its list entry", 12, []string{"- one two three\n"}, "- one two\n  three\n"},
		{"below its column", 16, []string{"add  puts one to it\n"}, "add  puts one to\n     it\n"},
		{"no column beyond the half", 12, []string{"addition  puts one\n"}, "addition\n    puts one\n"},
		{"a long word is whole", 8, []string{"see /a/long/path/name.go now\n"}, "see\n/a/long/path/name.go\nnow\n"},
		{"spaces that fit stay", 20, []string{"a  b   c\n\n  d\n"}, "a  b   c\n\n  d\n"},
		{"a word in pieces", 8, []string{"one tw", "o thr", "ee\n"}, "one two\nthree\n"},
		{"a question", 30, []string{"sure? [y/N] "}, "sure? [y/N] "},
		{"wide characters", 6, []string{"工作 工作\n"}, "工作\n工作\n"},
		{"any width", 0, []string{"one two three four five\n"}, "one two three four five\n"},
	} {
		var b bytes.Buffer
		w := NewWrapper(&b, c.width, true)
		for _, s := range c.in {
			if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
				t.Fatal(n, err)
			}
		}
		if b.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, b.String(), c.want)
		}
	}
}

func TestPaint(t *testing.T) {
	var b bytes.Buffer
	w := NewWrapper(&b, 12, true)
	_ = Paint(w, Bad, "error two words")
	_ = Paint(w, "", ": plain\n")
	if want := "\x1b[1;31merror\x1b[0m \x1b[1;31mtwo\x1b[0m\n\x1b[1;31mwords\x1b[0m: plain\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	_ = Paint(NewWrapper(&b, 12, false), Bad, "plain\n")
	_ = Paint(&b, Bad, "plain\n")
	if b.String() != "plain\nplain\n" {
		t.Errorf("%q has colours", b.String())
	}
}

func TestColours(t *testing.T) {
	for _, c := range []struct {
		env      string
		terminal bool
		want     bool
	}{
		{"", true, true}, {"", false, false},
		{"NO_COLOR=1", true, false}, {"NO_COLOR=", true, true}, {"TERM=dumb", true, false}, {"CLICOLOR=0", true, false},
		{"CLICOLOR_FORCE=1", false, true}, {"CLICOLOR_FORCE=0", false, false}, {"CLICOLOR_FORCE=1 NO_COLOR=1", true, false}, {"CLICOLOR_FORCE=1 TERM=dumb", true, true},
	} {
		env := map[string]string{}
		for _, s := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(s, "=")
			env[name] = value
		}
		if got := Colours(func(n string) string { return env[n] }, c.terminal); got != c.want {
			t.Errorf("%q, terminal %v: %v", c.env, c.terminal, got)
		}
	}
}

func TestTable(t *testing.T) {
	head := []string{"NAME", "STATE", "REACHED BY"}
	rows := [][]string{{"files", "ready", "npx -y some-server /with/a/path and some more words"}, {"web", "-", "example.com"}}
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, "NAME   STATE  REACHED BY\nfiles  ready  npx -y some-server /with/a/path and some more words\nweb    -      example.com\n"},
		{40, "NAME   STATE  REACHED BY\nfiles  ready  npx -y some-server\n              /with/a/path and some more\n              words\nweb    -      example.com\n"},
		{30, "files\n  state: ready\n  reached by: npx -y\n  some-server /with/a/path and\n  some more words\nweb\n  state: -\n  reached by: example.com\n"},
	} {
		var b bytes.Buffer
		if err := Table(NewWrapper(&b, c.width, false), head, rows); err != nil {
			t.Fatal(err)
		}
		if b.String() != c.want {
			t.Errorf("width %d:\n%s\nwant:\n%s", c.width, b.String(), c.want)
		}
	}
}

func TestFill(t *testing.T) {
	text := "One paragraph of\ntwo lines.\n\n  kept\n  as it is\nand on"
	if got := Fill(text, 80); got != text {
		t.Errorf("%q", got)
	}
	if got, want := Fill(text, 10), "One paragraph of two lines.\n\n  kept\n  as it is\nand on"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Nothing is lost but spaces, and only a word that has no room below its column goes
// beyond the screen.
func FuzzWrap(f *testing.F) {
	f.Add("a  b\tc\n- d e\n", 10, 3)
	f.Add("\n\n  工作 x", 1, 1)
	f.Fuzz(func(t *testing.T, text string, width, piece int) {
		width = 1 + (width&0xff)%90
		var b bytes.Buffer
		w := NewWrapper(&b, width, false)
		runes := []rune(text)
		for piece = 1 + piece&0x0f; len(runes) > 0; {
			n := min(piece, len(runes))
			if _, err := w.Write([]byte(string(runes[:n]))); err != nil {
				t.Fatal(err)
			}
			runes = runes[n:]
		}
		_ = w.Flush()
		bare := func(s string) string { return strings.NewReplacer(" ", "", "\t", "", "\n", "").Replace(s) }
		if bare(string([]rune(text))) != bare(b.String()) {
			t.Errorf("%q became %q", text, b.String())
		}
		for _, l := range strings.Split(b.String(), "\n") {
			words := strings.Fields(l)
			if strings.ContainsFunc(text, otherSpace) || len(words) < 2 || Width(strings.TrimRight(l, " \t")) <= width {
				continue
			}
			if Width(words[len(words)-1]) <= width/2 {
				t.Errorf("%q is wider than %d", l, width)
			}
		}
	})
}

// otherSpace is what Fields takes for a space and the screen does not, and tabs,
// whose width is that of their place.
func otherSpace(c rune) bool { return c != ' ' && c != '\n' && unicode.IsSpace(c) }
