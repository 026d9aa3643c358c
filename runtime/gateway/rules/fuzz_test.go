package rules

import (
	"regexp"
	"strings"
	"testing"
)

// oracle writes a glob as a regular expression, by another road than the
// parser's.
func oracle(t *testing.T, text string) *regexp.Regexp {
	var out strings.Builder
	depth := 0
	for rs := []rune(text); len(rs) > 0; rs = rs[1:] {
		switch c := rs[0]; {
		case c == '*':
			out.WriteString(`(?s:.*)`)
		case c == '?':
			out.WriteString(`(?s:.)`)
		case c == '{':
			depth++
			out.WriteString(`(?:`)
		case c == '}':
			depth--
			out.WriteString(`)`)
		case c == ',' && depth > 0:
			out.WriteString(`|`)
		case c == '\\':
			rs = rs[1:]
			out.WriteString(regexp.QuoteMeta(string(rs[0])))
		default:
			out.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	re, err := regexp.Compile(`(?i)^(?:` + out.String() + `)$`)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return re
}

func FuzzGlob(f *testing.F) {
	for _, s := range [][2]string{{"a*b", "axb"}, {"{a,b{c,d}}*", "bdx"}, {`\**`, "*x"}, {"*a*a*b", "aaaaab"}, {"?{,x}", "yx"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		if strings.ContainsRune(text, '[') || !ascii(text) || !ascii(name) || len(text) > 200 {
			return
		}
		g, err := compileGlob(text)
		if err != nil {
			return
		}
		if got, want := g.match(fold(name)), oracle(t, text).MatchString(name); got != want {
			t.Errorf("%q against %q: %v, not %v", text, name, got, want)
		}
	})
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

func FuzzDecide(f *testing.F) {
	f.Add("*", "!*delete*", "git*", "github", "delete_repo")
	f.Add("/a/i", "!/b/", "", "s", "a")
	f.Add("{a,b}[c-d]", `\!x`, "x?", "xy", "bc")
	f.Fuzz(func(t *testing.T, first, second, field, server, tool string) {
		list := []Rule{
			{Pattern: []string{first, second}, Server: field, Enabled: yes(), Tags: []string{"t"}},
			{Pattern: []string{second}, Enabled: no()},
		}
		s, errs := Compile(list)
		d := s.Decide(server, tool)
		if len(errs) > 0 {
			if d.Enabled {
				t.Errorf("enabled in spite of %v", errs)
			}
			return
		}
		if d.Enabled && d.Rule != 0 || len(d.Trace) != 2 || d.Why == "" {
			t.Errorf("%+v", d)
		}
		unused := s.Unused([][2]string{{server, tool}})
		for i, step := range d.Trace {
			missing := false
			for _, u := range unused {
				missing = missing || u == i
			}
			if missing == (step.Outcome == Matched) {
				t.Errorf("step %v, unused %v", step, unused)
			}
		}
	})
}
