package find

import (
	"strings"
	"testing"
)

func TestGlobMatch(t *testing.T) {
	tests := []struct {
		pattern string
		yes, no []string
	}{
		{"*.go", []string{"a.go", "x/y/a.go"}, []string{"a.goo", "a.go/b"}},
		{"a.go", []string{"a.go", "x/a.go"}, []string{"ba.go"}},
		{"/a.go", []string{"a.go"}, []string{"x/a.go"}},
		{"./a.go", []string{"a.go"}, []string{"x/a.go"}},
		{"**", []string{"a", "a/b/c"}, nil},
		{"**/*.go", []string{"a.go", "x/y/a.go"}, []string{"a.py"}},
		{"src/*.go", []string{"src/a.go"}, []string{"src/x/a.go", "y/src/a.go", "a.go"}},
		{"src/**/*.go", []string{"src/a.go", "src/x/y/a.go"}, []string{"a.go"}},
		{"src/**.go", []string{"src/a.go", "src/x/y/a.go"}, []string{"a.go"}},
		{"src/", []string{"src/a", "src/x/a"}, []string{"a/src/b"}},
		{"**/src/**", []string{"src/a", "a/src/b/c"}, []string{"a/b"}},
		{"*.{ts,tsx}", []string{"a.ts", "x/b.tsx"}, []string{"a.js"}},
		{"{src,lib/{a,b}}/*.go", []string{"src/x.go", "lib/a/x.go", "lib/b/x.go"}, []string{"lib/x.go"}},
		{"{*.go,src/*.ts}", []string{"deep/a.go", "src/a.ts"}, []string{"deep/a.ts"}},
		{"[A-Z]*.md", []string{"README.md"}, []string{"readme.md"}},
		{"[!a].c", []string{"b.c"}, []string{"a.c"}},
		{"[{]a,b[}]", []string{"{a,b}"}, []string{"a"}},
		{`\{a,b\}`, []string{"{a,b}"}, []string{"a"}},
		{"{a}", []string{"a"}, []string{"{a}"}},
		{"?.c", []string{"ä.c"}, []string{"ab.c"}},
		{"Ärger*", []string{"x/Ärgernis.txt"}, []string{"ärger.txt"}},
	}
	for _, tt := range tests {
		g, err := parseGlob(tt.pattern)
		if err != nil {
			t.Errorf("parseGlob(%q): %v", tt.pattern, err)
			continue
		}
		for _, p := range tt.yes {
			if !g.match(p) {
				t.Errorf("glob %q does not match %q", tt.pattern, p)
			}
		}
		for _, p := range tt.no {
			if g.match(p) {
				t.Errorf("glob %q matches %q", tt.pattern, p)
			}
		}
	}
}

func TestGlobErrors(t *testing.T) {
	tests := map[string]string{
		"":                                   "is empty; ** matches every file",
		"a{b":                                "a { is not closed",
		"a}b":                                "a } closes no {",
		"[a":                                 "a [ is not closed",
		`a\`:                                 "nothing follows the last backslash",
		strings.Repeat("a", 513):             "longer than 512 bytes",
		strings.Repeat("{a,b}", 10):          "more than 64 patterns",
		"{" + strings.Repeat("a,", 70) + "}": "more than 64 patterns",
	}
	for pattern, want := range tests {
		_, err := parseGlob(pattern)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parseGlob(%q) = %v, want %q in it", pattern, err, want)
		}
	}
}

func TestGlobList(t *testing.T) {
	tests := []struct {
		patterns string
		yes, no  []string
	}{
		{"", []string{"a.go"}, nil},
		{"*.go", []string{"x/a.go"}, []string{"a.py"}},
		{"!*.go", []string{"a.py"}, []string{"x/a.go"}},
		{"!vendor", []string{"a.go"}, []string{"vendor/x/a.go", "x/vendor/a.go"}},
		{"!vendor/", []string{"a.go", "x/vendor/a.go"}, []string{"vendor/x/a.go"}},
		{"*.go !*_test.go", []string{"a.go"}, []string{"a_test.go", "a.py"}},
		{"!*_test.go *.go", []string{"a.go", "a_test.go"}, []string{"a.py"}},
		{"src", []string{"src/a.go", "x/src/b/a.go"}, []string{"a.go", "src2/a.go"}},
		{"src/*", []string{"src/a.go"}, []string{"src/x/a.go"}},
	}
	for _, tt := range tests {
		l, err := parseGlobs(strings.Fields(tt.patterns))
		if err != nil {
			t.Errorf("parseGlobs(%q): %v", tt.patterns, err)
		}
		for _, p := range tt.yes {
			if !l.keepsFile(p) {
				t.Errorf("globs %q leave out %q", tt.patterns, p)
			}
		}
		for _, p := range tt.no {
			if l.keepsFile(p) {
				t.Errorf("globs %q take %q", tt.patterns, p)
			}
		}
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("src/**/*.{ts,tsx}", "src/a/b.ts")
	f.Add(`[!a-\]{b,{c,d}}**.go`, "x")
	f.Add("{[{],}]}", "{")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if g, err := parseGlob(pattern); err == nil {
			g.match(path)
			g.below(path, anyForm)
		}
	})
}
