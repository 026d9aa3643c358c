package symbols

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/clocktest"
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
	{"a.py", "f\"{"}, {"a.py", "f'{a:{"}, {"a.sh", "\"$("}, {"a.sh", "\"`"}, {"a.php", "\"{$"},
}

// TestLinear fails where something searches from every token.
func TestLinear(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.file+" of "+c.pattern, func(t *testing.T) {
			clocktest.Linear(t, 8<<10, func(size int) func() {
				src := []byte(strings.Repeat(c.pattern, size/len(c.pattern)))
				return func() { Scan(c.file, src) }
			})
		})
	}
}
