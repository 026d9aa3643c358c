package symbols

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestScannerReuse scans many files with one Scanner: no result depends on the
// files before it, and results stay valid.
func TestScannerReuse(t *testing.T) {
	var s Scanner
	files := samples(t)
	kept := make([][]Def, len(files))
	for i, f := range files {
		kept[i] = s.Scan(f.Name, f.Data)
		s.Split(Language(f.Name), f.Data, func(SpanKind, int, int) {})
	}
	for i, f := range files {
		if diff := cmp.Diff(Scan(f.Name, f.Data), kept[i]); diff != "" {
			t.Errorf("%s: -fresh +reused\n%s", f.Name, diff)
		}
		if diff := cmp.Diff(kept[i], s.Scan(f.Name, f.Data)); diff != "" {
			t.Errorf("%s: -first +second\n%s", f.Name, diff)
		}
	}
}

func TestEnclosing(t *testing.T) {
	src := "class A:\n    x = 1\n    def b(self):\n        def c():\n            pass\n        return c\n\ndef d(): pass\n"
	defs := Scan("a.py", []byte(src))
	got := map[int]string{}
	for line := 0; line <= 9; line++ {
		if d, ok := Enclosing(defs, line); ok {
			got[line] = d.Name
		}
	}
	want := map[int]string{1: "A", 2: "x", 3: "b", 4: "c", 5: "c", 6: "b", 8: "d"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if _, ok := Enclosing(nil, 1); ok {
		t.Error("something encloses a line of nothing")
	}
}

func TestLanguage(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      Lang
	}{
		{"a/b.go", "", Go},
		{`a\b.PY`, "", Python},
		{"x.d.ts", "", TypeScript},
		{"x.test.jsx", "", JavaScript},
		{"a.h", "", C},
		{"a.hpp", "", CPP},
		{"Rakefile", "", Ruby},
		{"dir.go/Gemfile", "", Ruby},
		{"Makefile", "", Make},
		{"Dockerfile.dev", "", Dockerfile},
		{"infra/main.tf", "", HCL},
		{"a.min.css", "", ""},
		{"", "", ""},
		{"run", "#!/usr/bin/env -S python3.11 -u\n", Python},
		{"run", "#!/bin/bash", Shell},
		{"run", "#! /usr/bin/env node\nfunction a() {}", JavaScript},
		{"run", "\ufeff#!/usr/bin/ruby", Ruby},
		{"run", "#!", ""},
		{"run", "#!/usr/bin/env FOO=1 perl", Perl},
		{"run", "#!/usr/bin/env tclsh", ""},
		{"a.rb", "#!/bin/sh", Ruby},
	} {
		if got := Detect(c.name, []byte(c.src)); got != c.want {
			t.Errorf("Detect(%q, %q) = %q, want %q", c.name, c.src, got, c.want)
		}
	}
}

// TestScanByShebang reads a script without an extension.
func TestScanByShebang(t *testing.T) {
	got := names("bin/tool", "#!/usr/bin/env python3\ndef main():\n    pass\n")
	if diff := cmp.Diff([]string{"2 main"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestBounds keeps what one hostile file can yield small.
func TestBounds(t *testing.T) {
	var src []byte
	for i := range 150_000 {
		src = fmt.Appendf(src, "A%d=1\n", i)
	}
	if n := len(Scan("a.py", src)); n != maxDefs {
		t.Errorf("%d definitions, want %d", n, maxDefs)
	}
	size := 0
	deep := []byte("class A{")
	for range 20_000 {
		deep = append(deep, "class Abcdefghijklmnop{"...)
		deep = append(deep, '\n')
	}
	for _, d := range Scan("a.java", deep) {
		size += len(d.Container)
	}
	if size > 64*len(deep) {
		t.Errorf("%d bytes of containers for %d bytes of source", size, len(deep))
	}
}
