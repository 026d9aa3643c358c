package retrieval

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestIDFIsNeverNegativeAndFallsWithTheDocuments(t *testing.T) {
	before := math.Inf(1)
	for _, df := range []float64{0, 1, 10, 50, 100} {
		got := IDF(100, df)
		if got < 0 || got >= before {
			t.Errorf("a term of %v in 100 documents weighs %v after %v", df, got, before)
		}
		before = got
	}
}

func TestSaturation(t *testing.T) {
	for _, c := range []struct{ tf, k, want, share float64 }{
		{0, 1.2, 0, 0}, {1, 1.2, 1, 1 / 2.2}, {1.8, 1.8, 1.4, 0.5}, {1e12, 1.2, 2.2, 1},
	} {
		if got := Saturate(c.tf, c.k); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%v occurrences with k %v count %v, want %v", c.tf, c.k, got, c.want)
		}
		if got := Share(c.tf, c.k); math.Abs(got-c.share) > 1e-6 {
			t.Errorf("%v occurrences with k %v are a share of %v, want %v", c.tf, c.k, got, c.share)
		}
	}
}

func TestGain(t *testing.T) {
	for _, c := range []struct{ weight, norm, length, mean, want float64 }{
		{2, 0, 500, 10, 2},    // length does not count
		{2, 1, 20, 10, 1},     // in proportion to it
		{2, 0.5, 10, 10, 2},   // a text of the mean length
		{2, 0.5, 0, 10, 4},    // an empty one
		{0, 0.5, 30, 10, 0},   // a part that does not count
		{3, 0.5, 30, 10, 1.5}, // a long one
	} {
		if got := (Field{c.weight, c.norm}).Gain(c.length, c.mean); !near(got, c.want) {
			t.Errorf("an occurrence in %+v counts %v", c, got)
		}
	}
}

func TestFuseSetsEachListAgainstItsBest(t *testing.T) {
	first := Fuse(Part{10, 10, 1}, Part{0, 0.5, 0.6})
	second := Fuse(Part{5, 10, 1}, Part{0.5, 0.5, 0.6})
	if !near(first, 1) || !near(second, 1.1) {
		t.Errorf("fused %v and %v, want 1 and 1.1", first, second)
	}
	if Fuse() != 0 {
		t.Error("no list scores")
	}
}

func TestBands(t *testing.T) {
	b := Bands{Low: 0.05, High: 0.2}
	for x, want := range map[float64]Confidence{0: Low, 0.049: Low, 0.05: Medium, 0.19: Medium, 0.2: High, 1: High} {
		if got := b.Of(x); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
}

func TestLogistic(t *testing.T) {
	if got := Logistic([]float64{0, 5}, []float64{1, 0}); !near(got, 0.5) {
		t.Errorf("no sign either way gives %v", got)
	}
	if low, high := Logistic([]float64{-2, 5}, []float64{1, 0.1}), Logistic([]float64{-2, 5}, []float64{1, 0.9}); low >= high || low <= 0 || high >= 1 {
		t.Errorf("%v with a weak sign, %v with a strong one", low, high)
	}
}
