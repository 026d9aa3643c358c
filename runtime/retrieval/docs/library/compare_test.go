package library_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/vectors"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// static is a tier of a table with a vector for each word of the vocabulary.
func static(t testing.TB, dims int) library.Tier {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 9))
	var b strings.Builder
	for _, word := range vocabulary {
		b.WriteString(word)
		for range dims {
			fmt.Fprintf(&b, " %.4f", r.NormFloat64())
		}
		b.WriteString("\n")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "words.txt"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	tier, err := vectors.OpenStatic(os.DirFS(dir), "words.txt")
	if err != nil {
		t.Fatal(err)
	}
	return library.Tier{Tier: tier, Weight: 0.5}
}

// Whoever compares vectors, the database or the process, finds the same passages with the same scores, also behind a
// filter, beside another collection of the same documents, and after vectors were made anew. COMPACTOR_TEST_PGVECTOR=1
// fails where the server has no pgvector.
func TestVectorsAreComparedAlike(t *testing.T) { onEach(t, vectorsAreComparedAlike) }

func vectorsAreComparedAlike(t *testing.T) {
	dir, tier := t.TempDir(), static(t, 24)
	for n := range 40 {
		write(t, dir, fmt.Sprintf("d%d/%d.md", n%4, n), document(n))
	}
	write(t, dir, "d1/none.md", "# Zebra\n\nQuagga, okapi.\n") // whose vector is zero
	at := place(t, "guide")
	s, other := shelf(t, at), shelf(t, place(t, "other"))
	for range 2 { // the second makes all vectors again
		indexWith(t, other, dir, tier)
		indexWith(t, s, dir, tier)
		if err := s.View(t.Context(), func(v library.View) error {
			c, err := v.Comparer(t.Context(), tier.ID())
			if err == nil && c == nil && store.OnServer(at) && os.Getenv("COMPACTOR_TEST_PGVECTOR") != "" {
				t.Error("the server does not compare")
			}
			if c != nil {
				comparesAll(t, v, c, tier)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		warm := library.Open(s)
		for _, only := range []library.Only{{}, {Path: "d1/1[0-9].md"}, {Path: "d1/n*"}, {Path: "d9/*"}} {
			q := library.Query{Text: "snapshot of a ledger with a cursor", Limit: 20, Explain: true, Only: only, Tiers: []library.Tier{tier}}
			for range 2 { // in memory, from the second search on
				if _, err := warm.Search(t.Context(), q); err != nil {
					t.Fatal(err)
				}
			}
			same(t, library.Open(s), warm, q)
		}
		for _, x := range []library.Shelf{s, other} {
			x, done, err := indexer(x, dir)
			if err != nil {
				t.Fatal(err)
			}
			x.Tiers = []library.Tier{tier}
			if _, err := x.Run(t.Context(), library.Options{All: true}); err != nil {
				t.Fatal(err)
			}
			done()
		}
	}
}

// comparesAll holds what the database says of all vectors against those that it keeps.
func comparesAll(t *testing.T, v library.View, c library.Comparer, tier library.Tier) {
	t.Helper()
	question, _, err := tier.Question(t.Context(), "a cursor of a ledger")
	if err != nil {
		t.Fatal(err)
	}
	question = vectors.Unit(question)
	got, err := c(t.Context(), question, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := v.Vectors(t.Context(), tier.ID())
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d contents of %d, %v", len(got), len(want), err)
	}
	for content, rows := range want {
		table := vectors.NewTable(rows.Dims, rows.Len())
		table.Put(0, rows)
		for n, dot := range got[content] {
			if math.Abs(float64(dot)-table.Dot(question, n)) > 1e-5 {
				t.Fatalf("passage %d: %v, want %v", n, dot, table.Dot(question, n))
			}
		}
	}
}

// same holds what two libraries find against each other, up to rounding.
func same(t *testing.T, a, b *library.Library, q library.Query) {
	t.Helper()
	x, err := a.Search(t.Context(), q)
	y, err2 := b.Search(t.Context(), q)
	if err != nil || err2 != nil || len(x.Found) != len(y.Found) || fmt.Sprint(x.Notes) != fmt.Sprint(y.Notes) {
		t.Fatalf("%+v: %d and %d passages, notes %v and %v, %v %v", q.Only, len(x.Found), len(y.Found), x.Notes, y.Notes, err, err2)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-5 }
	for i, f := range x.Found {
		g := y.Found[i]
		if f.ID != g.ID && !near(f.Score, g.Score) || !near(f.Score, g.Score) {
			t.Fatalf("%+v: place %d is %s with %v, and %s with %v", q.Only, i, f.ID, f.Score, g.ID, g.Score)
		}
		for k, leg := range f.Legs {
			parts := 0.0
			for _, p := range leg.Parts {
				parts += p.Score
			}
			if f.ID == g.ID && !near(leg.Raw, g.Legs[k].Raw) || len(leg.Parts) != len(f.Legs[k].Parts) || !near(parts, leg.Raw) {
				t.Fatalf("%s of %s: %+v, and %+v", leg.Leg, f.ID, leg, g.Legs[k])
			}
		}
	}
}
