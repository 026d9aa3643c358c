package compact

import (
	"fmt"
	"strings"
	"testing"
)

// Every fault of a log is kept, however much the other lines name.
func TestFaultsOfALogAreKept(t *testing.T) {
	var b strings.Builder
	var want []string
	for i := range 3000 {
		fmt.Fprintf(&b, "2026-03-04T05:%02d:%02dZ INFO request_id=%08x path=/api/v2/orders/%d/items user=u-%d took=%dms\n", i/60%60, i%60, i*2654435761, i, i%97, i%311)
		if i%250 == 7 {
			level := []string{"ERROR", "WARN"}[i/250%2]
			line := fmt.Sprintf("2026-03-04T05:%02d:%02dZ %s %s", i/60%60, i%60, level, []string{"disk sda1 is full", "the queue of mail stands still", "no route to 10.0.0.9", "certificate ends on 2026-04-01",
				"replica db-3 lags", "token of svc-mail was refused", "retrying upload of part 17", "config key tls.min is unknown", "clock is 12s late", "cache was dropped", "lock is held by pid 4411", "out of file handles"}[i/250])
			want = append(want, line)
			b.WriteString(line + "\n")
		}
	}
	text := b.String()
	s := Shorten(text, Options{Bytes: 2400, Kind: Log})
	for _, w := range want {
		if !strings.Contains(s.Text, w) {
			t.Errorf("%q is not in it", w)
		}
	}
	if !strings.Contains(s.Text, " like it]") || len(Faithful(text, s.Text)) > 0 {
		t.Error(s.Text)
	}
}

// Forms of programs that are not among the goldens, as they print them.
func TestFormsOfOutput(t *testing.T) {
	for _, c := range []struct {
		name  string
		kind  Kind
		lines string
		keeps []string
		drops []string
	}{
		{"jest", Tests, "PASS src/a.test.js\nFAIL src/cart.test.js\n  cart\n" + strings.Repeat("    ✓ adds an item (2 ms)\n", 40) + `    ✕ counts items (5 ms)

  ● cart › counts items

    expect(received).toBe(expected) // Object.is equality

    Expected: 1900
    Received: 1550

      21 |   const c = new Cart();
    > 22 |   expect(c.total()).toBe(1900);
         |                     ^
      at Object.toBe (src/cart.test.js:22:21)

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 40 passed, 41 total
`, []string{"✕ counts items", "● cart › counts items", "Expected: 1900", "Received: 1550", "src/cart.test.js:22:21", "Tests: 1 failed, 40 passed, 41 total", "passed]"}, nil},
		{"go test -v with a skip", Tests, linesFor(60, "=== RUN   TestPart%[1]d\n    part_test.go:9: went %[1]d\n--- PASS: TestPart%[1]d (0.00s)\n") + "=== RUN   TestStore\n    store_test.go:5: needs a database\n--- SKIP: TestStore (0.00s)\nPASS\ncoverage: 96.5% of statements\nok  \tshop/cart\t0.484s\tcoverage: 96.5% of statements\n",
			[]string{"store_test.go:5: needs a database", "--- SKIP: TestStore", "coverage: 96.5% of statements", "ok shop/cart 0.484s", "passed]"}, []string{"went 40"}},
		{"unittest", Tests, strings.Repeat("test_a (tests.Cart.test_a) ... ok\n", 40) + `test_total (tests.Cart.test_total) ... FAIL

======================================================================
FAIL: test_total (tests.Cart.test_total)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/home/dev/tests.py", line 12, in test_total
    self.assertEqual(total(), 1900)
AssertionError: 1550 != 1900

----------------------------------------------------------------------
Ran 41 tests in 0.003s

FAILED (failures=1)
`, []string{"FAIL: test_total (tests.Cart.test_total)", `File "/home/dev/tests.py", line 12`, "AssertionError: 1550 != 1900", "FAILED (failures=1)", "Ran 41 tests"}, nil},
		{"mocha", Tests, "  cart\n" + strings.Repeat("    ✔ adds an item\n", 40) + `    1) counts items

  40 passing (12ms)
  1 failing

  1) cart
       counts items:
     AssertionError: expected 1550 to equal 1900
      at Context.<anonymous> (test/cart.js:8:14)
`, []string{"40 passing", "1 failing", "expected 1550 to equal 1900", "test/cart.js:8:14"}, nil},
		{"eslint", Compiler, strings.Repeat("\n/home/dev/src/a.js\n  1:10  warning  'x' is defined but never used  no-unused-vars\n", 9) + `
/home/dev/src/cart.js
   3:7   error    'total' is not defined  no-undef
  12:15  error    Missing semicolon       semi

✖ 11 problems (2 errors, 9 warnings)
`, []string{"/home/dev/src/cart.js", "3:7 error 'total' is not defined no-undef", "12:15 error", "11 problems"}, nil},
		{"make", Compiler, strings.Repeat("gcc -O2 -Wall -c -o part.o part.c\n", 12) + "main.c:7:3: error: expected ';' before 'return'\n    7 |   return 1\nmain.c:9:1: warning: control reaches end of non-void function\nmake: *** [Makefile:12: main.o] Error 1\n",
			[]string{"main.c:7:3: error: expected ';' before 'return'", "make: *** [Makefile:12: main.o] Error 1"}, []string{"gcc -O2"}},
		{"go vet", Compiler, strings.Repeat("# example.org/shop\n./cart.go:12:2: result of fmt.Sprintf call not used\n./cart.go:19:9: unreachable code\n", 5), []string{"./cart.go:12:2: result of fmt.Sprintf call not used"}, nil},
		{"goroutines", Trace, "panic: all is lost\n\ngoroutine 1 [running]:\nmain.run(0x1)\n\t/home/dev/main.go:12 +0x1d\n" + strings.Repeat("\ngoroutine 7 [select]:\nnet/http.(*conn).serve(0xc0001)\n\t/usr/local/go/src/net/http/server.go:1934 +0x1\ncreated by net/http.(*Server).Serve in goroutine 1\n\t/usr/local/go/src/net/http/server.go:3086 +0x5\n", 40),
			[]string{"panic: all is lost", "main.run(0x1)", "/home/dev/main.go:12", "[… 39 more like it]"}, nil},
		{"tree", Tree, "src\n├── cmd\n│   ├── main.go\n│   └── flags.go\n├── lib\n" + strings.Repeat("│   ├── part.go\n", 40) + "└── go.mod\n\n2 directories, 43 files\n", []string{"src/", "cmd/", "main.go", "go.mod"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Detect(c.lines); got != c.kind {
				t.Errorf("read as %s", got)
			}
			s := Shorten(c.lines, Options{Bytes: min(900, len(c.lines)-100), Kind: c.kind})
			holds(t, c.lines, s.Text, c.keeps, c.drops)
		})
	}
}
