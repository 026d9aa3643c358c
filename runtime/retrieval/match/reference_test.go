package match

import (
	"bytes"
	"context"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// reference is grep as one would write it without a thought for speed: regexp on each line by itself.
func reference(re *regexp.Regexp, group int, text []byte) (lines []Line) {
	for start, number := 0, 1; start < len(text); number++ {
		end := start + len(text[start:])
		if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		if loc := re.FindSubmatchIndex(text[start:end]); loc != nil {
			match := [2]int{start + loc[2*group], start + loc[2*group+1]}
			lines = append(lines, Line{number, start, end, match})
		}
		start = end + 1
	}
	return lines
}

// variants are the ways in which a matcher may come to its answer: as chosen, without looking for words, with a cache
// that overflows all the time, and with regexp alone.
func variants(m *Matcher) map[string]func() *Scanner {
	with := func(change func(*Matcher)) func() *Scanner {
		return func() *Scanner {
			c := &Matcher{pattern: m.pattern, std: m.std, group: m.group, size: m.size, auto: m.auto,
				finder: m.finder, exact: m.exact, folds: m.folds}
			change(c)
			return c.NewScanner()
		}
	}
	small := *m.auto
	small.limit = 200
	return map[string]func() *Scanner{
		"chosen":    m.NewScanner,
		"automaton": with(func(c *Matcher) { c.finder, c.exact = nil, false }),
		"confirmed": with(func(c *Matcher) { c.exact = false }),
		"crowded":   with(func(c *Matcher) { c.finder, c.exact, c.auto = nil, false, &small }),
	}
}

func collect(t *testing.T, s *Scanner, text []byte) (lines []Line) {
	t.Helper()
	err := s.Lines(context.Background(), text, func(l Line) bool {
		lines = append(lines, l)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// agree fails unless every variant of m finds what the reference finds.
func agree(t *testing.T, m *Matcher, re *regexp.Regexp, text []byte) {
	t.Helper()
	want := reference(re, m.group, text)
	for name, scanner := range variants(m) {
		s := scanner()
		for _, again := range []string{"", " again"} {
			got := collect(t, s, text)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("pattern %q (%s%s) over %q: lines (-regexp +match)\n%s", m, name, again, text, diff)
			}
		}
		n, err := s.Count(context.Background(), text)
		if n != len(want) || err != nil {
			t.Fatalf("pattern %q (%s): Count = %d, %v, want %d", m, name, n, err, len(want))
		}
	}
}
