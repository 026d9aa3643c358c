package match

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// generator writes patterns and texts over the same few characters, so that they meet often.
type generator struct{ *rand.Rand }

func (g generator) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g generator) atom() string {
	return g.pick("a", "b", "k", "s", "_", "1", " ", "é", "É", "\u017f", "\u212a", "\uFFFD", "abc", "task_", "connect", "(?:)",
		"[ab]", "[^a]", "[a-s]", "[^\\x00-\\x7f]", `\w`, `\W`, `\d`, `\s`, ".", `\b`, `\B`, "^", "$", `\x00`, `\r`, `\pL`)
}

func (g generator) pattern(depth int) string {
	if depth == 0 {
		return g.atom()
	}
	switch g.IntN(8) {
	case 0:
		return g.pick("(", "(?:", "(?i:", "(?s:") + g.pattern(depth-1) + ")"
	case 1:
		return "(?:" + g.pattern(depth-1) + ")" + g.pick("*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,3}?")
	case 2, 3:
		return g.pattern(depth-1) + "|" + g.pattern(depth-1)
	case 4:
		return g.atom()
	}
	return "(?:" + g.pattern(depth-1) + ")" + g.pattern(depth-1)
}

func (g generator) text() []byte {
	var b strings.Builder
	for range g.IntN(60) {
		b.WriteString(g.pick("a", "b", "k", "s", "K", "S", "_", "1", " ", "\n", "\n", "\r\n", "é", "É", "\u017f", "\u212a", "\uFFFD", "\xff", "\xe2\x84",
			"\x00", "abc", "ABC", "task_", "TASK_", "connect", "Connect", "ta\u017fk_"))
	}
	return []byte(b.String())
}

// TestRandomPatterns compares with regexp on patterns and texts made for each other.
func TestRandomPatterns(t *testing.T) {
	rounds := 400
	if os.Getenv("COMPACTOR_LONG") != "" {
		rounds = 50000
	}
	g := generator{rand.New(rand.NewPCG(1, 2))}
	for range rounds {
		pattern := g.pattern(g.IntN(5))
		opt := Options{IgnoreCase: g.IntN(3) == 0, Word: g.IntN(4) == 0}
		re, err := std(pattern, opt)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Compile(pattern, opt)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			agree(t, m, re, g.text())
		}
	}
}

// TestRandomLiterals does the same for lists of literals, up to so many that the finder's lists are merged.
func TestRandomLiterals(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 4))}
	for range 60 {
		literals := make([]string, 1+g.IntN(1<<g.IntN(9)))
		for i := range literals {
			for range 1 + g.IntN(5) {
				literals[i] += g.pick("a", "b", "k", "s", "_", "1", ".", "é", "abc", "task_", "x", "z", "q", "(")
			}
		}
		opt := Options{IgnoreCase: g.IntN(2) == 0, Word: g.IntN(3) == 0}
		m, err := Any(literals, opt)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			agree(t, m, m.std, g.text())
		}
	}
}
