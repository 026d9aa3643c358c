package symbols

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// hostile are patterns that, repeated, make every token start another search,
// open another level or announce another body.
var hostile = []struct{ file, pattern string }{
	{"a.js", "{\"cells\":[/"}, {"a.js", "a\n=\nvar a,"}, {"a.js", "exports.a="}, {"a.js", "`${"}, {"a.tsx", "<a>{"},
	{"a.ts", "(a):"}, {"a.ts", "class a<"}, {"a.py", "a="}, {"a.py", "def a(\n"}, {"a.rb", "<<A\ndef a("}, {"a.rb", "\"#{"},
	{"a.sh", "cat <<A\n"}, {"a.rs", "fn a "}, {"a.rs", "impl a "}, {"a.c", "a("}, {"a.cpp", "template<"}, {"a.cpp", "#if 0\n"},
	{"a.c", "#if 1\n{"}, {"a.java", "class A {"}, {"a.java", "@a("}, {"a.cs", "$\"{"}, {"a.php", "<<<A\n"}, {"a.kt", "fun a<"},
	{"a.swift", "\"\\("}, {"a.scala", "def a\n"}, {"a.sql", "create function a begin "}, {"a.cue", "a: "}, {"a.md", "a\n=\n"},
	{"a.json", "{\"a\":"}, {"a.ipynb", "# notebook: python\r#' #\r"}, {"a.sql", "do $$ $a$ $$ as "}, {"a.vue", "<script>"}, {"a.vue", "<style <!---->"}, {"a.go", "type a struct {"}, {"a.go", "func ("},
	{"a.proto", "message A {"}, {"a.yaml", "a: #\n"}, {"a.toml", "[a]\n"}, {"a.adoc", "= a\n"}, {"a.rst", "a\n=\n"},
	{"a.dart", "class A { a("}, {"a.dart", "'${"}, {"a.lua", "a = [=["}, {"a.lua", "function a.b("}, {"a.ex", "def a(\n"}, {"a.ex", "~s(#{"},
	{"a.pl", "s{a}"}, {"a.pl", "<<A;\nsub a {"}, {"a.pl", "package A;\n"}, {"a.ps1", "function a {"}, {"a.ps1", "@\"\n"}, {"a.r", "a <- function("},
	{"a.hs", "a ::\n"}, {"a.hs", "{-"}, {"a.hs", "a b "},
	{"a.pl", "sub a {\n\"\n"}, {"a.rb", "a a = a "},
	{"a.zig", "const a = struct {"}, {"a.tf", "resource \"${"}, {"Makefile", "a: "}, {"Dockerfile", "FROM a AS\n"}, {"a.dockerfile", "FROM a a "},
	{"a.py", "f\"{"}, {"a.py", "f'{a:{"}, {"a.sh", "\"$("}, {"a.sh", "\"`"}, {"a.php", "\"{$"},
}

// TestLinear fails where something searches from every token.
func TestLinear(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.file+" of "+c.pattern, func(t *testing.T) {
			clocktest.Linear(t, 8<<10, func(size int) func() {
				src := []byte(strings.Repeat(c.pattern, size/len(c.pattern)))
				return func() {
					Scan(c.file, src)
					Split(Detect(c.file, src), src, func(SpanKind, int, int) {})
				}
			})
		})
	}
}
