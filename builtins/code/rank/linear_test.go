package rank

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFindIsLinear compares a hostile text with eight times as much of it. The
// best of several runs is taken, and far more than eight times the time allowed
// for: only growth by the square is looked for.
func TestFindIsLinear(t *testing.T) {
	const size = 64 << 10
	for _, question := range []string{
		blocksQuestion, "_ a __a aA ss Us a_a where is A_A and aAaAaA", strings.Repeat("aA_a ", 60), "größe Überlauf a_a",
	} {
		plan := newPlan(Parse(question))
		for _, piece := range []string{"_a", "aA", "A", "a", "_", "a_", "ss", "Us", "URLs", "9", "a9_", "é", "日", "aé", "parse", "parse_http_request", "body\n", "func (", " "} {
			text := []byte(strings.Repeat(piece, 8*size/len(piece)))
			once, eight := timeOf(plan, text[:len(text)/8]), timeOf(plan, text)
			if eight > 40*once+20*time.Millisecond {
				t.Errorf("%.20q in %q: %v for one part, %v for eight", piece, question, once, eight)
			}
		}
	}
}

// TestReadIsLinear does the same for reading by definition: one endless name.
func TestReadIsLinear(t *testing.T) {
	const size = 16 << 10
	read := func(n int) time.Duration {
		return best(func() {
			r := New(Parse("body of parse"), Default())
			c := r.Collector()
			text := []byte("package a\n\nfunc " + strings.Repeat("body_", n/5) + "() {}\n")
			c.Scan("a.go", text)
			r.Candidates(1)
			c.Read("a.go", text)
		})
	}
	if once, eight := read(size), read(8*size); eight > 40*once+20*time.Millisecond {
		t.Errorf("%v for one part, %v for eight", once, eight)
	}
}

func timeOf(p *plan, text []byte) time.Duration {
	return best(func() {
		m := newMatcher(p)
		m.deep = true
		m.find(text)
	})
}

func best(work func()) time.Duration {
	var times []time.Duration
	for range 3 {
		start := time.Now()
		work()
		times = append(times, time.Since(start))
	}
	return slices.Min(times)
}
