package compact

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func FuzzShorten(f *testing.F) {
	for _, seed := range []string{
		`[{"id":1,"name":"a b"},{"id":2,"name":"c"},{"id":3,"name":"d","tags":["x","y"]}]`,
		`{"a":{"b":[1,2,[3,{"c":"` + strings.Repeat("long text. ", 100) + `"}]]}}`,
		"a/b.go:12:func main() {\na/b.go-13-\treturn\n--\nc.go:1:package c\nd.go:2:x\ne.go:3:y\n",
		"diff --git a/x b/x\n@@ -1 +1 @@\n-old\n+new\n",
		"     1→package a\n     2→func B() {}\n",
		"NAME   READY   STATUS\na-1    1/1     Running\nb-2    0/1     Error\nc-3    1/1     Running\nd-4    1/1     Running\ne-5    1/1     Running\n",
		"<html><body><h1>T</h1><p>text <a href='/x'>link</a></p></body></html>",
		"# Title\n\n- **a** b\n```\ncode\n```\n",
		"a:\n  b: c d\n  e:\n  - f: g\n    h: |\n      i\n  - j\n---\nk: l\n",
		"USER  PID %CPU COMMAND\na       1  0.0 b c\na      12  0.0 d\nbcd     3  9.1 e f\na       4  0.0 g\na       5  0.0 h\n",
		"commit 7f93a96c5e65f\nAuthor: a <b@example.org>\nDate:   Mon\n\n    subject of it\n\n    body\n\n",
		"total 1\n-rw-r--r-- 1 a b 12 May 2 2025 c d\ndrwxr-xr-x 2 a b 4 May 2 2025 e\n",
		" id | name \n----+------\n  1 | a\n  2 | b\n(2 rows)\n",
		"class A:\n    def b(self):\n        return self.c_d\n",
		"[    0.433801] virtio_blk virtio1: queues\n[    0.433901] EXT4-fs error\n",
	} {
		for _, kind := range []string{"", "log", "tests", "compiler", "trace", "tree", "json", "hits", "yaml", "table", "markdown", "source", "diff", "listing"} {
			f.Add(seed, 100, "find the name", kind)
			f.Add(strings.Repeat(seed, 9), 240, "", kind)
		}
	}
	f.Fuzz(func(t *testing.T, text string, bytes int, task, kind string) {
		if bytes < 0 || bytes > 1<<20 || len(text) > 1<<18 {
			return
		}
		o := Options{Bytes: bytes, Kind: Kind(kind), Subject: Subject{Task: task}}
		s := Shorten(text, o)
		if len(s.Text) > bytes && !s.Whole {
			t.Errorf("%d bytes, of %d: %q", len(s.Text), bytes, s.Text)
		}
		if utf8.ValidString(text) && !utf8.ValidString(s.Text) {
			t.Errorf("broken text: %q of %q", s.Text, text)
		}
		if bad := Faithful(text, s.Text); len(bad) > 0 && bytes >= 200 && s.Kind != HTML && !strings.ContainsFunc(text, quotesOrEscapes) && utf8.ValidString(text) {
			t.Errorf("not in the source: %q\n%q\n%q", bad, text, s.Text)
		}
		if again := Shorten(text, o); again.Text != s.Text {
			t.Errorf("differs the second time:\n%s\n%s", s.Text, again.Text)
		}
	})
}

// quotesOrEscapes are what makes texts of one meaning differ in their letters.
func quotesOrEscapes(r rune) bool {
	return r >= utf8.RuneSelf || r < ' ' && r != '\n' && r != '\t' || strings.ContainsRune("\"`>\\.", r)
}

