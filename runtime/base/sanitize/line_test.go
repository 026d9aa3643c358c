package sanitize

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"plain words":                        "plain words",
		"two\nlines\r\n\tand a tab":          "two lines and a tab",
		"\x1b[1;31mred\x1b[0m":               "red",
		"\x1b]8;;https://evil.test\x07link":  "link",
		"\x1b]52;c;ZXZpbA==\x1b\\paste":      "paste",
		"\x1bPq#0;2\x1b\\sixel":              "sixel",
		"\u009b31mC1 \u009d0;title\u009cend": "C1 end",
		"\x1b(Bcharset \x1bcreset":           "charset reset",
		"a\u202ebidi\u2066\u2069":            "abidi",
		"tag\U000e0041\U000e007f":            "tag",
		"nul\x00bell\x07del\x7f":             "nulbelldel",
		"broken \xff\xfe":                    "broken ??",
		"  zero\u200bwidth \u00a0 space ":    "zerowidth space",
		"wörter 日本":                          "wörter 日本",
	} {
		if got := OneLine(in, 300); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", in, got, want)
		}
	}
	if got := OneLine(strings.Repeat(" ", 10_000)+"deep", 20); got != "deep" {
		t.Errorf("behind much space: %q", got)
	}
	for limit := 4; limit < 40; limit++ {
		got := OneLine(strings.Repeat("ä日", 20), limit)
		if len(got) > limit || !utf8.ValidString(got) || !strings.HasSuffix(got, "...") {
			t.Errorf("limit %d: %q", limit, got)
		}
	}
}

func FuzzOneLine(f *testing.F) {
	for _, seed := range []string{"\x1b[", "\x1b]", "\x1b\x1b[m", "\u009b", "\xf0\x9f", strings.Repeat("\x1b]x", 50)} {
		f.Add(seed, 20)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		if limit < 4 || limit > 1<<16 {
			return
		}
		got := OneLine(s, limit)
		if len(got) > limit || !utf8.ValidString(got) {
			t.Fatalf("%q: %q", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Fatalf("%q: %q holds %U", s, got, r)
			}
		}
	})
}

func TestBriefAndCut(t *testing.T) {
	for in, want := range map[string]string{"short": "short", "more words than fit here": "more words…", "onewordthatislong": "onewordtha…", "a\n b\x1b[0m": "a b"} {
		if got := Brief(in, 11); got != want {
			t.Errorf("Brief(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"äöü": "äöü", "äöüß": "äöü…", "": ""} {
		if got := Cut(in, 3); got != want {
			t.Errorf("Cut(%q) = %q, want %q", in, got, want)
		}
	}
}
