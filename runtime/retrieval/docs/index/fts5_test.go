//go:build unix

package index

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestWordsMatchAsInFTS5 draws small indexes: the passages that have a word of a question
// are those that SQLite's FTS5 with its Porter tokenizer finds for any of the words.
func TestWordsMatchAsInFTS5(t *testing.T) {
	for round := range 3 {
		r := rand.New(rand.NewPCG(uint64(round), 9))
		vocabulary := drawVocabulary(r, 120)
		var list []Passage
		for i := range 80 {
			list = append(list, Passage{ID: fmt.Sprint(i), Title: drawWords(r, vocabulary, 2), Body: drawWords(r, vocabulary, 6)})
		}
		ix := build(t, Default(), list...)
		db, err := sql.Open("sqlite", ":memory:")
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1) // each connection has a memory of its own
		defer db.Close()
		if _, err := db.Exec(`CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, title, body, tokenize='porter unicode61')`); err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if _, err := db.Exec(`INSERT INTO t VALUES (?, ?, ?)`, p.ID, p.Title, p.Body); err != nil {
				t.Fatal(err)
			}
		}
		for range 40 {
			question := drawWords(r, vocabulary, 1+r.IntN(3))
			got := ids(search(t, ix, Query{Text: question, Limit: len(list), Weights: Weights{LegBM25: 1}}))
			rows, err := db.Query(`SELECT id FROM t WHERE t MATCH ?`, strings.Join(strings.Fields(question), " OR "))
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for rows.Next() {
				var id string
				if err := rows.Scan(&id); err != nil {
					t.Fatal(err)
				}
				want = append(want, id)
			}
			if err := rows.Close(); err != nil {
				t.Fatal(err)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%q finds %v, want %v", question, got, want)
			}
		}
	}
}