func TestShortenKeepsWhatFits(t *testing.T) {
	for _, text := range []string{"", "a", "{\"a\":1}", strings.Repeat("x", 100)} {
		if s := Shorten(text, Options{Bytes: 100}); s.Text != text || !s.Whole {
			t.Errorf("Shorten(%q) = %q, whole %v", text, s.Text, s.Whole)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		text string
	}{
		{JSON, `{"a": 1}`},
		{JSON, `[{"a": 1}, {"a": 2`},
		{JSON, "     1→{\n     2→  \"a\": 1\n     3→}"},
		{JSON, "{\"a\":1}\n{\"a\":2}\n"},
		{Hits, strings.Repeat("src/a.go:12:func a() {\nsrc/b.go-13-\treturn\n", 5)},
		{Listing, strings.Repeat("src/a.go\nsrc/dir/b.go\n", 5)},
		{Listing, strings.Repeat("/w/.trees/alex/ent-108-add/cmd/a.go\n", 9)},
		{Diff, "diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1,3 +1,3 @@\n-a\n+b\n"},
		{Log, strings.Repeat("2026-01-02T10:11:12Z INFO started\n", 9)},
		{Markdown, "# Title\n\nWords of it.\n\n## Part\n\n- **a**: b\n- **c**: d\n"},
		{HTML, "<!DOCTYPE html><html><body>x</body></html>"},
		{Source, "package a\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println()\n}\n"},
		{Table, "NAME   READY   STATUS\n" + strings.Repeat("a-1    1/1     Running\n", 5)},
		{Table, "id,name,mail\n" + strings.Repeat("1,a,b\n", 6)},
		{Table, "| id | name |\n| --- | --- |\n" + strings.Repeat("| 1 | a |\n", 6)},
		{Prose, "Once there was a tool that said a great deal."},
		{Prose, ""},
	} {
		if got := Detect(c.text); got != c.kind {
			t.Errorf("Detect(%.40q) = %s, want %s", c.text, got, c.kind)
		}
	}
}

// A number is kept as it was written, and an identifier is never changed.
func TestValuesAreVerbatim(t *testing.T) {
	var b strings.Builder
	b.WriteString("[")
	for i := range 40 {
		fmt.Fprintf(&b, `{"id": 10000000000000000%02d, "price": 1.10, "rate": 1e-06, "note": "%s"},`, i, strings.Repeat("word ", 20))
	}
	text := strings.TrimSuffix(b.String(), ",") + "]"
	s := Shorten(text, Options{Bytes: 2000})
	for _, want := range []string{"1000000000000000007", "price=1.10", "rate=1e-06", "40 rows"} {
		if !strings.Contains(s.Text, want) {
			t.Errorf("%s is not in:\n%s", want, s.Text)
		}
	}
}

// What the task names comes before what it does not.
func TestTheTaskComesFirst(t *testing.T) {
	var lines []string
	for i := range 300 {
		lines = append(lines, fmt.Sprintf("The %s number of department %c says that all is well there.", []string{"first", "second", "third"}[i%3], 'a'+i%26))
	}
	lines[211] = "The invoice of the warehouse was refused by nobody yet."
	s := Shorten(strings.Join(lines, "\n"), Options{Bytes: 400, Subject: Subject{Task: "what became of the invoice for the warehouse?"}})
	if !strings.Contains(s.Text, lines[211]) {
		t.Errorf("the line on the subject is not in:\n%s", s.Text)
	}
}

// Rows that each have names of their own, and a head of very many, take no more memory than others.
func TestManyColumnsAreBounded(t *testing.T) {
	var rows, head strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&rows, `{"k%d":%d},`, i, i)
		fmt.Fprintf(&head, "h%d\t", i)
	}
	for name, text := range map[string]string{
		"names":   "[" + rows.String() + `{"k":1}]`,
		"columns": head.String() + "h\n" + strings.Repeat("a\tb\n", 6000),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Shorten(text, Options{Bytes: 4000})
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 128<<20 {
			t.Errorf("%s: %d MB", name, used>>20)
		}
	}
}

// TestDocumentsKeepNothingOfALimit: shortened to several limits at once, a document gives
// what each limit gives alone.
func TestDocumentsKeepNothingOfALimit(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	texts := map[string]string{}
	for _, file := range files {
		in, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(file)] = string(in)
	}
	document := strings.TrimSpace(texts["json_records.txt"])
	document = document[:strings.LastIndex(document, "\n}\n")+2]
	texts["a document after others"] = "It was asked for.\n\n" + document + "\n\nAnd for this:\n\n" + document + "\n\nThat is all.\n"
	texts["outputs with heads"] = "==> a <==\n" + texts["tests_go.txt"] + "\n==> b <==\n" + texts["diff_git.txt"]
	for name, text := range texts {
		checkDocument(t, name, text)
	}
}

func checkDocument(t *testing.T, name, text string) {
	t.Helper()
	d := NewDocument(text)
	var wait sync.WaitGroup
	for _, bytes := range []int{len(text), 3000, 500, 1500, 3000} {
		wait.Go(func() {
			o := Options{Bytes: bytes, Dense: true}
			if got, want := d.Shorten(o), Shorten(text, o); !reflect.DeepEqual(got, want) {
				t.Errorf("%s at %d bytes: %+v, alone %+v", name, bytes, got, want)
			}
		})
	}
	wait.Wait()
}
