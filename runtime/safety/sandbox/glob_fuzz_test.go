package sandbox

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/glob"
)

// FuzzIgnore reads any ignore file and matches any path. The compiled rules must say what trying the rules one by one,
// last first, says; and nothing may panic or take long.
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
				if rules[i].appliesTo(k) && plainMatch(rules[i], path, name) {
					want = i
				}
			}
			if got := set.match(path, name, k); got != want {
				t.Fatalf("%q on %q (kind %d): rule %d decides, want %d", file, path, k, got, want)
			}
		}
	})
}

// plainMatch holds one rule against a path, without the speed of a set.
func plainMatch(r rule, path, name string) bool {
	if r.segments == nil {
		return glob.Bytes.Match(r.name, name)
	}
	return glob.Bytes.MatchPath(r.segments, path)
}
