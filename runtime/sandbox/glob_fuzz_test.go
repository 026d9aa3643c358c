package sandbox

import (
	"strings"
	"testing"
)

// FuzzIgnore reads any ignore file and matches any path. The compiled rules must say what trying the rules one by one,
// last first, with the plain definition of a pattern says; and nothing may panic or take long.
func FuzzIgnore(f *testing.F) {
	for _, seed := range [][2]string{
		{"*.log\n!keep.log", "a/keep.log"}, {"/a/**/b/", "a/x/b"}, {"[!a-c]*", "dd"}, {"a[", "a["}, {"\\#x\n#y", "#x"},
		{"**/foo\nfoo/**", "x/foo/y"}, {"a\\ \nb  ", "a "}, {"[[:alpha:]]?\r\n", "ab"}, {"a//b\n//", "a/b"}, {"!*\n*", "x"},
		{"*a*a*a*a*a*a*a*a*b", strings.Repeat("a", 200)}, {"**/**/a/**/**/b", "a/a/a/b"}, {"[]-a]", "]"}, {"\xff*", "\xffx"},
		{"foo.*\n*.tar.gz\n.env.*", "foo.tar.gz"}, {"**/a/*.x", "b/a/c.x"}, {"[a/b]c", "ac"}, {"?\\", "x"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, file, path string) {
		if !plainPath(path) || len(path) > 300 || len(file) > 4<<10 {
			return
		}
		rules := parseIgnore(file)
		set := compileRules(rules)
		_, name := splitPath(path)
		for _, k := range []kind{kindFile, kindDir, kindLink} {
			want := -1
			for i := len(rules) - 1; i >= 0 && want < 0; i-- {
				if rules[i].about(k) && plainMatch(rules[i], path, name) {
					want = i
				}
			}
			if got := set.match(path, name, k); got != want {
				t.Fatalf("%q on %q (kind %d): rule %d decides, want %d", file, path, k, got, want)
			}
		}
	})
}

// plainMatch is the definition of a pattern, without the speed.
func plainMatch(r rule, path, name string) bool {
	if r.segments == nil {
		return slowName(r.name, name, &budget{})
	}
	return slowPath(r.segments, strings.Split(path, "/"), &budget{})
}

// budget ends a comparison whose cost explodes; the answer is then taken from the fast way.
type budget struct{ steps int }

func (b *budget) out() bool { b.steps++; return b.steps > 20_000 }

func slowPath(segments, parts []string, b *budget) bool {
	switch {
	case b.out():
		return matchPath(segments, strings.Join(parts, "/"))
	case len(segments) == 0:
		return len(parts) == 0
	case segments[0] == "**" && len(segments) == 1:
		return len(parts) > 0
	case segments[0] == "**":
		return slowPath(segments[1:], parts, b) || len(parts) > 0 && slowPath(segments, parts[1:], b)
	}
	return len(parts) > 0 && slowName(segments[0], parts[0], b) && slowPath(segments[1:], parts[1:], b)
}

func slowName(pattern, name string, b *budget) bool {
	switch {
	case b.out():
		return matchName(pattern, name)
	case pattern == "":
		return name == ""
	case pattern[0] == '*':
		return slowName(pattern[1:], name, b) || name != "" && slowName(pattern, name[1:], b)
	case name == "":
		return false
	}
	next, ok := matchByte(pattern, 0, name[0])
	return ok && slowName(pattern[next:], name[1:], b)
}
