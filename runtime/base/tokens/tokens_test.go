package tokens

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEstimateIsNeverTooLow holds the estimate against the real tokenizer on
// the source text that is on every machine with Go, cut into pieces of the
// size of a prompt's evidence.
func TestEstimateIsNeverTooLow(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var low, total, est, real int
	for _, dir := range []string{"net/http", "go/types", "encoding/json", "strconv", "unicode", "runtime", "html/template", "testdata"} {
		files, _ := filepath.Glob(filepath.Join(goroot(t), "src", dir, "*"))
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil || len(b) < 400 || rng.IntN(4) > 0 {
				continue
			}
			piece := string(b[:min(len(b), 3000)])
			e, c := Estimate(piece), Count(piece)
			total++
			est += e
			real += c
			if e < c {
				low++
				t.Logf("%s: estimate %d, real %d", filepath.Base(f), e, c)
			}
		}
	}
	if total < 30 {
		t.Skipf("only %d source files at hand", total)
	}
	t.Logf("%d pieces, estimate/real = %.2f", total, float64(est)/float64(real))
	if low > 0 {
		t.Errorf("%d of %d pieces are under-counted", low, total)
	}
	if est > 2*real {
		t.Errorf("the estimate is %.2f times the count: too cautious to be of use", float64(est)/float64(real))
	}
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("the go command is not at hand")
	}
	return strings.TrimSpace(string(out))
}

func TestEstimateOnOtherText(t *testing.T) {
	for _, s := range []string{
		"", "a", "Where is the worker pool built?", "Wo wird der Arbeitspool gebaut? Größe über fünf.",
		"ワーカープールはどこで作られますか", "где создаётся пул", "工作池在哪里创建", "🚀🚀 ok 👩‍👩‍👧",
		`{"references":["runtime/pipeline/engine/pool.go:41","a/b_c-d/e.test.ts:1204:7"],"confidence":"high"}`,
		"deadbeefcafebabe0123456789abcdef", strings.Repeat("x", 500), strings.Repeat("!?", 100), "\x00\xff\xfe",
		"pneumonoultramicroscopicsilicovolcanoconiosis",
	} {
		if e, c := Estimate(s), Count(s); e < c {
			t.Errorf("Estimate(%.40q) = %d, real %d", s, e, c)
		}
	}
}

func TestFits(t *testing.T) {
	s := strings.Repeat("The quick brown fox. ", 50)
	n := Count(s)
	if !Fits(s, n) || Fits(s, n-1) {
		t.Errorf("Fits disagrees with Count = %d", n)
	}
}

func BenchmarkEstimate(b *testing.B) {
	s := strings.Repeat("func (p *Pool) admit() (release func(), err error) {\n", 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Estimate(s)
	}
}

func BenchmarkCount(b *testing.B) {
	s := strings.Repeat("func (p *Pool) admit() (release func(), err error) {\n", 100)
	b.SetBytes(int64(len(s)))
	Count(s)
	for b.Loop() {
		Count(s)
	}
}

// TestHead holds that a head is as long as the limit lets it be, and that heads of a
// text one behind the other have the tokens of the whole.
func TestHead(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(40) {
			b.WriteString(odd[rng.IntN(len(odd))])
		}
		s, limit := b.String(), 1+rng.IntN(12)
		total := 0
		for rest := s; rest != ""; {
			size, n := Head(rest, limit)
			if n > limit || n < Count(rest[:size]) { // blanks at its end may be fewer by themselves
				t.Fatalf("Head(%q, %d) = %d, %d", rest, limit, size, n)
			}
			if size < len(rest) {
				word, _ := nextPiece(rest[size:])
				more := Count(rest[size : size+word])
				if n+more <= limit {
					t.Fatalf("Head(%q, %d) = %d, %d; there are %d bytes of %d more", rest, limit, size, n, word, more)
				}
				size, n = size+word, n+more
			}
			rest, total = rest[size:], total+n
		}
		if n := Count(s); n != total {
			t.Fatalf("%q: %d tokens in its heads, %d in all", s, total, n)
		}
	}
	long := strings.Repeat("長い", 10_000)
	if size, n := Head(long, 5000); n > 5000 || n < 1500 || !strings.HasPrefix(long, long[:size]) || size%3 != 0 {
		t.Errorf("of a word without end: %d bytes, %d tokens", size, n)
	}
}

func BenchmarkCountHostile(b *testing.B) {
	for name, part := range map[string]string{
		"long words": "xqzvjkwpy", "mixed scripts": "aЖб中éZش", "capitals": "QXZJKVW", "marks": "a\u0301", "line": "word and ", "base64": "a8Zk3+/x",
	} {
		s := strings.Repeat(part, 4000/len(part))
		var text strings.Builder
		for i := 0; text.Len() < 200_000; i++ {
			text.WriteString(s[i%97:])
			text.WriteByte(' ')
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				Count(text.String())
			}
		})
	}
}
