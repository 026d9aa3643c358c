package compact

import (
	"fmt"
	"testing"
)

// A heading that is underlined stands above its lines as one of Markdown does.
func TestUnderlinedHeadings(t *testing.T) {
	text := "# Changes\n\n" + linesEach(30, func(i int) string {
		return fmt.Sprintf("1.%d.0 / 2026-01-02\n==================\n\n* part %d: `thing_%d` is now `other_%d`\n* mend of no interest number %d\n", 30-i, i, i, i, i)
	})
	s := Shorten(text, Options{Bytes: 900})
	holds(t, text, s.Text, []string{"1.30.0 / 2026-01-02\n* part 0: `thing_0` is now `other_0`"}, []string{"====\n===="})
	if s.Kind != Markdown {
		t.Errorf("read as %s", s.Kind)
	}
}

// Of data that is not shown, lines below it stand below what it stands below: once they stood below themselves.
func TestDataAsHeading(t *testing.T) {
	text := linesEach(20, func(i int) string {
		return fmt.Sprintf("ab:cd:ef:01:02:03:04:05:06:07:08:09:\n====\ntext %d below it\n", i)
	})
	s := Shorten(text, Options{Bytes: 300, Kind: Markdown})
	holds(t, text, s.Text, []string{"text 0 below it"}, nil)
}
