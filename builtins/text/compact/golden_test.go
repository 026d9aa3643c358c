package compact

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite golden files")

// What real programs printed, made short. The kind is found out.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		file  string // the kind, and which program
		bytes int
		task  string
		keeps []string // what a reader needs whatever the rest
	}{
		{"tests_go", 1400, "", []string{"--- FAIL: TestTotalCountsItems", "price_test.go:22: Total() = 1550, want 1900", `no item named "mug" in warehouse WH-4471`, "panic: runtime error: index out of range [-1]", "price.go:20", "passed]"}},
		{"tests_pytest", 1600, "", []string{"test_parse_rejects_nothing", "assert 'ord-7731' == 'ord-7713'", "KeyError: 'items'", "test_orders.py:8: KeyError", "3 failed, 80 passed"}},
		{"tests_node", 1500, "", []string{"formats the invoice INV-2041", "'12.5 EUR'", "'12.50 EUR'", "sum.test.js:4", "Cannot read properties of undefined (reading 'eur')"}},
		{"tests_cargo", 1400, "", []string{"tests::balance_is_zero", "src/lib.rs:9", "account acct-901", "test result: FAILED. 16 passed; 2 failed"}},
		{"compiler_cargo", 1800, "", []string{"error[E0308]: mismatched types", "--> src/lib.rs:4:53", "error[E0599]: no method named `cancel`", "could not compile `ledger`"}},
		{"compiler_gcc", 1400, "", []string{"main.c:5:", "has no member named", "implicit declaration of function", "totl"}},
		{"compiler_tsc", 500, "", []string{"shop.ts(3,74): error TS2339: Property 'cents' does not exist on type 'Line'.", "error TS2304"}},
		{"compiler_javac", 700, "", []string{"Bad.java:3: error: incompatible types: String cannot be converted to int", "Bad.java:4: error: cannot find symbol", "errors"}},
		{"trace_python", 1200, "", []string{"StoreError: store of orders-2026 cannot be reached", "ConnectionRefusedError", "line 9, in load", "raise StoreError", "frames of libraries]"}},
		{"trace_node", 800, "", []string{"OrderError: order ord-5512 has no total", "lookup", "server.js:3:", "[cause]: TypeError"}},
		{"trace_java", 600, "", []string{"item SKU-8812 is not in warehouse WH-12", "Caused by: java.lang.NullPointerException", "Shop.reserve(Shop.java:5)", "Shop.stock(Shop.java:4)", "frames of libraries]"}},
		{"trace_go", 900, "", []string{"panic: assignment to entry in nil map", "main.(*job).record", "main.go:11", "main.process", "[… 5 more like it]"}},
		{"trace_rust", 600, "", []string{"no account acct-901 in ledger LG-2026", "ledger::Ledger::balance", "src/main.rs:4", "of libraries]"}},
		{"tree_ls", 900, "", []string{"encoding/", "json", "more files]"}},
		{"listing_find", 1600, "read the xml decoder", []string{"\nencoding/xml/ xml.go ", " paths left out]"}},
		{"hits_grep", 1600, "", []string{"encoding/json/", " hits left out]"}},
		{"log_dpkg", 1200, "", []string{" like it]", " lines left out]"}},
		{"json_records", 1500, "", []string{"encoding/asn1", "encoding/xml", "ImportPath"}},
		{"json_tree", 1600, "", []string{"ImportPath=net/http", "Name=http"}},
		{"table_tabs", 1600, "which zone has Nuuk", []string{"America/Nuuk", "[312 rows]", " rows left out]"}},
		{"source_go", 1600, "", []string{"func NewReplacer(oldnew ...string) *Replacer", "type genericReplacer struct"}},
		{"diff_git", 1800, "", []string{"+++ b/", "+", "of the 430 lines left out]"}},
		{"diff_log", 1600, "", []string{"commit 7d134b91", "reader: gone, nobody used it", "commit cb20772e", "search: patterns that are empty", "commit 5b5703b6", "reader: an unknown whence is named", "commit 1ef3a7e8", "+++ b/search.go [… new file, +", "left out]"}},
		{"yaml_kube", 1600, "which image has mail?", []string{"metadata.namespace=shop", "Deployment", "registry.example.org/shop/mail:0.9.31", "orders-config"}},
		{"help_cargo", 900, "", []string{"Usage: cargo build [OPTIONS]", "--message-format", "--manifest-path", "--all-features", "--target-dir"}},
		{"ini_pyproject", 1200, "", []string{"project: name=orders", "requires-python=>=3.10", "sqlalchemy[asyncio]>=2.0,<3", "tool.ruff.lint: ", "project.optional-dependencies: postgres=", "project.scripts: orders="}},
		{"markdown_security", 1600, "", []string{"#", " lines left out"}},
		{"html_pydoc", 900, "", []string{"shlex", "quote"}},
		{"prose_licence", 2600, "may I sublicense the patent?", []string{"patent", "sublicense"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			in, err := os.ReadFile(filepath.Join("testdata", c.file+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			text := string(in)
			s := Shorten(text, Options{Bytes: c.bytes, Subject: Subject{Task: c.task}})
			if want, _, _ := strings.Cut(c.file, "_"); string(s.Kind) != want {
				t.Errorf("read as %s", s.Kind)
			}
			if len(s.Text) > c.bytes {
				t.Errorf("%d bytes, of %d", len(s.Text), c.bytes)
			}
			for _, k := range c.keeps {
				if !strings.Contains(s.Text, k) {
					t.Errorf("%q is not in it", k)
				}
			}
			if kind := s.Kind; kind != HTML { // the text of a page is not that of its source
				if bad := Faithful(text, s.Text); len(bad) > 0 {
					t.Errorf("not in the source: %q", bad)
				}
			}
			golden(t, filepath.Join("testdata", c.file+".golden"), s.Text+"\n")
			for bytes := c.bytes; bytes < 4*c.bytes; bytes += c.bytes / 8 { // more room never says less
				more := Shorten(text, Options{Bytes: bytes, Subject: Subject{Task: c.task}})
				for _, k := range c.keeps {
					if isNote := strings.HasSuffix(k, "]"); !isNote && !more.Whole && !strings.Contains(more.Text, k) {
						t.Errorf("%q is not in %d bytes", k, bytes)
					}
				}
			}
		})
	}
}

// golden holds a text against a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("differs from %s; -update rewrites it:\n%s", file, got)
	}
}
