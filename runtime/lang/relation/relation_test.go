package relation

import (
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

func TestHeads(t *testing.T) {
	for _, c := range []struct {
		path, src, name string
		want            []string
	}{
		{"a.py", "class A(B, x.C, metaclass=M):\n  pass\n", "A", []string{"B", "C"}},
		{"A.java", "class A<T extends X> extends B<T> implements C, D {}\n", "A", []string{"B", "C", "D"}},
		{"a.kt", "class A(val b: Int) : B(b), C\n", "A", []string{"B", "C"}},
		{"a.ts", "class A extends B implements C {}\n", "A", []string{"B", "C"}},
		{"a.cpp", "class A : public n::B, private C {};\n", "A", []string{"B", "C"}},
	} {
		h := Heads{}
		h.AddHeads(symbols.Language(c.path), symbols.Scan(c.path, []byte(c.src)))
		for _, w := range c.want {
			if !slices.Contains(h[c.name], w) {
				t.Errorf("%s: %s is above %q, want %s among them", c.path, c.name, h[c.name], w)
			}
		}
	}
}

func TestTelling(t *testing.T) {
	for name, want := range map[string]bool{"get": false, "Close": false, "toString": false, "to_dict": false, "_run": false,
		"maybe_shutdown": true, "rangeForTimestamp": true, "setErrorStatusCode": true} {
		if isDistinctive(name) != want {
			t.Errorf("telling(%q) is %v", name, !want)
		}
	}
}

// FuzzLook reads any text as any language: it ends, and stays inside of the text.
func FuzzLook(f *testing.F) {
	for _, s := range []string{"x.f()", "import (\n\"a/b\"\n)\nfunc g(x *b.T) { x.f() }", "use a::{b::{c, d as f}, e::*};\nf();", "const { f } = require('x')\nf()",
		"from a import (f,\n b)\nf(", "{{{{f<<<<f(", "f<", "a.b.c?.f\n.f", "class A<B<C<f> f",
		"x=(f\n) `f` $(f `date` 2>&1) | f && { f; }\ncase f in\n f) f;; esac", "def f(f)\n f\n |f| f, f = f\nend", "module A (f) where\nf f = f f'", "use f qw(f);\n&f; f => $f{f}", "alias A.f, as: F\n:f &f/1 f f", "a: f\n\tmake f $(f)", "FROM f AS f\nCOPY --from=f",
		"f := f.f(f()).f()\nfor f in f.f() { f }\nif let Some(f) = f.f() { f }\nlet {f, g} = f; f => f", "f(f) -> f {\nfunc f(f *f) (f f, e) {", "f\"{f!r:{f}}{{f\"", "\"{$f->f()}\""} {
		f.Add(s)
	}
	paths := []string{"a.go", "a.py", "a.ts", "a.java", "a.rs", "a.c", "a.cpp", "a.cs", "a.rb", "a.php", "a.kt", "a.swift", "a.scala", "a.sh",
		"a.dart", "a.lua", "a.ex", "a.pl", "a.ps1", "a.r", "a.hs", "a.zig", "a.tf", "Makefile", "Dockerfile"}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range paths {
			data := []byte(text)
			src := readSource(p, data)
			var r Reader
			r.Open(src)
			for i := range src.Defs {
				r.Returns(&src.Defs[i])
			}
			line := 1
			for i := range data {
				if data[i] == 'f' {
					m, ok := r.Resolve("f", line, i)
					if ok {
						w := NameIndex{Defs: []Def{{Def: symbols.Def{Name: "f", Kind: symbols.KindFunction}, Path: p, Lang: src.Lang}}}
						w.Decide(&m, &w.Defs[0])
					}
				}
				if data[i] == '\n' {
					line++
				}
			}
		}
	})
}
