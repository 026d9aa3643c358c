package store_test

import (
	"errors"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// One process follows a collection; who indexes it once is not kept from that, and when the
// first ends another takes over.
func TestOneFollowsACollection(t *testing.T) { onEach(t, oneFollowsACollection) }

func oneFollowsACollection(t *testing.T, fresh string) {
	guide, other := store.LibraryPath(fresh, "guide", "ab12"), store.LibraryPath(fresh, "other", "ab12")
	release, err := store.WatchLibrary(t.Context(), guide)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.WatchLibrary(t.Context(), guide); !errors.Is(err, library.ErrOwned) {
		t.Errorf("a second one: %v", err)
	}
	if end, err := store.WatchLibrary(t.Context(), other); err != nil {
		t.Errorf("of another collection: %v", err)
	} else {
		end()
	}
	shelf, err := store.OpenLibrary(t.Context(), guide)
	if err != nil {
		t.Fatal(err)
	}
	defer shelf.Close()
	end, err := shelf.Own(t.Context())
	if err != nil {
		t.Fatalf("to index it: %v", err)
	}
	shelf.Tell(library.Step{Stage: library.Chunk, Done: 1, Total: 2})
	if st, err := shelf.State(t.Context()); err != nil || !st.Running || st.Process == 0 {
		t.Errorf("%+v, %v", st, err)
	}
	end()
	release()
	release, err = store.WatchLibrary(t.Context(), guide)
	if err != nil {
		t.Fatalf("after the first: %v", err)
	}
	release()
}
