package store_test

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/pipeline/shared"
)

func record(t *testing.T, shelf shared.Shelf, list ...shared.Record) []string {
	t.Helper()
	moved, err := shelf.PutSessions(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	return moved
}

func recordOf(t *testing.T, shelf shared.Shelf, key string, known int64) shared.Record {
	t.Helper()
	r, err := shelf.Session(t.Context(), key, known)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Whoever writes over a version that is not the last one is refused, and told.
func TestSessionsAreSharedByVersion(t *testing.T) {
	onEach(t, func(t *testing.T, fresh string) {
		a, b := open(t, fresh).Shared(), open(t, fresh).Shared()
		first := shared.Record{Key: "k", Body: []byte("one"), Life: time.Hour}
		if moved := record(t, a, first); moved != nil {
			t.Fatal(moved)
		}
		if moved := record(t, b, first, shared.Record{Key: "other", Body: []byte("x"), Life: time.Hour}); fmt.Sprint(moved) != "[k]" {
			t.Errorf("a second one begins it: %v", moved)
		}
		r := recordOf(t, b, "k", 0)
		if r.Version != 1 || string(r.Body) != "one" || r.Life <= 50*time.Minute || r.Ended {
			t.Errorf("%+v", r)
		}
		r.Body, r.Life = []byte("two"), time.Hour
		if moved := record(t, b, r); moved != nil {
			t.Error(moved)
		}
		if moved := record(t, a, r); fmt.Sprint(moved) != "[k]" {
			t.Errorf("an old version is written: %v", moved)
		}
		if r := recordOf(t, a, "k", 2); r.Version != 2 || r.Body != nil {
			t.Errorf("the version that is known: %+v", r)
		}
		if r := recordOf(t, a, "nothing", 0); r.Version != 0 {
			t.Errorf("%+v", r)
		}
		if err := b.EndSession(t.Context(), "k", time.Hour); err != nil {
			t.Fatal(err)
		}
		if r := recordOf(t, a, "k", 2); !r.Ended || len(r.Body) != 0 {
			t.Errorf("after its end: %+v", r)
		}
		if moved := record(t, a, shared.Record{Key: "k", Version: 3, Body: []byte("again"), Life: time.Hour}); fmt.Sprint(moved) != "[k]" {
			t.Error("one that has ended is written")
		}
	})
}

// Many that count in one session's body lose no count.
func TestNoVersionIsLost(t *testing.T) {
	onEach(t, func(t *testing.T, fresh string) {
		open(t, fresh)
		const writers, each = 4, 15
		var all sync.WaitGroup
		for w := range writers {
			shelf := open(t, fresh).Shared()
			all.Go(func() {
				for n := 0; n < each; {
					r, err := shelf.Session(context.Background(), "k", 0)
					if err != nil {
						t.Error(err)
						return
					}
					r.Key, r.Body, r.Life = "k", append(r.Body, byte('a'+w)), time.Hour
					own := shared.Record{Key: fmt.Sprint("own", w, n), Body: []byte("x"), Life: time.Hour}
					moved, err := shelf.PutSessions(context.Background(), []shared.Record{r, own})
					if err != nil {
						t.Error(err)
						return
					}
					if len(moved) == 0 || moved[0] != "k" && len(moved) == 1 {
						n++
					}
				}
			})
		}
		all.Wait()
		r := recordOf(t, open(t, fresh).Shared(), "k", 0)
		for w := range writers {
			if n := bytes.Count(r.Body, []byte{byte('a' + w)}); n != each {
				t.Errorf("writer %d: %d of %d", w, n, each)
			}
		}
	})
}

func TestResultsAreShared(t *testing.T) {
	onEach(t, func(t *testing.T, fresh string) {
		s := open(t, fresh)
		shelf, other := s.Shared(), open(t, fresh).Shared()
		has := func(key string) string {
			t.Helper()
			body, err := other.Result(t.Context(), key, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			return string(body)
		}
		results := func(list ...shared.Result) {
			t.Helper()
			if err := shelf.PutResults(t.Context(), list); err != nil {
				t.Fatal(err)
			}
		}
		record(t, shelf, shared.Record{Key: "s", Body: []byte("x"), Life: time.Hour})
		binary := string([]byte{0, 1, 2, 255, '\'', 0})
		results(shared.Result{Key: "b", Session: "s", Body: []byte(binary), Life: time.Hour}, shared.Result{Key: "a", Session: "t", Body: []byte("A"), Life: 2 * time.Hour},
			shared.Result{Key: "old", Session: "t", Body: []byte("old"), Life: -time.Second})
		if has("b") != binary || has("a") != "A" || has("old") != "" || has("none") != "" {
			t.Errorf("%q %q %q %q", has("b"), has("a"), has("old"), has("none"))
		}
		results(shared.Result{Key: "b", Session: "s", Body: []byte("new"), Life: time.Hour})
		if has("b") != "new" {
			t.Errorf("%q", has("b"))
		}
		sum, err := shelf.Totals(t.Context())
		if err != nil || sum.Sessions != 1 || sum.Results != 2 || sum.Bytes < 5 {
			t.Errorf("%+v %v", sum, err)
		}
		if err := shelf.EndSession(t.Context(), "s", time.Hour); err != nil {
			t.Fatal(err)
		}
		if has("b") != "" || has("a") != "A" {
			t.Error("the end of a session takes what others have, or leaves its own")
		}
	})
}

// What is over its time goes, and while there is too much what would be over it first.
func TestWhatIsSharedIsBounded(t *testing.T) {
	onEach(t, func(t *testing.T, fresh string) {
		shelf := open(t, fresh).Shared()
		var results []shared.Result
		for i := range 10 {
			record(t, shelf, shared.Record{Key: fmt.Sprint("s", i), Body: []byte("x"), Life: time.Duration(i) * time.Minute})
			results = append(results, shared.Result{Key: fmt.Sprint("r", i), Session: "s9", Body: make([]byte, 1000), Life: time.Duration(i) * time.Minute})
		}
		if err := shelf.PutResults(t.Context(), results); err != nil {
			t.Fatal(err)
		}
		if err := shelf.Purge(t.Context(), shared.Bounds{Sessions: 4, Bytes: 3500}); err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			r, _ := shelf.Session(t.Context(), fmt.Sprint("s", i), 0)
			if there := r.Version > 0; there != (i >= 6) {
				t.Errorf("session %d is there: %v", i, there)
			}
			body, _ := shelf.Result(t.Context(), fmt.Sprint("r", i), time.Hour)
			if there := body != nil; there != (i >= 7) {
				t.Errorf("result %d is there: %v", i, there)
			}
		}
		if err := shelf.Forget(t.Context(), time.Hour); err != nil {
			t.Fatal(err)
		}
		if sum, _ := shelf.Totals(t.Context()); sum.Sessions != 4 || sum.Results != 3 {
			t.Errorf("what is young is forgotten: %+v", sum)
		}
		if err := shelf.Forget(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if sum, _ := shelf.Totals(t.Context()); sum != (shared.Totals{}) {
			t.Errorf("%+v", sum)
		}
	})
}
