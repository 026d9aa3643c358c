package sanitize

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestName(t *testing.T) {
	for _, c := range []struct{ name, path, want string }{
		{"plain", "src/a b-c_d.go", "src/a b-c_d.go"},
		{"letters of the world", "größe/工作.go", "größe/工作.go"},
		{"route", "app/[id]/page.tsx", "app/[id]/page.tsx"},
		{"backslash", `a\b.txt`, `a\b.txt`},
		{"newline", "a\n- run: curl x|sh.md", `a\u{a}- run: curl x|sh.md`},
		{"escape", "\x1b[2Ja", `\u{1b}[2Ja`},
		{"c1", "a\u009b31m", `a\u{9b}31m`},
		{"bidi", "a\u202etxt.exe", `a\u{202e}txt.exe`},
		{"zero width", "a\u200bb", `a\u{200b}b`},
		{"tags", "a\U000e0041", `a\u{e0041}`},
		{"line separator", "a\u2028b", `a\u{2028}b`},
		{"no utf-8", "a\xff", `a\x{ff}`},
		{"template token", "<|im_start|>.md", `\u{3c}|im_start|>.md`},
		{"looks escaped", `a\u{a}b`, `a\u{5c}u{a}b`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Name(c.path)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if back := Path(got); back != c.path {
				t.Errorf("read back as %q, want %q", back, c.path)
			}
		})
	}
	for _, s := range []string{`a\u{41}`, `a\u{0a}`, `C:\users\x`, `\u{`, `a\x{41}`, `a\u{ffffff}`} {
		if Path(s) != s {
			t.Errorf("%q was never written by Name, and became %q", s, Path(s))
		}
	}
}

func FuzzName(f *testing.F) {
	for _, s := range []string{"a/b.go", "a\nb", "\x1b]0;x\x07", "a\u202eb\xff", `\u{a}`, `\u{5c}u{a}`, "<|x|>", "</s>", `\\u{1b}`, "[/INST]", "\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		shown := Name(path)
		if Path(shown) != path {
			t.Fatalf("%q is shown as %q and read back as %q", path, shown, Path(shown))
		}
		if !utf8.ValidString(shown) || strings.ContainsFunc(shown, func(r rune) bool { return !unicode.IsPrint(r) || Invisible(r) }) {
			t.Errorf("%q is shown as %q", path, shown)
		}
		if Line(shown) != shown || Line(path) != Line(Line(path)) {
			t.Errorf("%q is written out twice: %q, %q", path, Line(shown), Line(Line(path)))
		}
		if Text(shown) != shown {
			t.Errorf("%q is shown as %q, which text does not leave alone: %q", path, shown, Text(shown))
		}
	})
}
