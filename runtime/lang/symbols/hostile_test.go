package symbols

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// names lists what Scan finds as "line name".
func names(name, src string) []string {
	var out []string
	for _, d := range Scan(name, []byte(src)) {
		out = append(out, fmt.Sprintf("%d %s", d.Line, d.Name))
	}
	return out
}

// TestHostile has files that are broken, oddly written or made to mislead.
func TestHostile(t *testing.T) {
	long := strings.Repeat("x;", maxLine)
	for _, c := range []struct {
		name, file, src string
		want            []string
	}{
		{"empty", "a.go", "", nil},
		{"unknown language", "a.xyz", "func A() {}", nil},
		{"byte order mark", "a.go", "\ufeffpackage a\n\nfunc A() {}\n", []string{"3 A"}},
		{"carriage returns", "a.py", "def a():\r\n    pass\r\n\r\nclass B:\r\n    X = 1\r\n", []string{"1 a", "4 B", "5 X"}},
		{"no line break at the end", "a.rs", "fn a() {}", []string{"1 a"}},
		{"tabs and blanks", "a.py", "class A:\n\tdef b(self):\n\t        pass\n\tdef c(self): pass\n", []string{"1 A", "2 b", "4 c"}},
		{"letters of other scripts", "a.py", "def größe():\n    pass\nclass Δ: pass\n", []string{"1 größe", "3 Δ"}},
		{"invalid UTF-8", "a.rs", "fn a\xff() {}\nfn b() {}\n", []string{"1 a\ufffd", "2 b"}},
		{"broken Go", "a.go", "package a\nfunc A( {\n\tif x {\n}\n\nfunc B() {}\ntype C struct {\n\nfunc D() {}\n", []string{"2 A", "6 B", "7 C", "9 D"}},
		{"broken Python", "a.py", "x = (1,\ndef a():\n    y = [\n\nclass B:\n    def c(self): pass\n", []string{"1 x", "2 a", "5 B", "6 c"}},
		{"a brace too many", "a.java", "class A {\n  void a() {\n  }\n  }\n  void b() {}\n}\nclass B {\n  void c() {}\n}\n", []string{"1 A", "2 a", "7 B", "8 c"}},
		{"a brace too few", "a.js", "function a() {\n  if (x) {\n}\n\nfunction b() {}\n", []string{"1 a", "5 b"}},
		{"minified", "a.js", "function a(){" + long + "}function b(){}\nfunction c() {}\n", []string{"2 c"}},
		{"one long line of JSON", "a.json", `{"a": "` + long + `", "b": 1}`, nil},
		{"braces in strings", "a.ts", "const a = '{', b = `{${'}'}{`, c = /[{/]{/\nfunction d() {}\n", []string{"1 a", "1 b", "1 c", "2 d"}},
		{"a division is no regular expression", "a.js", "const a = b / c; function d() {} const e = f / g\n", []string{"1 a", "1 d", "1 e"}},
		{"a comparison is no JSX", "a.tsx", "const a = b < c\nfunction d() { return <p>it's {'}'}</p> }\nfunction e() {}\n", []string{"1 a", "2 d", "3 e"}},
		{"type parameters are no JSX", "a.tsx", "const id = <T,>(x: T) => x\nconst two = <T extends {}>(x: T) => x\nfunction last() {}\n", []string{"1 id", "2 two", "3 last"}},
		{"JSX that never ends", "a.js", "const a = <T>(x) => x\nfunction b() {}\n", []string{"1 a", "2 b"}},
		{"nested comments", "a.rs", "/* /* fn a() {} */ fn b() {} */ fn c() {}\n", []string{"1 c"}},
		{"comments that do not nest", "a.c", "/* /* int a(void) {} */ int b(void) { return 0; }\n", []string{"1 b"}},
		{"a comment that never ends", "a.java", "class A {}\n/* class B {}\n", []string{"1 A"}},
		{"a string that never ends", "a.go", "package a\nvar x = \"abc\nfunc B() {}\n", []string{"2 x", "3 B"}},
		{"an apostrophe in prose", "a.swift", "// don't\nfunc a() {} // can't\nfunc b() {}\n", []string{"2 a", "3 b"}},
		{"lifetimes", "a.rs", "fn a<'a>(x: &'a str) -> &'a str { x }\nfn b(c: char) { match c { '\\'' | '{' => {} } }\nfn c() {}\n", []string{"1 a", "2 b", "3 c"}},
		{"a shift is no heredoc", "a.rb", "def a\n  x <<FOO\n  y << 1\nend\ndef b\nend\n", []string{"1 a", "5 b"}},
		{"an open heredoc", "a.sh", "a() {\n  cat <<EOF\n}\nb() { :; }\n", []string{"1 a", "4 b"}},
		{"code behind the end", "a.rb", "def a; end\n__END__\ndef b; end\n", []string{"1 a"}},
		{"conditionals in C", "a.c", "#if A\nint a(int x) {\n#elif B\nint a(long x) {\n#else\nint a(char x) {\n#endif\n  return 1;\n}\nint b(void) { return 2; }\n", []string{"2 a", "10 b"}},
		{"macros without semicolons", "a.c", "BEGIN_DECLS\nDECLARE(x)\nint a(void) { return 1; }\nMODULE(y)\n#define Z 1\nstatic int b;\n", []string{"3 a", "5 Z", "6 b"}},
		{"only brackets", "a.kt", strings.Repeat("{([<", 1000), nil},
		{"only closers", "a.cs", strings.Repeat("})]>", 1000), nil},
		{"null bytes", "a.py", "def a():\x00\n    pass\ndef b(): pass\n", []string{"1 a", "3 b"}},
		{"a notebook cut short", "a.ipynb", "# notebook: python\r\rdef a(): pass\rdef b():\n    pass\n#' # Te", []string{"1 a", "1 b", "3 Te"}},
		{"front matter that never ends", "a.md", "---\n# A\ntext\n", []string{"2 A"}},
		{"a fence that never ends", "a.md", "# A\n```\n# B\n", []string{"1 A"}},
		{"carriage returns inside a heading", "a.md", "# A\rB\n\nC\rD\n===\n", []string{"1 A B", "3 C D"}},
		{"carriage returns inside a title", "a.rst", "A\rB\n===\n", []string{"1 A B"}},
		{"carriage returns inside a key", "a.yaml", "a\rb: c\rd\n", []string{"1 a b"}},
		{"carriage returns inside a table's name", "a.toml", "[a\rb]\nc\rd = 1\n", []string{"1 a b"}},
		{"carriage returns inside a name", "a.json", "{\n\"a\rb\": 1\n}\n", []string{"2 a b"}},
		{"a line break inside a name", "a.js", "module.exports = {\n'a\\\nb': function() {}}\n", []string{"2 a\\ b"}},
		{"a line break inside a container", "a.cs", "namespace A.\nB { class C {} }\n", []string{"2 C"}},
		{"script tag that never ends", "a.vue", "<script>\nfunction a() {}\n", []string{"2 a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, names(c.file, c.src)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			check(t, c.file, []byte(c.src))
		})
	}
}

