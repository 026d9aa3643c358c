package index

import (
	"math"
	"slices"
	"testing"
)

func TestAbbreviations(t *testing.T) {
	for text, want := range map[string][]Abbreviation{
		"We use transport layer security (TLS) here.":       {{"TLS", "transport layer security"}},
		"the central processing unit (CPU) and (see below)": {{"CPU", "central processing unit"}},
		"Department of Defense (DOD)":                       {{"DOD", "department of defense"}},
		"a call f(x) and POST (HTTP)":                       nil,
		"(TLS)":                                             nil,
		"read only memory (RAM":                             nil,
		"words that do not fit (XYZ)":                       nil,
	} {
		if got := Abbreviations(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Added words find, count what they weigh, and say where they come from.
func TestAddedWords(t *testing.T) {
	ix := build(t, Default(), shelf...)
	best := []Top{{Text: "Rotate the transport layer security (TLS) certificates", Score: 2}}
	for question, want := range map[string]string{"rotate tls": "transport layer security", "transport layer security": "TLS", "TLS, transport layer security": "", "cache": ""} {
		got := ix.Expand(question, best, Expansion{Abbreviations: true, Weight: 0.3})
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || got[0] != More{want, 0.3, FromAbbreviation}) {
			t.Errorf("%q: %v, want %q", question, got, want)
		}
	}
	more := ix.Expand("pages", []Top{{"The cache evicts pages of the cache.", 2}}, Expansion{Terms: 1, Weight: 0.5})
	if len(more) != 1 || more[0] != (More{"cache", 0.5, FromFeedback}) {
		t.Fatalf("%v", more)
	}
	a := search(t, ix, Query{Text: "password", More: []More{{"certificates", 0.4, "earlier question"}}, Explain: true})
	if len(a.Hits) < 2 || a.Hits[0].ID != "login" || a.Hits[1].ID != "tls" {
		t.Fatalf("%v", ids(a))
	}
	for _, h := range a.Hits[:2] {
		for _, l := range h.Legs {
			sum := 0.0
			for _, p := range l.Parts {
				sum += p.Score
				if from := map[string]string{"login": "", "tls": "earlier question"}[h.ID]; l.Leg == LegBM25 && p.From != from {
					t.Errorf("%s: %+v", h.ID, p)
				}
			}
			if math.Abs(sum-l.Raw) > 1e-6 {
				t.Errorf("%s, %s: parts add up to %v of %v", h.ID, l.Leg, sum, l.Raw)
			}
		}
	}
}

func TestHaving(t *testing.T) {
	ix := build(t, Default(), shelf...)
	for _, c := range []struct {
		text string
		in   []Field
		want []string
	}{
		{"retries", nil, []string{"retry", "timeout"}},
		{"cache", []Field{Section, Title}, []string{"cache", "evict"}},
		{"request timeout", nil, []string{"timeout"}},
		{"nowhere", nil, nil},
		{"", nil, nil},
	} {
		var got []string
		have := ix.Having(c.text, c.in...)
		for p := range ix.Len() {
			if have.Has(p) {
				got = append(got, ix.ID(p))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q in %v: %v, want %v", c.text, c.in, got, c.want)
		}
	}
}

// Words that stand in every text say nothing of what a text is about.
func TestQuestionsWithoutMeaningHaveNoConfidence(t *testing.T) {
	ix := build(t, Default(), shelf...)
	for _, text := range []string{"AND OR NOT (", "the of and", "(((", ""} {
		if a := search(t, ix, Query{Text: text}); a.Confidence != 0 {
			t.Errorf("%q: %v", text, a.Confidence)
		}
	}
}

// Other wordings find what the question does not, its own words count twice as much, and the
// breakdown says what came by which.
func TestOtherWordings(t *testing.T) {
	ix := build(t, Default(), shelf...)
	q := Query{Text: "password", Others: []Wording{{Text: "certificates expire"}, {Text: "client request"}}, Explain: true}
	plain, a := search(t, ix, Query{Text: q.Text}), search(t, ix, q)
	if a.Hits[0].ID != plain.Hits[0].ID || len(a.Hits) <= len(plain.Hits) || a.Confidence != plain.Confidence {
		t.Fatalf("%v, without other wordings %v", ids(a), ids(plain))
	}
	by := map[string]bool{}
	for _, h := range a.Hits {
		sum := 0.0
		for _, l := range h.Legs {
			sum += l.Score
			by[l.Asked] = by[l.Asked] || l.Score > 0
			if most := map[bool]float64{true: 0.5, false: 0.25}[l.Asked == ""]; l.Score > most {
				t.Errorf("%s gives %s %v by %q, of %v", l.Leg, h.ID, l.Score, l.Asked, most)
			}
			raw := 0.0
			for _, p := range l.Parts {
				raw += p.Score
			}
			if math.Abs(raw-l.Raw) > 1e-6 {
				t.Errorf("%s, %s by %q: parts add up to %v of %v", h.ID, l.Leg, l.Asked, raw, l.Raw)
			}
		}
		if math.Abs(sum-h.Score) > 1e-12 {
			t.Errorf("%s: %v of %v", h.ID, sum, h.Score)
		}
	}
	if len(by) != 3 || !by[""] || !by["certificates expire"] || !by["client request"] {
		t.Errorf("asked by %v", by)
	}
	allow := NewSet(ix.Len())
	allow.Add(a.Hits[0].Passage)
	q.Allow = allow
	if only := search(t, ix, q); len(only.Hits) != 1 {
		t.Errorf("a filter lets %v through", ids(only))
	}
}
