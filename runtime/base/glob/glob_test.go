package glob

import (
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		unit          Unit
		pattern, name string
		want          bool
	}{
		{Bytes, "*.go", "a.go", true}, {Bytes, "*.go", "a.goo", false}, {Bytes, "a?c", "abc", true}, {Bytes, "", "", true}, {Bytes, "", "a", false},
		{Bytes, "?", "ä", false}, {Bytes, "??", "ä", true}, {Runes, "?", "ä", true}, {Runes, "[ä-ö]", "ö", true}, {Runes, "*ä", "xää", true},
		{Bytes, "[!a-c]x", "dx", true}, {Bytes, "[^a-c]x", "bx", false}, {Bytes, "[]-a]", "]", true}, {Bytes, "[a-]", "-", true},
		{Bytes, "[[:alpha:]]?", "ab", true}, {Bytes, "[[:nosuch:]]", "a", false}, {Bytes, `\*`, "*", true}, {Bytes, `\`, "", false},
		{Bytes, "Ab", "ab", false}, {Folded, "Ab", "ab", true}, {Folded, "[A-C]x", "bx", true}, {Folded, "[!A-C]x", "bx", false},
		{Folded, "[Z-_]x", "zx", true}, {Folded, "[[:upper:]]", "a", true}, {Folded, "Ä*", "ärger", true}, {Runes, "\xff", "\xff", true},
		{Bytes, strings.Repeat("*a", 40) + "b", strings.Repeat("a", 400), false},
	} {
		if got := c.unit.Match(c.pattern, c.name); got != c.want {
			t.Errorf("%q against %q is %v", c.pattern, c.name, got)
		}
	}
}

func TestMatchPath(t *testing.T) {
	for pattern, paths := range map[string]string{
		"**/foo": "foo a/foo a/b/foo !foo/a", "foo/**": "foo/a foo/a/b !foo", "a/**/b": "a/b a/x/b a/x/y/b !a/x", "a/*": "a/b !a/b/c",
		"**/a/**/b/*.go": "a/b/x.go z/a/y/b/x.go !a/x.go", "[a/b]c": "!a/c", `a\/b`: "a/b",
	} {
		segments, ok := Runes.Split(pattern)
		if !ok {
			t.Errorf("%q is not well formed", pattern)
		}
		for p := range strings.FieldsSeq(paths) {
			p, not := strings.CutPrefix(p, "!")
			if got := Runes.MatchPath(segments, p); got == not {
				t.Errorf("%q against %q is %v", pattern, p, got)
			}
		}
	}
	for _, broken := range []string{"a[", `a\`, "[[:x:]]", "[a-"} {
		if _, ok := Bytes.Split(broken); ok {
			t.Errorf("%q is well formed", broken)
		}
	}
}

func TestGroups(t *testing.T) {
	for pattern, want := range map[string]string{
		"a": "a", "{a}": "a", "{a,b}": "a b", "{a,{b,c}d}e": "ae bde cde", "[{]a": "[{]a", `\{a,b\}`: `\{a,b\}`, "x{,y}": "x xy", "[]{a,b]": "[]{a,b]",
		"a,b": "a,b", "{a,b}{c,d}": "ac ad bc bd",
	} {
		got, err := Groups(pattern, 4)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q stands for %q (%v), want %s", pattern, got, err, want)
		}
	}
	for pattern, want := range map[string]string{"a{b": "a { is not closed", "a}b": "a } closes no {", "{a,b}{a,b}{a,b}": "more than 4 patterns"} {
		if _, err := Groups(pattern, 4); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", pattern, err, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for pattern, want := range map[string]string{
		"a*b?[c-d]": "", `\[`: "", "[]a]": "", "[[:alpha:]-z]": "", "[a-]": "", "[!-a]": "", "[ä-ö]": "",
		"[ab": "a [ is not closed", `[a\`: "a [ is not closed", "[]": "the brackets are empty", "[z-a]": "write a-z", "[!z-a]": "write a-z",
		`a\`: "nothing follows the last backslash",
	} {
		if err := Check(pattern); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %s", pattern, err, want)
		}
	}
}

// FuzzMatch: the fast way says what the plain definition of a pattern says, in
// every unit; and nothing may panic or take long.
func FuzzMatch(f *testing.F) {
	for _, seed := range [][2]string{
		{"*.log", "a/keep.log"}, {"a/**/b", "a/x/b"}, {"[!a-c]*", "dd"}, {"a[", "a["}, {"[[:alpha:]]?", "ab"}, {"a//b", "a/b"},
		{"*a*a*a*a*a*a*a*a*b", strings.Repeat("a", 200)}, {"**/**/a/**/**/b", "a/a/a/b"}, {"\xff*", "\xffx"}, {"[a/b]c", "ac"}, {"?ä[Ä-Ü]", "xää"},
	} {
		f.Add(seed[0], seed[1], 1)
	}
	f.Fuzz(func(t *testing.T, pattern, path string, unit int) {
		if len(path) > 300 || len(pattern) > 1<<10 {
			return
		}
		u := Unit(unit & 3 % 3)
		if want, got := slowName(u, pattern, path, &budget{}), u.Match(pattern, path); got != want {
			t.Fatalf("%q against %q is %v, want %v", pattern, path, got, want)
		}
		if segments, ok := u.Split(pattern); ok {
			if want, got := slowPath(u, segments, strings.Split(path, "/"), &budget{}), u.MatchPath(segments, path); got != want {
				t.Fatalf("%q against the path %q is %v, want %v", segments, path, got, want)
			}
		}
		if forms, err := Groups(pattern, 50); err == nil && len(forms) > 50 {
			t.Fatalf("%q stands for %d", pattern, len(forms))
		}
		_ = Check(pattern)
	})
}

// after is where the second unit of a name begins.
func after(u Unit, name string) int {
	_, size := u.unitAt(name, 0)
	return size
}

// budget ends a comparison whose cost explodes; the answer is then taken from the fast way.
type budget struct{ steps int }

func (b *budget) out() bool { b.steps++; return b.steps > 20_000 }

func slowPath(u Unit, segments, parts []string, b *budget) bool {
	switch {
	case b.out():
		return u.MatchPath(segments, strings.Join(parts, "/"))
	case len(segments) == 0:
		return len(parts) == 0
	case segments[0] == "**" && len(segments) == 1:
		return len(parts) > 0
	case segments[0] == "**":
		return slowPath(u, segments[1:], parts, b) || len(parts) > 0 && slowPath(u, segments, parts[1:], b)
	}
	return len(parts) > 0 && slowName(u, segments[0], parts[0], b) && slowPath(u, segments[1:], parts[1:], b)
}

func slowName(u Unit, pattern, name string, b *budget) bool {
	switch {
	case b.out():
		return u.Match(pattern, name)
	case pattern == "":
		return name == ""
	case pattern[0] == '*':
		return slowName(u, pattern[1:], name, b) || name != "" && slowName(u, pattern, name[after(u, name):], b)
	case name == "":
		return false
	}
	c, size := u.unitAt(name, 0)
	next, ok := u.matchOne(pattern, 0, c)
	return ok && slowName(u, pattern[next:], name[size:], b)
}
