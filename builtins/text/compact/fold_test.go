package compact

import (
	"fmt"
	"strings"
	"testing"
)

// Findings that say the same are told once with where the others are; what differs among them is not lost.
func TestEqualFindingsAreToldOnce(t *testing.T) {
	vet := linesEach(70, func(i int) string {
		return fmt.Sprintf("shop.go:%d:14: fmt.Printf format %%d has arg \"name%d\" of wrong type string\nshop.go:%d:2: unreachable code", 7*i+6, i, 7*i+9)
	})
	rust := func(i int, found string) string {
		return fmt.Sprintf("error[E0308]: mismatched types\n  --> src/main.rs:%d:20\n   |\n%d  |     let total: u64 = n;\n   |                      ^ expected `u64`, found `%s`\n\n", i, i, found)
	}
	for _, c := range []struct {
		name, text   string
		bytes        int
		keeps, drops []string
	}{
		{"go vet", vet, 2000, []string{
			"shop.go:9:2: unreachable code\n[… 69 more like it: shop.go:16, 23, 30, ",
			"shop.go:6:14: fmt.Printf format %d has arg \"name0\" of wrong type string\n[… 69 more like it: shop.go:13 \"name1\", 20 \"name2\", ",
			"[… all 140 errors counted, ",
		}, []string{"shop.go:16:2"}},
		{"undefined names", linesEach(60, func(i int) string { return fmt.Sprintf("./a.go:%d:9: undefined: %s", i, strings.Repeat("x", i%7+1)) }), 900,
			[]string{"./a.go:0:9: undefined: x\n[… 59 more like it: ./a.go:1 xx, 2 xxx, "}, nil},
		{"rust: what was found differs", linesEach(40, func(i int) string { return rust(i, either(i == 33, "String", "usize")) }) + "error: could not compile `shop` due to 40 previous errors\n", 1500,
			[]string{"[… 39 more like it: src/main.rs:33 `String`, 1, 2, 3, ", "expected `u64`, found `usize`"}, nil},
		{"javac: symbols differ in kind", linesEach(40, func(i int) string {
			return fmt.Sprintf("Shop.java:%d: error: cannot find symbol\n    run(x);\n        ^\n  symbol:   %s x%d\n  location: class Shop", i, either(i == 7, "method", "variable"), i)
		}), 900, []string{"Shop.java:0: error: cannot find symbol", "38 more like it: Shop.java:1 x1, 2 x2, ", "Shop.java:7: error: cannot find symbol"}, nil},
		{"files of eslint", linesEach(30, func(i int) string {
			return fmt.Sprintf("/srv/app/src/part%d.js\n  %d:10  error    'value%d' is assigned a value but never used  no-unused-vars\n  %d:1   warning  Missing semicolon  semi\n", i, i+3, i, i+4)
		}) + "\n✖ 60 problems (30 errors, 30 warnings)\n", 1800,
			[]string{"/srv/app/src/part0.js\n", "[… 29 more like it: ", "below /srv/app/src/: part1.js:4 'value1'; ", "✖ 60 problems (30 errors, 30 warnings)"}, []string{"/srv/app/src/part9.js\n"}},
		{"many files", linesEach(400, func(i int) string {
			return fmt.Sprintf("src/deep/path/to/module%02d/index.ts(%d,3): error TS2532: Object is possibly 'undefined'.", i%80, i)
		}), 900, []string{"[… 399 more like it: below src/deep/path/to/: module01/index.ts:1 (5); ", " other files]", "[… all 400 errors counted, "}, nil},
		{"what a linker says behind the last warning", linesEach(60, func(i int) string { return fmt.Sprintf("src/m.c:%d:3: warning: unused variable 'e'", i) }) + "   FATAL: linker killed (out of memory)\n     60 Warning(s)\n", 400,
			[]string{"FATAL: linker killed (out of memory)", "60 Warning(s)", "[… 59 more like it: src/m.c:1, 2, "}, nil},
		{"the one that quotes something else", linesEach(60, func(i int) string {
			return fmt.Sprintf("tests/a.py:%d:1: error: got '%s', want 'ok'", i, either(i == 56, "segfault in worker 3", "ok2"))
		}), 400, []string{"[… 59 more like it: tests/a.py:56 'segfault in worker 3', 1, 2, "}, nil},
		{"details of tsc that differ", linesEach(40, func(i int) string {
			return fmt.Sprintf("src/a%d.ts(%d,5): error TS2322: Type 'A' is not assignable to type 'B'.\n  Property '%s' is missing in type 'A'.", i, i, either(i == 7, "SPECIAL", "common"))
		}), 600, []string{"[… 39 more like it: src/a7.ts:7 'SPECIAL'; src/a1.ts:1; "}, nil},
		{"directories of make", linesEach(3, func(k int) string {
			return fmt.Sprintf("make[1]: Entering directory '/srv/m%d'\n", k) + strings.TrimSuffix(linesEach(15, func(i int) string { return fmt.Sprintf("util.c:%d:2: warning: unused variable 'x'", i) }), "\n")
		}), 700, []string{"[… 14 more like it: util.c:1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]"}, []string{"44 more like it"}},
		{"the mark for a word in a message", linesEach(20, func(i int) string {
			return fmt.Sprintf("src/a.c:%d:1: error: bad %s here", i, either(i%2 == 0, "\x00", "'x'"))
		}), 400,
			[]string{"9 more like it: src/a.c:3, 5, 7"}, nil},
		{"two are not many", "a.go:1:2: unreachable code\nb.go:1:2: unreachable code\n" + linesEach(60, func(i int) string { return fmt.Sprintf("c.go:%d:2: %s", i, strings.Repeat("long ", i+1)) }), 900,
			[]string{"a.go:1:2: unreachable code\nb.go:1:2: unreachable code"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Shorten(c.text, Options{Bytes: c.bytes})
			if len(s.Text) > c.bytes || s.Kind != Compiler {
				t.Errorf("%d bytes, of %d; read as %s", len(s.Text), c.bytes, s.Kind)
			}
			holds(t, c.text, s.Text, c.keeps, c.drops)
		})
	}
}

// Findings are not folded where all fit, and the more room there is the fewer are.
func TestFindingsAreFoldedForWantOfRoom(t *testing.T) {
	text := linesEach(30, func(i int) string { return fmt.Sprintf("a.go:%d:2: unreachable code", i) }) +
		linesEach(4, func(i int) string { return fmt.Sprintf("b.go:%d:2: missing return", i) }) + strings.Repeat("make: nothing is said here\n", 40)
	for bytes, want := range map[int][2]bool{700: {true, false}, 1250: {false, false}} {
		s := Shorten(text, Options{Bytes: bytes}).Text
		got := [2]bool{strings.Contains(s, "29 more like it"), strings.Contains(s, "3 more like it")}
		if got != want {
			t.Errorf("%d bytes: folded %v, want %v:\n%s", bytes, got, want, s)
		}
	}
}
