package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"
)

// treeRows are whole trees that are not one tidy project.
var treeRows = []robustRow{
	{name: "monorepo: one package is named", tree: tree("monorepo"), ask: "how does billing retry a request?",
		first: []string{"packages/billing/src/retry.ts:2"}},
	{name: "monorepo: another package is named", tree: tree("monorepo"), ask: "where does the search package retry requests?",
		first: []string{"packages/search/src/retry.ts:2"}},
	{name: "monorepo: package and class", tree: tree("monorepo"), ask: "where is the Client of users?",
		first: []string{"packages/users/src/client.ts:2"}},
	{name: "monorepo: the package's full name", tree: tree("monorepo"), ask: "what does Client.send do in @acme/billing?",
		first: []string{"packages/billing/src/client.ts:5"}},
	{name: "generated and vendored code stand back", tree: tree("foreign"), ask: "how does an order reserve stock?",
		first: []string{"api/order.go:4"}},
	{name: "generated and vendored copies of a name", tree: tree("foreign"), ask: "where is PlaceOrder defined?",
		first: []string{"api/order.go:4"}},
	{name: "what only vendored code has is found", tree: tree("foreign"), ask: "where is VendoredOnly?",
		first: []string{"vendor/github.com/acme/shop/order.go:7"}},
	{name: "notebook: a definition in a cell", tree: tree("notebook"), ask: "where is fit_model defined?",
		first: []string{"study/train.ipynb:16"}},
	{name: "notebook: in plain words", tree: tree("notebook"), ask: "how is the model fitted by gradient descent?",
		first: []string{"study/train.ipynb:16"}},
	{name: "documents only: the section is the place", tree: tree("docs"), ask: "how is a deployment rolled back?",
		first: []string{"README.md:5"}},
	{name: "documents only: reStructuredText", tree: tree("docs"), ask: "when is a postmortem written?",
		first: []string{"guides/incident.rst:9"}},
	{name: "documents only: text without headings", tree: tree("docs"), ask: "when is the coffee machine cleaned?",
		first: []string{"guides/notes.txt:1"}},
	{name: "nothing at all", tree: files(), ask: "where is the pool?", notFound: true, says: []string{"no file"}},
	{name: "only binary files", tree: files(put("a.png", "\x89PNG\r\n\x1a\npool"), put("b.bin", "pool\x00pool")),
		ask: "where is the pool?", notFound: true, says: []string{"2 files not searched"}},
	{name: "200 directories deep", tree: put(strings.Repeat("d/", 200)+"deep.go", "package d\n\nfunc Bottom() {}\n"),
		ask: "where is Bottom?", first: []string{strings.Repeat("d/", 200) + "deep.go:3"}},
	{name: "20,000 tiny files", tree: manyFiles(20000), ask: "where is handler17042?", first: []string{"p85/f17042.go:3"}},
	{name: "a name in 300 files", tree: files(manyNamed(300), put("core/registry.go",
		"package core\n\n// Register keeps a plugin for later.\nfunc Register(p Plugin) {}\n")),
		ask: "how does Register keep a plugin?", first: []string{"core/registry.go:4"}},
	{name: "names that differ in case", tree: files(put("a.go", "package a\n\nfunc encode() {}\n"), put("b.go", "package a\n\nfunc Encode() {}\n")),
		ask: "where is Encode?", first: []string{"b.go:3", "a.go:3"}},
	{name: "names that differ in case, the small one", tree: files(put("a.go", "package a\n\nfunc Encode() {}\n"), put("b.go", "package a\n\nfunc encode() {}\n")),
		ask: "where is `encode`?", first: []string{"b.go:3", "a.go:3"}},
	{name: "a module of prose stands back", tree: files(put("src/features.rs", "//! Environment variables\n//!\n//! Arguments read environment variables.\n//! Environment variables are read for arguments.\n"),
		put("src/arg.rs", "/// Reads an argument.\npub fn arg(name: &str) -> String {\n    environment(name)\n}\n")),
		ask: "how are environment variables read for arguments?", has: []string{"src/arg.rs:2"}},
	{name: "the pages of a site stand back", tree: files(put("www/sidebars.ts", "export const expressAdapter = ['express adapter', 'adapters/express', 'the express adapter'];\n"),
		put("src/express.ts", "/** Adapter for express. */\nexport function express() {}\n")),
		ask: "where is the express adapter?", first: []string{"src/express.ts:2"}},
	{name: "links in a circle and out of the tree", tree: files(put("a/pool.go", "package a\n\nfunc NewPool() {}\n"), links),
		ask: "where is NewPool?", first: []string{"a/pool.go:3"}, never: []string{"a/loop", "a/self", "out"}},
}

