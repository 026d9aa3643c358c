package extract

import (
	"fmt"
	"strings"
	"testing"
)

// TestSections reads the headings of markup languages that are not Markdown.
func TestSections(t *testing.T) {
	for _, c := range []struct{ name, text, title, want string }{
		{"over- and underlines", "=====\n Guide\n=====\n\nText.\n\nFirst\n=====\n\nText.\n\nDetail\n------\n\nSecond\n======\n", "Guide", "1 Guide, 2 First, 3 Detail, 2 Second"},
		{"a target before", ".. _here:\n\nGuide\n~~~~~\n", "Guide", "1 Guide"},
		{"code in a title", "``app.worker``\n==============\n", "app.worker", "1 app.worker"},
		{"an underline that is too short", "A long title\n===\n", "", ""},
		{"indented", "    Title\n    =====\n", "", ""},
		{"a transition", "Text.\n\n-----\n\nText.\n", "", ""},
		{"no end of the last line", "Guide\n=====", "Guide", "1 Guide"},
		{"Windows", "Guide\r\n=====\r\n\r\nText\r\n", "Guide", "1 Guide"},
		{"nothing", "", "", ""},
	} {
		e, _ := For(Trusted(), "guide.rst")
		checkSections(t, c.name, e, c.text, c.title, c.want)
	}
	e, _ := For(Trusted(), "guide.adoc")
	checkSections(t, "AsciiDoc", e, "= Guide\n:toc:\n\nText.\n\n== First\n\n----\n== not this\n----\n\n=== Detail\n\n==not this\n", "Guide", "1 Guide, 2 First, 3 Detail")
}

func checkSections(t *testing.T, name string, e Extractor, text, title, want string) {
	t.Helper()
	got, err := e.Extract(t.Context(), "", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range got.Marks {
		list = append(list, fmt.Sprintf("%d %s", m.Level, m.Name))
		if m.At < 0 || m.At >= len(got.Text) || m.At > 0 && got.Text[m.At-1] != '\n' {
			t.Errorf("%s: %q begins at %d, which is no beginning of a line", name, m.Name, m.At)
		}
	}
	if s := strings.Join(list, ", "); s != want || got.Title != title {
		t.Errorf("%s: %q with headings %s, want %q with %s", name, got.Title, s, title, want)
	}
}
