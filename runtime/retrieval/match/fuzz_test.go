package match

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

// std gives what regexp makes of a pattern and its options.
func std(pattern string, opt Options) (*regexp.Regexp, error) {
	if opt.Literal {
		pattern = regexp.QuoteMeta(pattern)
	}
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, err
	}
	if opt.IgnoreCase {
		re, err := syntax.Parse(pattern, syntax.Perl|syntax.FoldCase)
		if err != nil {
			return nil, err
		}
		pattern = re.String()
	}
	if opt.Word {
		// \Q may be open at the end.
		if _, err := regexp.Compile("(?:" + pattern + ")"); err != nil {
			pattern += `\E`
		}
		pattern = `(?:^|\W)(` + pattern + `)(?:\W|$)`
	}
	return regexp.Compile(pattern)
}

func FuzzMatch(f *testing.F) {
	texts := []string{
		"", "\n", "a", "a\n", "\n\na\n\n", "foo\r\nbar\r\n", "x\x00y\nfoo\x00", "\xff\xfea\n\xc3\n\xe2\x84", "K\u212Ak ſs\nTASK taſk\n",
		"func (h *x) fooHandler(w int) {\n\treturn nil, err\n}\n", "été Été ÉTÉ\nStraße STRASSE\n", "foobar foo bar\nfoo_bar\n foo \n",
		"abcabcabcabd\naaaaaaaaab\n", "int_1234x y_99999x\n", "\uFFFD\n\xff\n", strings.Repeat("ab", 40) + "\nabba\n",
	}
	patterns := []string{
		"", "a", "foo", "foo|bar", "^$", "^", "$", `\bfoo\b`, `\Bo`, `(?i)task`, `(?i)été`, "fo+", "[a-z]+_[0-9]{4}x", `\bfunc\s+\w*Handler`,
		`a*?b`, `(?:ab|a)(?:c|bcd)?`, `(a|ab)(c|bcd)(d*)`, `[^a]`, `.`, `\x{FFFD}`, "\uFFFD", `\s$`, `\S+\r$`, `x\x00y`, `[[:upper:]]\w+`,
		`(?i)[k-s]x?`, `\Qa.b`, `(?-i)A`, `a{0}`, `[^\x00-\x{10FFFF}]`, `\pL+`, `(?s).*`, `^a|b$`, `(?:a|b)*a(?:a|b){6}`, `\z`, `\A\s*a`,
	}
	for i, p := range patterns {
		f.Add(p, []byte(texts[i%len(texts)]), uint8(i%8))
		f.Add(p, []byte(strings.Join(texts, "")), uint8(0))
	}
	f.Fuzz(func(t *testing.T, pattern string, text []byte, flags uint8) {
		if len(pattern) > 100 || len(text) > 2000 {
			t.Skip("long")
		}
		opt := Options{Literal: flags&1 != 0, IgnoreCase: flags&2 != 0, Word: flags&4 != 0}
		re, stdErr := std(pattern, opt)
		m, err := Compile(pattern, opt)
		if err != nil {
			refused(t, pattern, err, stdErr)
			return
		}
		if stdErr != nil {
			t.Fatalf("pattern %q compiles, regexp says %v", pattern, stdErr)
		}
		agree(t, m, re, text)
	})
}

// refused checks that a pattern was refused for a reason, and in words.
func refused(t *testing.T, pattern string, err, stdErr error) {
	t.Helper()
	var bad *PatternError
	if !errors.As(err, &bad) || bad.Offset < -1 || bad.Offset > len(pattern) || bad.Problem == "" {
		t.Fatalf("pattern %q: error %#v", pattern, err)
	}
	ours := strings.Contains(bad.Problem, "newline") || strings.Contains(bad.Problem, "the limit is")
	if stdErr == nil && !ours {
		t.Fatalf("pattern %q refused, regexp takes it: %v", pattern, err)
	}
	if strings.Contains(bad.Problem, "newline") && !strings.ContainsAny(pattern, "\nn0123456789aAsSDWP^") {
		t.Fatalf("pattern %q has no newline: %v", pattern, err)
	}
}
