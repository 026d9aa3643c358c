package find

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/budget"
)

func lines(from, to int) string {
	var b strings.Builder
	for n := from; n <= to; n++ {
		fmt.Fprintf(&b, "line %d\n", n)
	}
	return b.String()
}

func shownLines(from, to int) string {
	var b strings.Builder
	for n := from; n <= to; n++ {
		fmt.Fprintf(&b, "%d\tline %d\n", n, n)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	files := map[string]string{"src/a.go": lines(1, 300), "b.txt": "one\r\ntwo\r\n", "empty": "", "bom": "\ufeffx\ny", "src/ü b.md": "x"}
	if runtime.GOOS != "windows" { // where no name has a colon
		files["odd:7"] = "odd"
	}
	env := codetest.NewEnv(t, files)
	tests := []struct {
		name string
		in   map[string]any
		want ReadOutput
	}{
		{"from the start", map[string]any{"path": "src/a.go"}, ReadOutput{Ref: "src/a.go", From: 1, To: 120, LinesTotal: 300, Text: shownLines(1, 120), Truncated: true}},
		{"around a line", map[string]any{"path": "src/a.go:50"}, ReadOutput{Ref: "src/a.go:50", From: 30, To: 70, LinesTotal: 300, Text: shownLines(30, 70)}},
		{"with a column", map[string]any{"path": "src/a.go:50:7", "around": 1}, ReadOutput{Ref: "src/a.go:50", From: 49, To: 51, LinesTotal: 300, Text: shownLines(49, 51)}},
		{"just a line", map[string]any{"path": "src/a.go:50", "around": 0}, ReadOutput{Ref: "src/a.go:50", From: 50, To: 50, LinesTotal: 300, Text: shownLines(50, 50)}},
		{"around the first", map[string]any{"path": "src/a.go:1", "around": 2}, ReadOutput{Ref: "src/a.go:1", From: 1, To: 3, LinesTotal: 300, Text: shownLines(1, 3)}},
		{"around the last", map[string]any{"path": "src/a.go:300", "around": 2}, ReadOutput{Ref: "src/a.go:300", From: 298, To: 300, LinesTotal: 300, Text: shownLines(298, 300)}},
		{"around more than fits", map[string]any{"path": "src/a.go:50", "around": 100, "max_lines": 11}, ReadOutput{Ref: "src/a.go:50", From: 45, To: 55, LinesTotal: 300, Text: shownLines(45, 55)}},
		{"a range", map[string]any{"path": "src/a.go", "from": 10, "to": 12}, ReadOutput{Ref: "src/a.go:10", From: 10, To: 12, LinesTotal: 300, Text: shownLines(10, 12)}},
		{"a range in the path", map[string]any{"path": "src/a.go:10-12"}, ReadOutput{Ref: "src/a.go:10", From: 10, To: 12, LinesTotal: 300, Text: shownLines(10, 12)}},
		{"as in a web address", map[string]any{"path": "src/a.go#L10-L12"}, ReadOutput{Ref: "src/a.go:10", From: 10, To: 12, LinesTotal: 300, Text: shownLines(10, 12)}},
		{"from and to win", map[string]any{"path": "src/a.go:99", "from": 10, "to": 12}, ReadOutput{Ref: "src/a.go:10", From: 10, To: 12, LinesTotal: 300, Text: shownLines(10, 12)}},
		{"from alone", map[string]any{"path": "src/a.go", "from": 290}, ReadOutput{Ref: "src/a.go:290", From: 290, To: 300, LinesTotal: 300, Text: shownLines(290, 300)}},
		{"to past the end", map[string]any{"path": "src/a.go", "from": 299, "to": 900}, ReadOutput{Ref: "src/a.go:299", From: 299, To: 300, LinesTotal: 300, Text: shownLines(299, 300)}},
		{"more than max_lines", map[string]any{"path": "src/a.go", "from": 10, "to": 20, "max_lines": 3}, ReadOutput{Ref: "src/a.go:10", From: 10, To: 12, LinesTotal: 300, Text: shownLines(10, 12), Truncated: true}},
		{"crlf", map[string]any{"path": "b.txt"}, ReadOutput{Ref: "b.txt", From: 1, To: 2, LinesTotal: 2, Text: "1\tone\n2\ttwo\n"}},
		{"byte order mark", map[string]any{"path": "bom"}, ReadOutput{Ref: "bom", From: 1, To: 2, LinesTotal: 2, Text: "1\tx\n2\ty\n"}},
		{"empty", map[string]any{"path": "empty"}, ReadOutput{Ref: "empty"}},
		{"a name like a reference", map[string]any{"path": "odd:7"}, ReadOutput{Ref: "odd:7", From: 1, To: 1, LinesTotal: 1, Text: "1\todd\n"}},
		{"a name with letters and spaces", map[string]any{"path": "./src/ü b.md"}, ReadOutput{Ref: "src/ü b.md", From: 1, To: 1, LinesTotal: 1, Text: "1\tx\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "a name like a reference" && runtime.GOOS == "windows" {
				t.Skip("no file name has a colon here")
			}
			if diff := cmp.Diff(tt.want, codetest.MustCall[ReadOutput](t, Read(nil), env, tt.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadErrors(t *testing.T) {
	files := map[string]string{"src/pool.go": lines(1, 12), "src/queue.go": "x", "lib/pool.go": "x", "one.txt": "x\n", "big.txt": strings.Repeat("x", 5<<20)}
	for name, text := range codetest.Fixture {
		files[name] = text
	}
	env := codetest.NewEnv(t, files)
	tests := []struct {
		name, path string
		in         map[string]any
		code, text string
	}{
		{"past the end", "src/pool.go:13", nil, "LINE_RANGE", "src/pool.go has 12 lines; line 13 is past its end"},
		{"from past the end", "one.txt", map[string]any{"from": 2}, "LINE_RANGE", "one.txt has 1 line; line 2 is past its end"},
		{"backwards", "src/pool.go", map[string]any{"from": 5, "to": 4}, "LINE_RANGE", "src/pool.go: from 5 lies after to 4"},
		{"in an empty file", "docs/empty.md:2", nil, "LINE_RANGE", "docs/empty.md has 0 lines; line 2 is past its end"},
		{"no path", "", nil, "INVALID_INPUT", "path is empty"},
		{"not there, the name elsewhere", "pkg/queue.go:3", nil, "PATH_NOT_FOUND", "code: pkg/queue.go: not found; did you mean src/queue.go or pool/queue/queue.go?"},
		{"the directory that is nearest", "src/quoue.go", nil, "PATH_NOT_FOUND", "did you mean src/queue.go or pool/queue/queue.go?"},
		{"a letter wrong", "src/quue.go", nil, "PATH_NOT_FOUND", "did you mean src/queue.go"},
		{"another extension", "docs/übersicht.txt", nil, "PATH_NOT_FOUND", "did you mean docs/Übersicht.md?"},
		{"another case", "readme.MD", nil, "PATH_NOT_FOUND", "did you mean README.md?"},
		{"nothing like it", "zzzzzz/qqqqqqqqqqqq", nil, "PATH_NOT_FOUND", "code: zzzzzz/qqqqqqqqqqqq: not found"},
		{"a directory", "src", nil, "PATH_IS_DIRECTORY", "code: src: a directory; list it with code.ls, or name a file in it"},
		{"binary", "logo.png", nil, "FILE_BINARY", "code: logo.png: not text"},
		{"too large", "big.txt", nil, "FILE_TOO_LARGE", "code: big.txt: larger than the size limit; the limit is 4194304 bytes"},
		{"secret", ".env", nil, "PATH_DENIED", "code: .env: secret by its name"},
		{"outside", "../x", nil, "PATH_OUTSIDE", "code: ../x: outside the root"},
		{"absolute", "/etc/passwd", nil, "PATH_OUTSIDE", "give a path relative to the root"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := map[string]any{"path": tt.path}
			for k, v := range tt.in {
				in[k] = v
			}
			_, err := codetest.Call[ReadOutput](t, Read(nil), env, in)
			codetest.WantError(t, err, tt.code, tt.text)
		})
	}
}

func TestReadMasksTheWholeFileFirst(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{"a.txt": "one\nBEGIN KEY\nsecret\nEND KEY\npass hunter2\nlast\n"})
	out := codetest.MustCall[ReadOutput](t, Read(codetest.MaskWord), env, map[string]any{"path": "a.txt", "from": 3, "to": 6})
	if want := "3\t\n4\t\n5\tpass [REDACTED:word]\n6\tlast\n"; out.Text != want || out.LinesTotal != 6 {
		t.Errorf("text %q, want %q", out.Text, want)
	}
	// A redactor that joins lines must not move the rest of the file.
	joins := func(s string) string {
		return strings.ReplaceAll(strings.ReplaceAll(s, "one\nB", "B"), "hunter2", "***")
	}
	out = codetest.MustCall[ReadOutput](t, Read(joins), env, map[string]any{"path": "a.txt:5", "around": 1})
	if want := "4\tEND KEY\n5\tpass ***\n6\tlast\n"; out.Text != want {
		t.Errorf("text %q, want %q", out.Text, want)
	}
}

func TestReadBounds(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{"wide": strings.Repeat("é", 400) + "\nnext\n", "long": strings.Repeat(strings.Repeat("x", 400)+"\n", 500)})
	out := codetest.MustCall[ReadOutput](t, Read(nil), env, map[string]any{"path": "wide"})
	if want := "1\t" + strings.Repeat("é", 250) + "… (+300 bytes)\n2\tnext\n"; out.Text != want {
		t.Errorf("text %q, want %q", out.Text, want)
	}
	out = codetest.MustCall[ReadOutput](t, Read(nil), env, map[string]any{"path": "long", "max_lines": 1000})
	if len(out.Text) > readText || !out.Truncated || out.To >= 500 || out.To < 150 || out.LinesTotal != 500 {
		t.Errorf("%d bytes, lines to %d of %d, truncated %v", len(out.Text), out.To, out.LinesTotal, out.Truncated)
	}
}

func TestReadUnderAnExhaustedLedger(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{"a.go": "a\n", "b.go": "b\n"})
	env.Ledger = budget.New(budget.Limits{Files: 1, Bytes: 8})
	for range 2 { // four bytes each time, of one file
		if out := codetest.MustCall[ReadOutput](t, Read(nil), env, map[string]any{"path": "a.go"}); out.Text != "1\ta\n" {
			t.Errorf("text %q", out.Text)
		}
	}
	for path, limit := range map[string]string{"a.go": "8 bytes", "b.go": "1 files"} {
		out := codetest.MustCall[ReadOutput](t, Read(nil), env, map[string]any{"path": path + ":1"})
		want := ReadOutput{Ref: path + ":1", LinesTotal: 1, Truncated: true,
			Notes: "text left out: budget: the limit of " + limit + " is reached; raise budget." + limit[2:] + " or ask a narrower question"}
		if diff := cmp.Diff(want, out); diff != "" {
			t.Error(diff)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("README.md:2", 0, 0, 3, 5)
	f.Add("pool/crlf.txt#L1-L2", -1, 1<<40, -9, 0)
	f.Add("wide.min.js:1-1", 1, 1, 1<<60, 1<<60)
	env := codetest.NewEnv(f, codetest.Fixture)
	b := Read(codetest.MaskWord)
	f.Fuzz(func(t *testing.T, path string, from, to, around, maxLines int) {
		got, err := b.Run(t.Context(), env, map[string]any{"path": path, "from": from, "to": to, "around": around, "max_lines": maxLines})
		if err != nil {
			return
		}
		out := got.(ReadOutput)
		if n := strings.Count(out.Text, "\n"); out.To > out.LinesTotal || out.To > 0 && n != out.To-out.From+1 {
			t.Fatalf("%+v", out)
		}
	})
}

func FuzzShortenAround(f *testing.F) {
	f.Add("a long line with a match in it", 12, 20)
	f.Add(strings.Repeat("é", 40), 79, 16)
	f.Fuzz(func(t *testing.T, line string, at, max int) {
		max = clampLimit(max, 16, 4096)
		line = strings.ToValidUTF8(line, "?")
		got := shortenAround(line, at, max)
		if len(got) > max || strings.ToValidUTF8(got, "") != got {
			t.Fatalf("shortenAround(%q, %d, %d) = %q (%d bytes)", line, at, max, got, len(got))
		}
	})
}
