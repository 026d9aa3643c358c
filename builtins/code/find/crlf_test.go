package find

import (
	"regexp"
	"testing"
)

func TestLineEnds(t *testing.T) {
	tests := []struct {
		pattern string
		line    string
		want    bool
	}{
		{`end$`, "the end\r", true},
		{`end$`, "the end", true},
		{`end$`, "the ending\r", false},
		{`^$`, "\r", true},
		{`a$|b`, "a\r", true},
		{`(?:a|(b$))c?$`, "b\r", true},
		{`a\$`, "a\r", false},
		{`[$]`, "$\r", true},
		{`a\z`, "a\r", false},
		{`(?m)a$`, "a\r", true},
	}
	for _, tt := range tests {
		re, err := regexp.Compile(loosenLineEnds(tt.pattern))
		if err != nil {
			t.Errorf("loosenLineEnds(%q) = %q: %v", tt.pattern, loosenLineEnds(tt.pattern), err)
			continue
		}
		if got := re.MatchString(tt.line); got != tt.want {
			t.Errorf("loosenLineEnds(%q) = %q matches %q: %v", tt.pattern, loosenLineEnds(tt.pattern), tt.line, got)
		}
	}
	for _, same := range []string{"a.b", `a\$`, "($"} {
		if got := loosenLineEnds(same); got != same {
			t.Errorf("loosenLineEnds(%q) = %q", same, got)
		}
	}
}
