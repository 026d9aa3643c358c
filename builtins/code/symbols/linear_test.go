package symbols

import (
	"strings"
	"testing"
	"time"
)

// hostile are patterns that, repeated, make every token start another search,
// open another level or announce another body.
var hostile = []struct{ file, pattern string }{
	{"a.js", "{\"cells\":[/"}, {"a.js", "a\n=\nvar a,"}, {"a.js", "exports.a="}, {"a.js", "`${"}, {"a.tsx", "<a>{"},
	{"a.ts", "(a):"}, {"a.ts", "class a<"}, {"a.py", "a="}, {"a.py", "def a(\n"}, {"a.rb", "<<A\ndef a("}, {"a.rb", "\"#{"},
	{"a.sh", "cat <<A\n"}, {"a.rs", "fn a "}, {"a.rs", "impl a "}, {"a.c", "a("}, {"a.cpp", "template<"}, {"a.cpp", "#if 0\n"},
	{"a.c", "#if 1\n{"}, {"a.java", "class A {"}, {"a.java", "@a("}, {"a.cs", "$\"{"}, {"a.php", "<<<A\n"}, {"a.kt", "fun a<"},
	{"a.swift", "\"\\("}, {"a.scala", "def a\n"}, {"a.sql", "create function a begin "}, {"a.cue", "a: "}, {"a.md", "a\n=\n"},
	{"a.json", "{\"a\":"}, {"a.ipynb", "{\"cells\":["}, {"a.vue", "<script>"}, {"a.go", "type a struct {"}, {"a.go", "func ("},
	{"a.proto", "message A {"}, {"a.yaml", "a: #\n"}, {"a.toml", "[a]\n"}, {"a.adoc", "= a\n"}, {"a.rst", "a\n=\n"},
}

// TestLinear says that eight times the input takes about eight times as long:
// at sixty-four times, the square, something searches from every token.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const small, factor = 16 << 10, 8
	for _, c := range hostile {
		few := fastest(c.file, c.pattern, small)
		many := fastest(c.file, c.pattern, small*factor)
		for tries := 0; many > 5*factor*few && tries < 5; tries++ { // a busy machine, perhaps
			few = max(few, fastest(c.file, c.pattern, small))
			many = min(many, fastest(c.file, c.pattern, small*factor))
		}
		if many > 5*factor*few {
			t.Errorf("%s %q: %v for %d bytes, %v for %d times that", c.file, c.pattern, few, small, many, factor)
		}
	}
}

// fastest is the shortest of a few runs over a pattern repeated to a size.
func fastest(file, pattern string, size int) time.Duration {
	src := []byte(strings.Repeat(pattern, size/len(pattern)))
	best := time.Hour
	for range 3 {
		start := time.Now()
		Scan(file, src)
		best = min(best, time.Since(start))
	}
	return best
}
