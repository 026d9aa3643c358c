package coderank

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// streamQuestions cover terms, pairs, compounds, identifiers in several
// spellings, words of two letters, near misses and definitions.
var streamQuestions = []string{
	blocksQuestion,
	"where is `NewPool` defined and how does the source map parse HTTP requests?",
	"sourcemap dead letter queue: why is isEmpty slow in io and db code",
	"max_body_size MaxBodySize newReader fooBar the matcher's stem of a word, colour scanner tokenise",
	"how are files in the sandbox opened", "FuncMap id.Norm x2y a_b", "class definitions of type parameters in struct Foo",
}

// twice counts files both ways.
type twice struct {
	w            *StreamWriter
	text, stream []*Collector // for each question
}

func newTwice(t *testing.T) *twice {
	two := &twice{w: &StreamWriter{}}
	for _, q := range streamQuestions {
		r := New(Parse(q), Default())
		if !r.Replays() {
			t.Fatalf("%q is not answered from streams", q)
		}
		a, b := r.Collector(), r.Collector()
		b.id = a.id
		two.text, two.stream = append(two.text, a), append(two.stream, b)
	}
	return two
}

// compare holds the count of a text against the count of its stream.
func (two *twice) compare(t *testing.T, path string, data []byte) (made bool) {
	t.Helper()
	s := two.w.Make(path, data)
	if s == nil {
		return false
	}
	for i, text := range two.text {
		stream := two.stream[i]
		text.files, text.arena, stream.files, stream.arena = nil, nil, nil, nil
		a, b := text.Scan(path, data), stream.Replay(path, s)
		if !slices.Equal(text.files, stream.files) || !slices.Equal(text.arena, stream.arena) {
			t.Fatalf("%s: %s\ntext   %+v %+v\nstream %+v %+v\n%.300q", path, streamQuestions[i], text.files, text.arena, stream.files, stream.arena, data)
		}
		if !reflect.DeepEqual(text.m.misses, stream.m.misses) {
			t.Fatalf("%s: %s: near misses\ntext   %v\nstream %v", path, streamQuestions[i], text.m.misses, stream.m.misses)
		}
		if !slices.Equal(a, b) {
			t.Fatalf("%s: %s: another filter", path, streamQuestions[i])
		}
	}
	return true
}

var streamTexts = []string{
	"", "x", "_", "isEmpty", "a.isEmpty()", "ioReader io.Reader IOReader", "func NewPool() *Pool {", "func (p *Pool) NewPool(", "def new_pool(",
	"class  NewPool:", "newpool new_pool NEW_POOL __newPool__ new__pool NewPoolX XNewPool", "func *NewPool !NewPool class_NewPool",
	"sourceMap source_map sourcemap SourceMAP SOURCE_MAP source map sourceMaps", "deadLetter dead letterQueue dead_letter_queue",
	"matchr mathcer matcherr scaner scannre tokenize", "naïve café écran éNewPool NewPoolé New_Poolé ÉNewPool", "URLsé HTTPServer URLs URLsX", "CHŒUR newCHŒUR SourceMAPé sourceMAPŒ sourceMapé URLséX NewPOOLsé", manyWords(20_000),
	"sourceéMap sourceМap 日本NewPool NewPool日本 日本_NewPool", "fooBar foo_bar FOOBAR foo bar func fooBar type FooBar", "x2y X2Y x2Y a_b aB ab",
	strings.Repeat("z", 60) + "Map source" + strings.Repeat("Y", 60), "source" + strings.Repeat("z", 60), "// DO NOT EDIT: generated\nfunc NewPool",
	"new____________________________________pool", "func (x) NewPool) func\tNewPool", strings.Repeat("a", 63) + "NewPool sourceMap",
}

// manyWords returns n different words, with a few that questions have.
func manyWords(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%dx ", i)
		if i%1000 == 0 {
			b.WriteString("NewPool sourceMap ")
		}
	}
	return b.String()
}

func TestStreamsCountAsTextDoes(t *testing.T) {
	two := newTwice(t)
	for i, text := range streamTexts {
		made := two.compare(t, "dir/source_map.go", []byte(text))
		if odd := strings.Contains(text, "____"); made == odd {
			t.Errorf("text %d: made %t", i, made)
		}
	}
}

// TestStreamsOfThisTree counts every file of the module both ways.
func TestStreamsOfThisTree(t *testing.T) {
	two, files, made := newTwice(t), 0, 0
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, ".git") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) > 1<<20 {
			return err
		}
		files++
		if two.compare(t, filepath.ToSlash(path), data) {
			made++
		}
		return nil
	})
	if err != nil || files < 300 || made < files*95/100 {
		t.Errorf("%d of %d files have a stream, %v", made, files, err)
	}
}

func FuzzStream(f *testing.F) {
	for _, s := range streamTexts {
		f.Add([]byte(s))
	}
	var two *twice
	f.Fuzz(func(t *testing.T, data []byte) {
		if two == nil {
			two = newTwice(t)
		}
		two.compare(t, "a/new_pool.go", data)
	})
}

func TestStreamsRefuseOtherAlphabets(t *testing.T) {
	for _, q := range []string{"プールはどこ", "где пул", "où est la Größe"} {
		if New(Parse(q), Default()).Replays() {
			t.Errorf("%q is answered from streams", q)
		}
	}
}

func BenchmarkStream(b *testing.B) {
	data, err := os.ReadFile("matcher.go")
	if err != nil {
		b.Fatal(err)
	}
	r := New(Parse(streamQuestions[1]), Default())
	w := &StreamWriter{}
	s := w.Make("matcher.go", data)
	for name, fn := range map[string]func(c *Collector){
		"scan":   func(c *Collector) { c.Scan("matcher.go", data) },
		"replay": func(c *Collector) { c.Replay("matcher.go", s) },
		"make":   func(*Collector) { w.Make("matcher.go", data) },
	} {
		b.Run(name, func(b *testing.B) {
			c := r.Collector()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				c.files, c.arena = c.files[:0], c.arena[:0]
				fn(c)
			}
		})
	}
	b.Logf("%d bytes of text, %d of stream", len(data), s.Size())
}
