package answers

import (
	"regexp"
	"strings"
)

// pattern is a regular expression of a case, which may end in (?!…): what must not follow.
// Go's regular expressions lack this, and cases written for others use it.
type pattern struct {
	is, not *regexp.Regexp // not may be nil
}

func compilePattern(s string) (pattern, error) {
	head, tail := s, ""
	if i := strings.LastIndex(s, "(?!"); i >= 0 && strings.HasSuffix(s, ")") {
		head, tail = s[:i], s[i+len("(?!"):len(s)-1]
	}
	is, err := regexp.Compile("(?i)" + head)
	if err != nil || tail == "" {
		return pattern{is: is}, err
	}
	not, err := regexp.Compile("(?i)^(?:" + tail + ")")
	return pattern{is, not}, err
}

func (p pattern) matches(text string) bool {
	if p.not == nil {
		return p.is.MatchString(text)
	}
	for _, m := range p.is.FindAllStringIndex(text, -1) {
		if !p.not.MatchString(text[m[1]:]) {
			return true
		}
	}
	return false
}
