package toolrank

import (
	"slices"
	"testing"
)

func TestOrders(t *testing.T) {
	for text, want := range map[string]struct {
		like  string
		every bool
	}{
		"please delete the old page":                    {"remove", true},
		"could you throw away the plan":                 {"delete", true},
		"create a page and send it to me":               {"create send", true},
		"make a copy, stroke the cat and leave":         {"create", false},
		"I have a call with Rome at nine, who is that?": {"show", false},
	} {
		got, every := orderActs(splitClauses(text))
		if got != actsOf(want.like) || every != want.every {
			t.Errorf("%q orders %b, %v; want %b, %v", text, got, every, actsOf(want.like), want.every)
		}
	}
}

// TestOneWordCountsOnce: further evidence of the same kind for a word adds nothing.
func TestOneWordCountsOnce(t *testing.T) {
	var once, twice, both tally
	once.add(2)
	once.closeWord(0.5)
	twice.add(2)
	twice.add(1)
	twice.closeWord(0.5)
	both.add(2)
	both.closeKind(0.5)
	both.add(1)
	both.closeWord(0.5)
	if once.score != 2 || twice.score != 2 || both.score != 2.5 {
		t.Errorf("once %v, twice %v, in two kinds %v; want 2, 2, 2.5", once.score, twice.score, both.score)
	}
}

func TestTheServerThatIsNamedComesFirst(t *testing.T) {
	docs := []Doc{{Name: "write_note", Server: "journal", Description: "Writes a note."}, {Name: "write_note", Server: "Acme", Description: "Writes a note for all, or anything else that is to be kept."}}
	for query, want := range map[string]string{"write a note in acme": "Acme", "write a note": "journal"} {
		r := New(docs).Search(query, Options{})
		if len(r.Hits) == 0 || docs[r.Hits[0].Doc].Server != want {
			t.Errorf("%q gives %+v, want %s first", query, r.Hits, want)
		}
	}
}

// TestKindred: of tools with one of a query's words, those on its subject are told
// from those that have the word by chance.
func TestKindred(t *testing.T) {
	docs := []Doc{{Name: "get_usage", Description: "How much of the time that is due a crawl has left."},
		{Name: "pay", Description: "Settles a bill: payment by card, receipt, billing, and what is due."}}
	by := func(d Doc) float64 {
		ix := New([]Doc{d})
		q := ix.parse("which invoice is due and which bill")
		return ix.kindredShare(q, []candidate{{0, 1}})
	}
	if chance, meant := by(docs[0]), by(docs[1]); chance >= meant {
		t.Errorf("kindred %v by chance and %v on the subject", chance, meant)
	}
}

func TestWordsWithoutSpaces(t *testing.T) {
	var got []string
	splitWords("スクリーンショットを", func(w word) {
		if !w.Part {
			got = append(got, w.Text)
		}
	})
	if !slices.Contains(got, "スクリーンショット") {
		t.Errorf("the words are %q", got)
	}
}

func TestNotingIsNoNote(t *testing.T) {
	docs := []Doc{{Name: "start", Description: "Starts an engine. Note that it is loud."}, {Name: "memo", Description: "Keeps a note."}}
	if got := names(docs, New(docs).Search("note", Options{})); !slices.Equal(got, []string{"memo"}) {
		t.Errorf("a note gives %v", got)
	}
}

// TestValuesAloneCastDoubt: where only values are left that no tool says, they
// are named.
func TestValuesAloneCastDoubt(t *testing.T) {
	r := New(officeDocs()).Search("convert 100 dollars to euros", Options{Limit: 5})
	if !r.Nothing && (!r.Unsure || len(r.Missed) == 0) {
		t.Errorf("unsure %v, %q missed, confidence %.2f", r.Unsure, r.Missed, r.Confidence)
	}
}
