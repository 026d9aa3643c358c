package match

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// countdown is a context that ends after it has been asked a number of times, so that no test depends on the clock.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Each of these takes long over its text; every part that can take long must ask the context.
func TestCancel(t *testing.T) {
	ab := noise(100000, "a", "b", "b", "a")
	tests := []struct{ name, pattern, text string }{
		{"the automaton builds states", `(?:a|b)*a(?:a|b){300}c`, ab + "c"},
		{"regexp reads a long line", `.*a.{300}c$`, strings.Repeat("abb", 30000) + strings.Repeat("c", 299)},
		{"many candidate lines", `abba.*x`, strings.Repeat("abba\n", 200000)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Compile(tt.pattern, Options{})
			if err != nil {
				t.Fatal(err)
			}
			ctx := &countdown{context.Background(), 2}
			err = m.NewScanner().Lines(ctx, []byte(tt.text), func(Line) bool { return true })
			if !errors.Is(err, context.Canceled) || ctx.left < -2 {
				t.Errorf("error %v, asked %d times too often", err, -1-ctx.left)
			}
			ctx = &countdown{context.Background(), 1}
			if _, err = m.NewScanner().Count(ctx, []byte(tt.text)); !errors.Is(err, context.Canceled) && tt.name != "regexp reads a long line" {
				t.Errorf("Count: error %v", err)
			}
		})
	}
}

// The states kept stay under the limit, whatever the text.
func TestCacheIsBounded(t *testing.T) {
	m, err := Compile(`(?:a|b|é)*a(?:a|b|é){18}[^abé]`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := m.NewScanner()
	text := noise(1<<14, "a", "b", "é", "a")
	for range 3 {
		if _, err := s.Count(context.Background(), []byte(text)); err != nil {
			t.Fatal(err)
		}
		if c := s.cache; len(c.next)+c.size+4*len(c.runes) > c.limit+c.width()+2*m.size+20 {
			t.Fatalf("cache holds %d transitions, sets of %d, %d for runes: limit %d", len(c.next), c.size, len(c.runes), c.limit)
		}
	}
}

// noise strings n of four parts together, in an order without a period.
func noise(n int, parts ...string) string {
	var b strings.Builder
	for state := uint32(1); n > 0; n-- {
		state = state*1664525 + 1013904223
		b.WriteString(parts[state>>30])
	}
	return b.String()
}
