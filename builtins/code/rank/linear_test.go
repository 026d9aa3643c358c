package rank

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// notLinear compares a hostile text with 16 times as much of it. Growth by the
// square is looked for, 256 times; a busy machine may need several attempts to
// show less. It returns what it saw, or nothing.
func notLinear(work func(n int) time.Duration) string {
	const size = 4 << 10
	once, many := time.Hour, time.Hour
	for range 10 {
		once, many = min(once, work(size)), min(many, work(16*size))
		if many < 100*once {
			return ""
		}
	}
	return fmt.Sprintf("%v for one part, %v for 16", once, many)
}

func TestFindIsLinear(t *testing.T) {
	for _, question := range []string{
		blocksQuestion, "_ a __a aA ss Us a_a where is A_A and aAaAaA", strings.Repeat("aA_a ", 60), "größe Überlauf a_a",
	} {
		plan := newPlan(Parse(question))
		for _, piece := range []string{"_a", "aA", "A", "a", "_", "a_", "ss", "Us", "URLs", "9", "a9_", "é", "日", "aé", "parse", "parse_http_request", "body\n", "func (", " "} {
			if saw := notLinear(func(n int) time.Duration {
				text, m := []byte(strings.Repeat(piece, n/len(piece))), newMatcher(plan)
				m.deep = true
				start := time.Now()
				m.find(text)
				return time.Since(start)
			}); saw != "" {
				t.Errorf("%.20q in %q: %s", piece, question, saw)
			}
		}
	}
}

// TestReadIsLinear does the same for reading by definition: one endless name.
func TestReadIsLinear(t *testing.T) {
	if saw := notLinear(func(n int) time.Duration {
		c := New(Parse("body of parse"), Default())
		col := c.Collector()
		text := []byte("package a\n\nfunc " + strings.Repeat("body_", n/5) + "() {}\n")
		start := time.Now()
		col.Scan("a.go", text)
		c.Candidates(1)
		col.Read("a.go", text)
		return time.Since(start)
	}); saw != "" {
		t.Error(saw)
	}
}
