package redact

import (
	"maps"
	"slices"
	"strings"
)

// calls are functions that take a user and a password as plain strings, with the index of the password argument.
var calls = map[string]int{
	"setbasicauth": 1, "httpbasicauth": 1, "basic_auth": 1, "auth=": 1, "mysqli_connect": 2, "mysql_connect": 2, "mysqli": 2, "new pdo": 2,
	"getconnection": 2, "plainauth": 2,
}

func callKeywords() []string { return slices.Sorted(maps.Keys(calls)) }

// callPassword finds the password argument of a call if it is a literal.
func (d *detector) callPassword(s *scan, start, end int) {
	if !strings.HasPrefix(s.text[end:], "(") {
		return
	}
	want, at := calls[lowerASCII(s.text[start:end])], end+1
	stop := min(len(s.text), end+commandReach/2)
	for n := 0; at < stop; n++ {
		at = skipAny(s.text, at, " \t\r\n", 32)
		if n == want {
			break
		}
		for at < stop && s.text[at] != ',' {
			c := s.text[at]
			if c == ')' || c == ';' || c == '{' {
				return
			}
			if at++; c == '"' || c == '\'' {
				i := strings.IndexAny(s.text[at:stop], string(c)+"\n")
				if i < 0 {
					return
				}
				at += i + 1
			}
		}
		at++
	}
	s.watch.spend(attemptCost)
	if at >= stop || s.text[at] != '"' && s.text[at] != '\'' {
		return
	}
	v := quotedLiteral(s.text, at)
	if v.lo < v.hi && !isPlaceholder(s.text[v.lo:v.hi]) && isPassword(s.text[v.lo:v.hi], v.form, true) {
		s.addFinding(d, v.lo, v.hi)
	}
}
