package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// shelf are passages of a small manual.
var shelf = []Passage{
	{"cache", "Cache", "Operations", "The cache keeps pages in memory and evicts the least recently used page."},
	{"evict", "Eviction", "Operations > Cache", "Eviction removes pages from the cache when memory is short."},
	{"retry", "Retries", "Clients", "A client retries a failed request with exponential backoff."},
	{"timeout", "Timeouts", "Clients", "A request that takes longer than its timeout fails; the client may retry it."},
	{"tls", "Certificates", "Security", "Rotate certificates before they expire. Set tlsCertificateFile to the new file."},
	{"login", "Login", "Security", "Users sign in with a password or a token."},
	{"cjk", "天気", "", "天気図とURLを読む"},
	{"empty", "", "", ""},
}

func build(t testing.TB, set Settings, list ...Passage) *Index {
	t.Helper()
	b, err := NewBuilder(set)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if err := b.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	ix, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

func search(t testing.TB, ix *Index, q Query) Answer {
	t.Helper()
	a, err := ix.Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func ids(a Answer) []string {
	var list []string
	for _, h := range a.Hits {
		list = append(list, h.ID)
	}
	return list
}

func TestSearchFindsWhatIsAsked(t *testing.T) {
	ix := build(t, Default(), shelf...)
	for question, want := range map[string]string{
		"how are pages evicted":    "evict",
		"retrying requests":        "retry",
		"certificat rotaton":       "tls", // n-grams forgive
		"tls certificate file":     "tls", // one word in the text
		"天気図":                      "cjk",
		"the timeout of a request": "timeout",
		"PASSWORD":                 "login",
	} {
		got := ids(search(t, ix, Query{Text: question}))
		if len(got) == 0 || got[0] != want {
			t.Errorf("%q finds %v, want %s first", question, got, want)
		}
	}
}

func TestAQuestionThatNothingFitsHasNoHits(t *testing.T) {
	ix := build(t, Default(), shelf...)
	for _, question := range []string{"", "...", "zzzzqqqq", "\xff\xfe"} {
		if a := search(t, ix, Query{Text: question}); len(a.Hits) > 0 || a.Confidence != 0 {
			t.Errorf("%q finds %v with confidence %v", question, ids(a), a.Confidence)
		}
	}
	if a := search(t, build(t, Default()), Query{Text: "cache"}); len(a.Hits) > 0 {
		t.Error("an empty index finds something")
	}
}

func TestConfidenceFallsWithTheUnknownWords(t *testing.T) {
	ix := build(t, Default(), shelf...)
	before := math.Inf(1)
	for _, question := range []string{"eviction", "eviction zebra", "eviction zebra yacht walrus"} {
		got := search(t, ix, Query{Text: question}).Confidence
		if got <= 0 || got > 1 || got >= before {
			t.Errorf("%q is answered with confidence %v after %v", question, got, before)
		}
		before = got
	}
}

func TestTheBreakdownAddsUpToTheScore(t *testing.T) {
	ix := build(t, Default(), shelf...)
	for _, question := range []string{"cache pages memory memory", "client request timeout", "certificates expire"} {
		plain := search(t, ix, Query{Text: question})
		a := search(t, ix, Query{Text: question, Explain: true})
		if !slices.Equal(ids(plain), ids(a)) {
			t.Errorf("%q: explaining changes %v to %v", question, ids(plain), ids(a))
		}
		for _, h := range a.Hits {
			sum := 0.0
			for _, l := range h.Legs {
				raw := 0.0
				for _, p := range l.Parts {
					raw += p.Score
				}
				if math.Abs(raw-l.Raw) > 1e-12 {
					t.Errorf("%q: the parts of %s in %s are %v, its score %v", question, l.Leg, h.ID, raw, l.Raw)
				}
				if want := l.Weight * max(0, l.Raw) / l.Best; math.Abs(want-l.Score) > 1e-12 || l.Score > l.Weight {
					t.Errorf("%q: %s gives %s %v, want %v", question, l.Leg, h.ID, l.Score, want)
				}
				sum += l.Score
			}
			if sum != h.Score {
				t.Errorf("%q: the legs of %s add up to %v, its score is %v", question, h.ID, sum, h.Score)
			}
		}
	}
}

func TestFiltersHoldOnEveryLeg(t *testing.T) {
	ix := build(t, Default(), shelf...)
	for mask := range 1 << len(shelf) {
		allow := NewSet(ix.Len())
		for p := range shelf {
			if mask&(1<<p) != 0 {
				allow.Add(p)
			}
		}
		a := search(t, ix, Query{Text: "client request memory certificates cache", Allow: allow, Explain: true})
		for _, h := range a.Hits {
			if !allow.Has(h.Passage) {
				t.Fatalf("set %b: %s is found", mask, h.ID)
			}
			for _, l := range h.Legs {
				if l.Raw > l.Best {
					t.Fatalf("set %b: %s is set against %v, and says %v", mask, l.Leg, l.Best, l.Raw)
				}
			}
		}
		if len(a.Hits) > 0 && !slices.ContainsFunc(a.Hits[0].Legs, func(l LegScore) bool { return l.Raw == l.Best }) {
			t.Fatalf("set %b: the best of no leg is among what is allowed", mask)
		}
	}
}

// recorded is a leg that others bring.
type recorded map[int]float64

func (recorded) Name() string { return "mine" }

func (r recorded) Score(_ context.Context, _ *Question, allow *Set, scores []float64) error {
	if r == nil {
		return errors.New("the endpoint is away")
	}
	for p, s := range r { // also what is not allowed: the index must not trust it
		scores[p] = s
	}
	return nil
}

func (r recorded) Explain(_ context.Context, _ *Question, passages []int) ([][]Part, error) {
	parts := make([][]Part, len(passages))
	for i, p := range passages {
		parts[i] = []Part{{Key: "vector", Score: r[p]}}
	}
	return parts, nil
}

func TestAnotherLegIsFusedAndFiltered(t *testing.T) {
	ix := build(t, Default(), shelf...)
	allow := NewSet(ix.Len())
	allow.Add(2)
	allow.Add(5)
	leg := recorded{0: 9, 5: 3, 2: 1.5}
	a := search(t, ix, Query{Text: "nothing of it", Allow: allow, Legs: []Leg{leg}, Weights: Weights{"mine": 2}, Explain: true})
	if got := fmt.Sprint(ids(a), a.Hits[0].Score, a.Hits[1].Score); got != "[login retry] 2 1" {
		t.Errorf("found %s", got)
	}
	_, err := ix.Search(context.Background(), Query{Text: "cache", Legs: []Leg{recorded(nil)}, Weights: Weights{"mine": 1}})
	if err == nil || err.Error() != "leg mine: the endpoint is away" {
		t.Errorf("the error is %v", err)
	}
}

func TestEqualScoresStandInTheOrderOfTheirIDs(t *testing.T) {
	var list []Passage
	for i := range 50 {
		list = append(list, Passage{ID: fmt.Sprintf("p%02d", (i*17)%50), Body: "the same words everywhere"})
	}
	got := ids(search(t, build(t, Default(), list...), Query{Text: "same words", Limit: 20}))
	if len(got) != 20 || got[0] != "p00" || !slices.IsSorted(got) {
		t.Errorf("found %v", got)
	}
}

func TestALimitBeyondThePassagesIsAllOfThem(t *testing.T) {
	ix := build(t, Default(), shelf...)
	all := ids(search(t, ix, Query{Text: "client request", Limit: ix.Len()}))
	if got := ids(search(t, ix, Query{Text: "client request", Limit: math.MaxInt})); len(got) < 2 || !slices.Equal(got, all) {
		t.Errorf("found %v, want %v", got, all)
	}
}

func TestWhatCannotBeSearched(t *testing.T) {
	ix := build(t, Default(), shelf...)
	for want, q := range map[string]Query{
		`index: there is no leg "bm52"; there are [bm25 lsi ngram]`: {Weights: Weights{"bm52": 1}},
		"index: the leg bm25 weighs NaN: want 0 to 1000":            {Weights: Weights{"bm25": math.NaN()}},
		"index: the leg lsi weighs -1: want 0 to 1000":              {Weights: Weights{"lsi": -1}},
	} {
		if _, err := ix.Search(context.Background(), q); err == nil || err.Error() != want {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ix.Search(ctx, Query{Text: "cache"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a search that was given up ends with %v", err)
	}
}

func TestSettingsOutOfRange(t *testing.T) {
	for want, change := range map[string]func(*Settings){
		"k1 is -1":                     func(s *Settings) { s.K1 = -1 },
		"b is 2":                       func(s *Settings) { s.B = 2 },
		"lsi has 1025 dimensions":      func(s *Settings) { s.LSI.Dimensions = 1025 },
		"lsi learns from 0 passages":   func(s *Settings) { s.LSI.Sample = 0 },
		"the field title weighs -0.5":  func(s *Settings) { s.Fields.Title = -0.5 },
		"the leg ngram weighs 1000.5:": func(s *Settings) { s.Weights = Weights{LegNGram: 1000.5} },
	} {
		s := Default()
		change(&s)
		if _, err := NewBuilder(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
	if _, err := NewBuilder(Default()); err != nil {
		t.Error(err)
	}
}

func TestABuilderTakesNoMoreThanItsBound(t *testing.T) {
	set := Default()
	set.Bytes, set.LSI.Dimensions = 200_000, 0
	b, err := NewBuilder(set)
	if err != nil {
		t.Fatal(err)
	}
	added := 0
	for err == nil && added < 10_000 {
		err = b.Add(Passage{ID: fmt.Sprint(added), Body: fmt.Sprintf("word%d stands with word%d", added, added+1)})
		added++
	}
	if !errors.Is(err, ErrFull) {
		t.Fatalf("%d passages end with %v", added, err)
	}
	ix, err := b.Build(context.Background())
	if err != nil || ix.Len() != added-1 {
		t.Errorf("the index of %d passages has %d: %v", added-1, ix.Len(), err)
	}
	if b, _ = NewBuilder(set); b.Add(Passage{ID: "x"}) != nil || b.Add(Passage{ID: "x"}) == nil {
		t.Error("an id can be added twice")
	}
}
