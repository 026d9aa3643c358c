package docs

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
)

// hide masks what stands between < and >, also over lines, as a redactor masks a key.
func hide(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "<")
		b.WriteString(before)
		_, after, closed := strings.Cut(rest, ">")
		if !ok || !closed {
			if ok {
				b.WriteString("<" + rest)
			}
			return b.String()
		}
		b.WriteString("[REDACTED]")
		text = after
	}
}

func TestCleanLeavesLinesWithSecretsOut(t *testing.T) {
	for _, c := range []struct {
		name, before, text, after string
		want                      []string
	}{
		{"nothing", "", "one\ntwo\n", "", []string{"one\ntwo\n"}},
		{"in a line", "", "one\na <key> b\ntwo\n", "", []string{"one\n", "two\n"}},
		{"over lines", "", "one\n<k\ne\ny>\ntwo\n", "", []string{"one\n", "two\n"}},
		{"begins before", "<k\n", "e\ny>\ntwo\n", "", []string{"two\n"}},
		{"ends behind", "", "one\n<k\n", "e\ny>\n", []string{"one\n"}},
		{"equal lines around", "", "x\n<k>\nx\n<k>\nx\n", "", []string{"x\n", "x\n", "x\n"}},
		{"all", "", "<k>", "", nil},
		{"signs that a terminal obeys", "", "one\n\x1b[31mred\ntwo", "", []string{"one\n", "two"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole := c.before + c.text + c.after
			p := answer.Passage{Text: c.text, Start: len(c.before), End: len(c.before) + len(c.text)}
			var got []string
			for _, x := range quotableParts(p, whole, hide) {
				if whole[x.Start:x.End] != x.Text {
					t.Errorf("%+v is not what stands there", x)
				}
				got = append(got, x.Text)
			}
			if strings.Join(got, "|") != strings.Join(c.want, "|") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// What is clean stands in the document in order, and nothing of it is within a secret.
func FuzzClean(f *testing.F) {
	f.Add("one\n<k\ney>\ntwo\n", 2, 9)
	f.Add("<a\nb\nc>\nb\n<d>\n", 0, 12)
	f.Fuzz(func(t *testing.T, whole string, start, end int) {
		if start < 0 || end > len(whole) || start > end {
			return
		}
		at := start
		for _, x := range quotableParts(answer.Passage{Text: whole[start:end], Start: start, End: end}, whole, hide) {
			if x.Start < at || x.End > end || whole[x.Start:x.End] != x.Text {
				t.Fatalf("%+v of %q", x, whole)
			}
			at = x.End
			for l := range strings.Lines(x.Text) {
				if !strings.Contains(hide(whole), l) {
					t.Fatalf("%q is masked in %q", l, whole)
				}
			}
		}
	})
}

func TestWithoutTakesACitationOut(t *testing.T) {
	list := []answer.Passage{{URI: "a", Text: "0123456789", Start: 10, End: 20}, {URI: "b", Text: "0123", Start: 10, End: 14}}
	got := ""
	for _, p := range withoutCitation(list, answer.Citation{URI: "a", Start: 13, End: 15}) {
		got += p.URI + p.Text + " "
	}
	if got != "a012 a56789 b0123 " {
		t.Error(got)
	}
}

func TestUnmarked(t *testing.T) {
	for text, want := range map[string]string{"It is so [1]. And so [2, 3].": "It is so. And so.", "list[1] stays, [9] too": "list[1] stays, [9] too", "[10]": "[10]"} {
		if got := removeMarks(text, 3); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
