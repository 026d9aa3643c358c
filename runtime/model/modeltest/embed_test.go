package modeltest_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
)

func TestRealModelEmbeds(t *testing.T) {
	for _, pair := range modeltest.All(t) {
		t.Run(pair.String(), func(t *testing.T) {
			s := start(t, pair, modeltest.Options{Window: window, Embed: true})
			ctx, cancel := context.WithTimeout(context.Background(), deadline)
			defer cancel()
			cat, tax := "The cat sleeps on the sofa.", "func Tax(income int) int { return income / 5 }"
			got, err := s.endpoint.Embed(ctx, []string{cat, tax, cat})
			if model.Is(err, model.Unsupported) {
				t.Skipf("these weights give no vectors there: %v", err)
			}
			if err != nil || len(got) != 3 {
				t.Fatalf("%d vectors, %v", len(got), err)
			}
			if same := cosine(t, got[0], got[2]); same < 0.999 {
				t.Errorf("the same text twice is %.3f alike", same)
			}
			if other := cosine(t, got[0], got[1]); other > 0.99 {
				t.Errorf("two texts are %.3f alike", other)
			}
			_, err = s.endpoint.Embed(ctx, []string{cat, strings.Repeat("one two three four ", window)})
			if !model.Is(err, model.Overflow) {
				t.Errorf("%v for a text of four windows", err)
			}
		})
	}
}

func cosine(t *testing.T, a, b []float32) float64 {
	t.Helper()
	if len(a) == 0 || len(a) != len(b) {
		t.Fatalf("vectors of %d and %d numbers", len(a), len(b))
	}
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}