// check holds what is true of every result, whatever the file.
func check(t *testing.T, name string, src []byte) {
	t.Helper()
	lines := bytes.Count(src, []byte{'\n'}) + 1
	last := 0
	for _, d := range Scan(name, src) {
		if d.Line < 1 || d.EndLine < d.Line || d.EndLine > lines || d.Line < last {
			t.Fatalf("%s: %s at %d-%d of %d lines, after line %d", name, d.Name, d.Line, d.EndLine, lines, last)
		}
		if last = d.Line; d.Name == "" || d.Kind == "" {
			t.Fatalf("%s: %+v lacks a name or kind", name, d)
		}
		if !utf8.ValidString(d.Name + d.Container + d.Signature + d.Doc) {
			t.Fatalf("%s: %+v is not UTF-8", name, d)
		}
		if strings.ContainsAny(d.Name+d.Container+d.Signature+d.Doc, "\n\r") {
			t.Fatalf("%s: %+v is not on one line", name, d)
		}
	}
	at := 0
	new(Scanner).Split(Detect(name, src), src, func(_ SpanKind, start, end int) {
		if start != at || end <= start {
			t.Fatalf("%s: span %d-%d after %d", name, start, end, at)
		}
		at = end
	})
	if at != len(src) {
		t.Fatalf("%s: spans end at %d of %d", name, at, len(src))
	}
}
