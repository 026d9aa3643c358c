package tokens

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

var update = flag.Bool("update", false, "write o200k.bin anew")

// oracle is the tokenizer that Count must agree with.
var oracle = sync.OnceValue(func() tokenizer.Codec {
	c, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		panic(err)
	}
	return c
})

// tokensOf lists the vocabulary by rank.
func tokensOf(c tokenizer.Codec) (list []string) {
	for i := uint(0); ; i++ {
		s, err := c.Decode([]uint{i})
		if err != nil {
			return list
		}
		list = append(list, s)
	}
}

func TestVocabulary(t *testing.T) {
	list := tokensOf(oracle())
	if len(list) < 199_000 {
		t.Fatalf("the vocabulary has %d tokens only", len(list))
	}
	if *update {
		if err := os.WriteFile("o200k.bin", layOut(list), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Skip("written; run the test again without -update")
	}
	for i, s := range list {
		if rankOf(s) != uint32(i) {
			t.Fatalf("rank(%q) = %d, want %d", s, rankOf(s), i)
		}
		if x := s + "\x00\xff\x00"; rankOf(x) != noRank {
			t.Fatalf("rank(%q) = %d, want none", x, rankOf(x))
		}
	}
}

// layOut writes the vocabulary in the form that rankOf reads.
func layOut(list []string) []byte {
	byHash := make([][]int, buckets)
	for i, s := range list {
		byHash[hashToken(s)] = append(byHash[hashToken(s)], i)
	}
	var table, entries []byte
	put := func(n int) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16)} }
	for _, bucket := range byHash {
		table = append(table, put(vocabTable+len(entries))...)
		for _, i := range bucket {
			entries = append(entries, byte(len(list[i])))
			entries = append(append(entries, put(i)...), list[i]...)
		}
	}
	table = append(table, put(vocabTable+len(entries))...)
	return append(table, entries...)
}

// blankLines are what the oracle cuts at the first line end where its regular
// expression, \s*[\r\n]+, says the last.
var blankLines = regexp.MustCompile(`[\r\n][\s\v\x{85}\pZ]*[\r\n]`)

// same compares Count with the oracle.
func same(t *testing.T, s string) {
	t.Helper()
	s = blankLines.ReplaceAllString(strings.ReplaceAll(s, "\x7f", "!"), "\n") // it leaves DEL out altogether
	want, err := oracle().Count(s)
	if err != nil {
		t.Skip(err)
	}
	if got := Count(s); got != want {
		ids, parts, _ := oracle().Encode(s)
		t.Errorf("Count(%.200q) = %d, want %d: %.20q %d", s, got, want, parts, ids[:min(len(ids), 20)])
	}
}

// odd are characters of all kinds that the pieces tell apart.
var odd = []string{"a", "B", "é", "É", "ǅ", "ʰ", "ª", "中", "\u0301", "\u0903", "1", "²", "Ⅷ", " ", "\t", "\n", "\r", "\u00a0", "\u2028", "\u0085",
	"\u200b", "/", "'", "s", "S", "ſ", "re", "LL", "'t", "'ve", "-", "🚀", "İ", "K", "\x00", "_", "{", "  ", "\v", "\u3000", "\ufffd", "ß"}

func TestCountIsThatOfTheVocabulary(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(odd[rng.IntN(len(odd))])
		}
		same(t, b.String())
	}
	for _, s := range []string{"", strings.Repeat("a", 3000), strings.Repeat("-=", 500), strings.Repeat(" ", 700), strings.Repeat("ab", 1000),
		"\xff\xfe broken \xc3", "pneumonoultramicroscopicsilicovolcanoconiosis"} {
		same(t, s)
	}
}

func TestCountOfSourceIsThatOfTheVocabulary(t *testing.T) {
	seen := 0
	for _, dir := range []string{"strconv", "unicode", "html/template", "testdata", "net/http", "go/doc/testdata"} {
		files, _ := filepath.Glob(filepath.Join(goroot(t), "src", dir, "*"))
		for _, f := range files[:min(len(files), 12)] {
			if b, err := os.ReadFile(f); err == nil {
				same(t, string(b[:min(len(b), 20_000)]))
				seen++
			}
		}
	}
	if seen < 20 {
		t.Skipf("only %d source files at hand", seen)
	}
}

func FuzzCount(f *testing.F) {
	for _, s := range odd {
		f.Add(s + "x")
	}
	f.Fuzz(func(t *testing.T, s string) { same(t, s) })
}

// TestCountOfBlankLines names tokens that the oracle never gives.
func TestCountOfBlankLines(t *testing.T) {
	for _, s := range []string{"\n \n", "\n\t\n", "  \n  \n"} {
		if rankOf(s) == noRank || Count(s) != 1 || Count("a"+s+"b") != 3 {
			t.Errorf("Count(%q) = %d, and %d between letters", s, Count(s), Count("a"+s+"b"))
		}
	}
}

func TestCountAllocatesLittle(t *testing.T) {
	s := strings.Repeat("func (p *Pool) admit() (release func(), err error) {\n", 100)
	if n := testing.AllocsPerRun(5, func() { Count(s) }); n > 40 {
		t.Errorf("%.0f allocations", n)
	}
}

// A server may send one word of megabytes. To count it takes no more than to read it, and never gives too little.
func TestCountOfAWordWithoutEnd(t *testing.T) {
	for _, part := range []string{"x", "=", " ", "\n", "é", "長"} {
		below := Count(strings.Repeat(part, longPiece/len(part)))
		s := strings.Repeat(part, 1<<20/len(part))
		var n int
		if allocs := testing.AllocsPerRun(1, func() { n = Count(s) }); allocs > 10 {
			t.Errorf("%q: %.0f allocations", part, allocs)
		}
		if n < 255*below {
			t.Errorf("%q: %d tokens in what is counted, %d in 256 of it", part, below, n)
		}
	}
}

// TestCountIsNearlyLinear counts pieces up to the longest that is counted whole.
func TestCountIsNearlyLinear(t *testing.T) {
	clocktest.Linear(t, longPiece/16, func(size int) func() {
		s := strings.Repeat("xyzzy", size/5)
		return func() { Count(s) }
	})
}
