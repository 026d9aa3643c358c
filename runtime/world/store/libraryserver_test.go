package store_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/vectors"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

func openLibrary(t *testing.T, place string) library.Shelf {
	t.Helper()
	s, err := store.OpenLibrary(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Who indexes is named to the other, and who was cut off from the server without knowing it writes nothing any more once
// another may have begun.
func TestTheOwnerOnAServer(t *testing.T) {
	server := storetest.Shared(t)
	wire := storetest.NewWire(t, server)
	schema := storetest.Schema(server.URL())
	cut := openLibrary(t, store.LibraryPath(server.Address(wire.Port, schema), "guide", "1"))
	there := store.LibraryPath(server.Address(server.Port, schema), "guide", "1")
	other := openLibrary(t, there)
	release, err := cut.Own(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	one := []library.Content{{Hash: "a", Text: "one\x00\xff", Title: "\xfe", Chunks: []chunk.Chunk{{Start: 0, End: 3}}}}
	if err := cut.Keep(t.Context(), one, []library.Job{{Key: "guide:a:chunk", URI: "\xfd"}, {Key: "guide:a:chunk", URI: "\xfd"}}); err != nil {
		t.Fatal(err)
	}
	var owned *library.OwnedError
	host, _ := os.Hostname()
	if _, err := other.Own(t.Context()); !errors.As(err, &owned) || owned.Process != os.Getpid() || !strings.HasPrefix(host, owned.Host) {
		t.Errorf("%v, %+v", err, owned)
	}
	if st, err := other.State(t.Context()); err != nil || !st.Running || st.Process != os.Getpid() || st.Kept != 1 {
		t.Errorf("%+v, %v", st, err)
	}
	if err := store.RemoveLibrary(t.Context(), there); !errors.Is(err, library.ErrOwned) {
		t.Errorf("it is deleted while it is written: %v", err)
	}
	wire.Cut()
	wire.Mend()
	again, err := other.Own(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer again()
	clocktest.Until(t, "another connection is made", func() bool { // a server that was away is left alone for a second
		_, err = cut.Contents(t.Context())
		return err == nil
	}, func() any { return err })
	for range 3 {
		if err := cut.Keep(t.Context(), []library.Content{{Hash: "b"}}, nil); err == nil {
			t.Error("it writes without the lock")
		}
	}
	got, err := other.Content(t.Context(), "a")
	if err != nil || got.Text != one[0].Text || got.Title != one[0].Title {
		t.Errorf("%q, %v", got.Text, err)
	}
	if all, err := other.Contents(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}

// Who drops pgvector takes nothing but comparing from it, and who makes it again gives that back. Needs a server that has it.
func TestPgvectorComesAndGoes(t *testing.T) {
	server := storetest.Shared(t)
	if server.Count(t, "SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'") == 0 {
		if os.Getenv("COMPACTOR_TEST_PGVECTOR") != "" {
			t.Fatal("the server has no pgvector")
		}
		t.Skip("the server has no pgvector")
	}
	s := openLibrary(t, store.LibraryPath(server.URL(), "guide", "1"))
	one, err := vectors.NewRows([][]float32{{1, 0}, {0, 2}, {0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	keep := func(hash string) {
		t.Helper()
		if err := s.KeepVectors(t.Context(), "tier", map[string]vectors.Rows{hash: one}); err != nil {
			t.Fatal(err)
		}
	}
	compares := func() (got map[string][]float32) {
		t.Helper()
		if err := s.View(t.Context(), func(v library.View) error {
			c, err := v.Comparer(t.Context(), "tier")
			if err == nil && c != nil {
				got, err = c(t.Context(), []float32{0.6, 0.8}, nil)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return got
	}
	near := func(x []float32) bool {
		return len(x) == 3 && x[0] > 0.59 && x[0] < 0.61 && x[1] > 0.79 && x[1] < 0.81 && x[2] == 0
	}
	keep("a")
	if got := compares(); !near(got["a"]) {
		t.Errorf("%v", got)
	}
	server.Exec(t, "DROP EXTENSION vector CASCADE")
	if got := compares(); got != nil {
		t.Errorf("without it: %v", got)
	}
	keep("b") // which makes it again; what was there before comes with the next version
	if got := compares(); !near(got["b"]) || got["a"] != nil {
		t.Errorf("with a part of the vectors: %v", got)
	}
	if err := errors.Join(s.Keep(t.Context(), []library.Content{{Hash: "a"}, {Hash: "b"}}, nil),
		s.Publish(t.Context(), library.Version{Name: "v", Put: []library.Document{{URI: "a", Content: "a"}, {URI: "b", Content: "b"}}}, library.Origin{})); err != nil {
		t.Fatal(err)
	}
	if got := compares(); !near(got["a"]) || !near(got["b"]) {
		t.Errorf("again: %v", got)
	}
}

// Collections in the same tables have nothing of one another, whatever is published or deleted in one; their places show
// no password, and what names none is refused.
func TestCollectionsInOneSchema(t *testing.T) {
	url := storetest.Shared(t).URL()
	places := []string{store.LibraryPath(url, "a", "1"), store.LibraryPath(url, "a", "2"), store.LibraryPath(url, "b", "1")}
	for i, place := range places {
		if shown := store.Shown(place); strings.Contains(shown, "pa%3Ass") || !strings.HasSuffix(shown, "#"+store.LibraryName(place)) {
			t.Errorf("shown as %s", shown)
		}
		s := openLibrary(t, place)
		d := library.Document{URI: "same.md", ID: "same", Content: "same", Size: int64(i)}
		err := errors.Join(s.Begin(t.Context(), library.Origin{Collection: store.LibraryName(place)}), s.Keep(t.Context(), []library.Content{{Hash: "same", Text: place}}, nil),
			s.KeepVectors(t.Context(), "tier", map[string]vectors.Rows{"same": {Dims: 1, Data: make([]byte, 5)}}),
			s.Publish(t.Context(), library.Version{Name: "v", Put: []library.Document{d}, Parts: []library.Part{{Name: library.SpacePart, Data: []byte(place)}}}, library.Origin{}))
		if err != nil {
			t.Fatal(err)
		}
	}
	if list, err := store.LibraryPaths(t.Context(), url); err != nil || strings.Join(list, " ") != strings.Join(places, " ") {
		t.Errorf("%v, %v", list, err)
	}
	first := openLibrary(t, places[0])
	if err := first.Publish(t.Context(), library.Version{Name: "w", Gone: []string{"same.md"}, Tiers: []string{"another"}}, library.Origin{}); err != nil {
		t.Fatal(err)
	}
	if err := store.RemoveLibrary(t.Context(), places[1]); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 0, 1} {
		s := openLibrary(t, places[i])
		st, err := s.State(t.Context())
		have, _ := s.Vectored(t.Context(), "tier")
		if err != nil || st.Documents != want || st.Kept != want || len(have) != want {
			t.Errorf("%s: %+v, %d vectors, %v", store.LibraryName(places[i]), st, len(have), err)
		}
		if there, err := store.HasLibrary(t.Context(), places[i]); err != nil || there != (i != 1) {
			t.Errorf("%d is there: %v, %v", i, there, err)
		}
	}
	last := openLibrary(t, places[2])
	if c, err := last.Content(t.Context(), "same"); err != nil || c.Text != places[2] {
		t.Errorf("%v, %v", c, err)
	}
	if err := last.View(t.Context(), func(v library.View) error {
		data, err := v.Part(t.Context(), "", library.SpacePart)
		if string(data) != places[2] {
			t.Errorf("part %q", data)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"", "a", "a-", "a-1'; DROP TABLE library; --", "a-1#b-1", "../a-1"} {
		if s, err := store.OpenLibrary(t.Context(), url+"#"+key); err == nil {
			_ = s.Close()
			t.Errorf("%q is a collection", key)
		}
	}
}
