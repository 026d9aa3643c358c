package match

import (
	"errors"
	"strings"
	"testing"
)

func TestPatternErrors(t *testing.T) {
	tests := []struct {
		pattern string
		opt     Options
		offset  int
		want    string
	}{
		{"foo(bar", Options{}, 3, `pattern "foo(bar": ( is not closed at character 4; for a literal search use literal: true`},
		{"(a)(b(c)", Options{}, 3, `( is not closed at character 4`},
		{`é\)a)`, Options{}, 5, `) closes nothing at character 5`},
		{"a[)", Options{}, 1, `[ is not closed at character 2`},
		{`a\`, Options{}, 1, `\ escapes nothing at character 2`},
		{`\*|*a`, Options{}, 3, `* has nothing to repeat at character 4`},
		{`a+\++*`, Options{}, 4, `+* repeats a repetition at character 5`},
		{`a{2}b{2000}`, Options{}, 5, `{2000} counts backwards, or past 1000 alone or nested at character 6`},
		{`[a-z][z-a]`, Options{}, 6, `range z-a is empty or unknown at character 7`},
		{`\w\8`, Options{}, 2, `back-references are not supported`},
		{`end\Z`, Options{}, 3, `for the end of a line use $`},
		{`a(?=b)`, Options{}, 1, `look-around is not supported`},
		{`(?<!a)b`, Options{}, 0, `look-around is not supported`},
		{`\pX`, Options{}, 0, `range \pX is empty or unknown`},
		{"a\xff", Options{}, 1, `invalid UTF-8 at character 2`},
		{"a\xff", Options{Literal: true}, 1, `invalid UTF-8 at character 2`},
		{`a\nb`, Options{}, 1, `a newline never matches at character 2; lines are matched one by one`},
		{"a\nb", Options{}, 1, `a newline never matches at character 2`},
		{"a.\nb", Options{Literal: true}, 2, `a newline never matches at character 3`},
		{`a\x{0A}b`, Options{}, 1, `a newline never matches`},
		{`a\012b`, Options{}, 1, `a newline never matches`},
		{"\\Qa\nb", Options{}, 3, `a newline never matches`},
		{`[\n]`, Options{}, -1, `a newline never matches; lines`},
		{strings.Repeat("a", MaxPattern+1), Options{}, -1, `aaa...": 4097 bytes long, the limit is 4096`},
		{strings.Repeat(`\w{1,900}`, 6), Options{}, -1, `the limit is 5000; lower the counts in {}`},
		{strings.Repeat("(", 1001) + strings.Repeat(")", 1001), Options{}, -1, `nested too deeply; lower`},
	}
	for _, tt := range tests {
		t.Run(shorten(tt.pattern), func(t *testing.T) {
			_, err := Compile(tt.pattern, tt.opt)
			var bad *PatternError
			if !errors.As(err, &bad) {
				t.Fatalf("error %v, want a PatternError", err)
			}
			if bad.Offset != tt.offset || !strings.Contains(bad.Error(), tt.want) {
				t.Errorf("offset %d, want %d; error\n%s\nwant it to hold\n%s", bad.Offset, tt.offset, bad, tt.want)
			}
		})
	}
}

// What looks like a newline but is not one, or only one of several choices, is fine.
func TestNewlineMayBeOneOfMany(t *testing.T) {
	for _, pattern := range []string{`[^\n]`, `[\na]`, `a\\n`, `\s`, `\Qa\n`, `a[\]\n]`, `[]\n]b`, `\x6e`, `\pN`, `[[:space:]\n]`} {
		if _, err := Compile(pattern, Options{}); err != nil {
			t.Errorf("pattern %q: %v", pattern, err)
		}
	}
}

func TestAnyErrors(t *testing.T) {
	tests := []struct {
		name     string
		literals []string
		want     string
	}{
		{"none", nil, "0 literals to search for: give 1 to 1000"},
		{"too many", make([]string, MaxLiterals+1), "1001 literals"},
		{"empty", []string{"a", ""}, "literal 2 of 2 is empty and would match every line"},
		{"newline", []string{"a", "b\n"}, `pattern "b\n": a newline never matches at character 2`},
		{"invalid", []string{"a", "b\xff"}, `invalid UTF-8 at character 2`},
		{"long", []string{strings.Repeat("a", MaxLiteralBytes), "b"}, "8193 bytes long, the limit is 8192"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Any(tt.literals, Options{}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want it to hold %q", err, tt.want)
			}
		})
	}
}
