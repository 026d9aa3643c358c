package library_test

import (
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// How far a run is, anybody can ask who has the file open; and who asks keeps nobody from
// beginning one.
func TestStateTellsHowFarARunIs(t *testing.T) {
	dir, path := t.TempDir(), t.TempDir()+"/c.db"
	write(t, dir, "a.md", "# A\n\nOne.\n")
	write(t, dir, "b.md", "# B\n\nTwo.\n")
	s, other := shelf(t, path), shelf(t, path)
	seen := map[string]library.Step{}
	var counted []library.Count
	r, err := index(t.Context(), s, dir, library.Options{}, func(x *library.Indexer) {
		x.Progress = func(step library.Step) {
			st, err := other.State(t.Context())
			if err != nil || !st.Running || st.Process == 0 || st.Step == nil {
				t.Errorf("%+v: %+v, %v", step, st, err)
				return
			}
			seen[st.Step.Stage] = *st.Step
			counted = st.Jobs
		}
	})
	if err != nil || r.Documents != 2 {
		t.Fatal(r, err)
	}
	for _, stage := range []string{library.Discover, library.Extract, library.Embed, library.Upsert} {
		if _, told := seen[stage]; !told {
			t.Errorf("%s is not told: %v", stage, seen)
		}
	}
	if len(counted) == 0 {
		t.Error("no job is counted")
	}
	if st, err := other.State(t.Context()); err != nil || st.Running || st.Step != nil || st.Process != 0 {
		t.Errorf("after it: %+v, %v", st, err)
	}

	var asking sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		asking.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					if _, err := other.State(t.Context()); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	for range 20 {
		if release, err := s.Own(t.Context()); err != nil {
			t.Errorf("who asks keeps it from its owner: %v", err)
		} else {
			release()
		}
	}
	close(stop)
	asking.Wait()
}