// fileRows are single files that break readers.
var fileRows = []robustRow{
	{name: "letters: a class", tree: tree("letters"), ask: "wo ist die Klasse Größe?", first: []string{"maße/Größe.java:4"}},
	{name: "letters: a method", tree: tree("letters"), ask: "where is flächeBerechnen defined?", first: []string{"maße/Größe.java:5"}},
	{name: "letters: Cyrillic function", tree: tree("letters"), ask: "где определена посчитать_сумму?", first: []string{"привет.py:4"}},
	{name: "letters: Cyrillic variable", tree: tree("letters"), ask: "переменная", first: []string{"привет.py:1"}},
	{name: "letters: Cyrillic file", tree: tree("letters"), ask: "what is in привет.py?", first: []string{"привет.py"}},
	{name: "letters: Japanese function", tree: tree("letters"), ask: "合計を計算 はどこ?", first: []string{"計算.py:1"}},
	{name: "one line of 500 KB", tree: files(put("lib/app.js", "function startApp(){}"+strings.Repeat("var a=startApp();", 30000)),
		put("src/app.js", "// starts the app\nfunction startApp() {}\n")), ask: "where is startApp?", first: []string{"src/app.js:2"}},
	{name: "one line of 500 KB and nothing else", tree: put("app.min.js", "function startApp(){}"+strings.Repeat("var a=startApp();", 30000)),
		ask: "where is startApp?", first: []string{"app.min.js:1"}},
	{name: "a source of 30 MB is skipped, and that is said", tree: files(hugeSource("huge.go", 30<<20), put("small.go", "package a\n\nfunc Small() {}\n")),
		ask: "where is Small?", first: []string{"small.go:3"}, says: []string{"1 source file not searched"}},
	{name: "what only a skipped file has", tree: hugeSource("huge.go", 30<<20), ask: "where is handler12?", notFound: true,
		says: []string{"1 source file not searched"}},
	{name: "a source of 3 MB is searched", tree: hugeSource("big.go", 3<<20), ask: "where is handler12?", first: []string{"big.go:39"}},
	{name: "CRLF", tree: put("a.go", "package a\r\n\r\n// Pool holds workers.\r\nfunc Pool() {}\r\n"), ask: "where is Pool?", first: []string{"a.go:4"}},
	{name: "byte order mark", tree: put("a.py", "\ufeffdef pool():\n    pass\n"), ask: "where is `pool` defined?", first: []string{"a.py:1"}},
	{name: "UTF-16", tree: files(put("a.cs", utf16le("// Übersicht\nclass Pool {}\n")), put("b.cs", "class Queue {}\n")), ask: "where is Pool?", first: []string{"a.cs:2"}},
	{name: "Windows-1252", tree: put("a.py", "# das Konto\ndef pr\xfcfe(x):\n    return x\n"), ask: "where is prüfe defined?", first: []string{"a.py:2"}},
	{name: "a blank in the name", tree: files(put("a b.go", "package p\n\nfunc First() {}\n"), put("b.go", "package p\n\nfunc Second() {}\n")),
		ask: "what is in a b.go?", first: []string{"a b.go"}},
	{name: "the name behind a blank", tree: files(put("a b.go", "package p\n\nfunc First() {}\n"), put("b.go", "package p\n\nfunc Second() {}\n")),
		ask: "what is in b.go?", first: []string{"b.go"}},
	{name: "a colon in the name", tree: files(put("colon:12.go", "package p\n\nfunc First() {}\n"), put("12.go", "package p\n\nfunc Second() {}\n")),
		ask: "what is in `colon:12.go`?", first: []string{"colon:12.go"}},
	{name: "no newline at the end", tree: put("a.py", "x = 1\ndef pool(): return x"), ask: "where is `pool` defined?", first: []string{"a.py:2"}},
	{name: "an empty file", tree: files(put("pool.py", ""), put("b.py", "def other(): pass\n")), ask: "pool.py", first: []string{"pool.py"}},
	{name: "unreadable", tree: files(put("a.go", "package a\n\nfunc Pool() {}\n"), put("b.go", "package a\n\nfunc Other() {}\n"), unreadable("b.go")),
		ask: "where is Pool?", first: []string{"a.go:3"}},
	{name: "strange file names", tree: strangeNames, ask: "where is oddName defined?",
		has: []string{"with space.py:1", "it's \"quoted\".py:1", "-rf.py:1", "a:12", `new\u{a}line.py:1`}},
	{name: "a name that ends like a line", tree: put("a:12", "x\n# oddName\n"), ask: "oddName", first: []string{"a:12:2"}},
}

// manyFiles writes n small files, 200 to a directory.
func manyFiles(n int) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		for i := range n {
			below := filepath.Join(dir, fmt.Sprintf("p%d", i/200))
			if i%200 == 0 {
				if err := os.Mkdir(below, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(below, fmt.Sprintf("f%d.go", i)), fmt.Appendf(nil, "package p\n\nfunc handler%d() {}\n", i), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// manyNamed writes n files that call the same name.
func manyNamed(n int) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		for i := range n {
			put(fmt.Sprintf("plugins/p%d/plugin.go", i), "package p\n\nfunc init() { core.Register(Plugin{}) }\n\nfunc Register() {}\n")(t, dir)
		}
	}
}

// hugeSource writes a Go file of that many bytes or a few more.
func hugeSource(name string, bytes int) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		var b strings.Builder
		b.WriteString("package huge\n\n")
		for i := 0; b.Len() < bytes; i++ {
			fmt.Fprintf(&b, "func handler%d() { run(%q) }\n\n\n", i, "some text that makes it long")
		}
		put(name, b.String())(t, dir)
	}
}

func utf16le(s string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// links makes a directory a link to its parent, a file a link to itself, and a link out of the tree.
func links(t *testing.T, dir string) {
	put("../outside/pool.go", "package out\n\nfunc NewPool() {}\n")(t, dir)
	for name, to := range map[string]string{"a/loop": "..", "a/self": "self", "out": "../outside"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
}

func unreadable(name string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		if os.Geteuid() <= 0 {
			t.Skip("permissions do not bind this user")
		}
		if err := os.Chmod(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
}

func strangeNames(t *testing.T, dir string) {
	if runtime.GOOS == "windows" {
		t.Skip("these names cannot be here")
	}
	for _, name := range []string{"with space.py", `it's "quoted".py`, "-rf.py", "a:12", "new\nline.py"} {
		put(name, "def oddName(): pass\n")(t, dir)
	}
}
