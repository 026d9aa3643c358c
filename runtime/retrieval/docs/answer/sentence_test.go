package answer

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSentences(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"two", "One is here. Two is there.", "One is here.|Two is there."},
		{"marks", "Really?! Yes! No… Fine.", "Really?!|Yes!|No…|Fine."},
		{"a version", "Since 1.2.3 it is v2. Use 1.2.4 now.", "Since 1.2.3 it is v2.|Use 1.2.4 now."},
		{"abbreviations", "See e.g. Section 2, i.e. the end. Dr. Smith et al. Wrote it.", "See e.g. Section 2, i.e. the end.|Dr. Smith et al. Wrote it."},
		{"etc inside and at the end", "Files, dirs, etc. are read. Also pipes etc. Then it ends.", "Files, dirs, etc. are read.|Also pipes etc.|Then it ends."},
		{"initials", "J. R. Smith wrote it. He left.", "J. R. Smith wrote it.|He left."},
		{"code", "Call `a.b. C` first. Then stop.", "Call `a.b. C` first.|Then stop."},
		{"a tick that nothing closes", "A ` stands here. Then more.", "A ` stands here.|Then more."},
		{"an address", "Open https://x.y/a.b?c=d. Then wait.", "Open https://x.y/a.b?c=d.|Then wait."},
		{"names of files", "Edit config.yaml. It is read at once.", "Edit config.yaml.|It is read at once."},
		{"quotes", "He said \"stop.\" Then he left. (So he did.) Fine.", "He said \"stop.\"|Then he left.|(So he did.)|Fine."},
		{"emphasis", "**Note.** It works. *Really.* Yes.", "**Note.**|It works.|*Really.*|Yes."},
		{"lower case goes on", "It is approx. five. then more", "It is approx. five. then more"},
		{"lines", "One\nis here. Two\nis there.", "One\nis here.|Two\nis there."},
		{"German", "Das gilt z. B. für Größen, d. h. für alle. Über 3,5 GB usw. wird gewarnt.", "Das gilt z. B. für Größen, d. h. für alle.|Über 3,5 GB usw. wird gewarnt."},
		{"French", "Où est-il ? Il est là ! « Bien. » Fin.", "Où est-il ?|Il est là !|« Bien. »|Fin."},
		{"Spanish", "¿Dónde está? ¡Aquí! El Sr. Gil lo sabe.", "¿Dónde está?|¡Aquí!|El Sr. Gil lo sabe."},
		{"Chinese", "缓存在内存中。大小是64 MiB！真的吗？“是。”完了。", "缓存在内存中。|大小是64 MiB！|真的吗？|“是。”|完了。"},
		{"Japanese", "これは本です。「はい。」そうです。", "これは本です。|「はい。」|そうです。"},
		{"Russian", "Это так. Вот и всё. Да, т. е. верно.", "Это так.|Вот и всё.|Да, т. е. верно."},
		{"Arabic", "هل هذا صحيح؟ نعم هو كذلك.", "هل هذا صحيح؟|نعم هو كذلك."},
		{"Hindi", "यह सही है। वह गलत है।", "यह सही है।|वह गलत है।"},
		{"nothing", " \n\t", ""},
	} {
		var got []string
		for _, s := range splitSentences(c.in, 0, len(c.in)) {
			got = append(got, c.in[s.start:s.end])
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q; want %q", c.name, strings.Join(got, "|"), c.want)
		}
	}
}

func TestUnits(t *testing.T) {
	const doc = "---\ntitle: x\n---\n# Head\n\nFirst one. Second:\n\n- item one. More of it\n  goes on.\n- item b\n1. counted\n\n```go\nx := 1. // no end. Here\n```\n\n" +
		"| a | b |\n|---|---|\n| 1 | 2 |\n\nName\n====\n\n> A quote goes\n> on. It ends.\n\n<a id=\"x\"></a>\n\n    set in\n\n---\n\n[1]: https://x.y\n"
	var got []string
	for _, u := range splitUnits([]Passage{{Text: doc, End: len(doc)}}) {
		got = append(got, []string{"prose", "item", "row", "code", "heading"}[u.kind]+" "+flattenText(doc[u.start:u.end]))
	}
	want := []string{"heading # Head", "prose First one.", "prose Second:", "item - item one.", "item More of it goes on.", "item - item b", "item 1. counted", "code x := 1. // no end. Here",
		"row | a | b |", "row | 1 | 2 |", "heading Name", "prose A quote goes on.", "prose It ends.", "code set in"}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// FuzzSentences: the spans are in order, whole characters, and hold all that is no
// white space.
func FuzzSentences(f *testing.F) {
	for _, s := range []string{"One. Two `a. B` e.g. C", "。！？", "\xff. A", "z. B. 1.2.3 A.", strings.Repeat("a", 3000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, s := range splitSentences(text, 0, len(text)) {
			if s.start < at || s.end <= s.start || strings.TrimSpace(text[at:s.start]) != "" || s.end-s.start > maxSentence {
				t.Fatalf("%v after %d of %q", s, at, text)
			}
			if utf8.ValidString(text) && (!onBoundary(text, s.start) || !onBoundary(text, s.end)) {
				t.Fatalf("%v cuts a character of %q", s, text)
			}
			at = s.end
		}
		if strings.Trim(text[at:], " \t\r\n") != "" {
			t.Fatalf("%q is lost", text[at:])
		}
	})
}
