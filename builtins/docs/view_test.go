package docs

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// What a model reads of a search is shorter than its JSON, and has no figures; what it needs
// to go on with is there.
func TestHitsForAModel(t *testing.T) {
	h := Hits{Confidence: "med", Note: "only passages that fit kind:md", Hits: []Hit{
		{ID: "aaaaaaaaaa", URI: "guide/pools.md", Title: "Pools", Section: "Pools › Size", Snippet: "A “pool” keeps twelve.", ChunkID: "aaaaaaaaaa-0000-1", Page: 3, Score: 0.7123, Source: "guide",
			Scores: Scores{BM25: 0.4, Vector: 0.3123, Fused: 0.7123}},
		{ID: "bbbbbbbbbb", URI: "guide/gone.md", ChunkID: "n1", Score: 0.5, Source: "notes", Pinned: &HitPin{Note: "ask Dana", State: "stale", Was: "eleven"}},
	}}
	raw, _ := json.Marshal(h)
	typ := schema.MustFromType(reflect.TypeFor[Hits]())
	text, ok := render.ForModel(raw, typ)
	for _, want := range []string{"guide/pools.md › Pools › Size, page 3 [aaaaaaaaaa-0000-1]", "“A ‘pool’ keeps twelve.”", "the user pinned this: ask Dana; stale, it said: eleven", "confidence med", "only passages that fit kind:md"} {
		if !ok || !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "0.7") || len(text) > len(raw)*3/4 {
		t.Errorf("%d bytes of %d:\n%s", len(text), len(raw), text)
	}
}

// Scores add up as they are shown, whatever rounding leaves.
func TestScoresAddUp(t *testing.T) {
	for i := range 2_000 {
		x := float64(i) * 0.000137
		f := library.Found{Legs: []index.LegScore{{Leg: index.LegBM25, Score: x}, {Leg: index.LegLSI, Score: x / 3}, {Leg: index.LegNGram, Score: x / 7}, {Leg: library.LegJudge, Score: float64(i%4) / 3}}}
		if i%3 == 0 {
			f.Legs = f.Legs[:1]
		}
		for _, l := range f.Legs {
			f.Score += l.Score
		}
		s := scoresOf(f)
		if s.Fused != round(f.Score) || round(s.BM25+s.Vector+s.Rerank) != s.Fused || s.Vector < 0 || i%3 == 0 && (s.Vector != 0 || s.Rerank != 0) {
			t.Fatalf("%+v of %v", s, f.Score)
		}
	}
}

func TestRanked(t *testing.T) {
	var list []Ranked
	for id, score := range map[string]float64{"a": 0.2, "b": 0.9, "c": 0} {
		list = insertRanked(list, id, score)
	}
	if !reflect.DeepEqual(list, []Ranked{{"b", 0.9}, {"a", 0.2}}) {
		t.Error(list)
	}
}

func TestWordings(t *testing.T) {
	got := distinctWordings("How large is a pool?", []string{"how LARGE is a pool", " the size  of\na pool", "The size of a pool!", "", "?!", "a", "b", "c", strings.Repeat("é ", 400)})
	if !reflect.DeepEqual(got, []string{"the size of a pool", "a", "b"}) {
		t.Errorf("%q", got)
	}
	if got := distinctWordings("q", []string{strings.Repeat("é", 400)}); len(got) != 1 || len(got[0]) > longWording {
		t.Errorf("%q", got)
	}
}
