package library_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// After any edits a collection is what a clean build makes of the files, and it has few
// segments however often it has grown.
func TestACollectionThatGrewIsTheOneOfACleanBuild(t *testing.T) {
	onEach(t, aCollectionThatGrewIsTheOneOfACleanBuild)
}

func aCollectionThatGrewIsTheOneOfACleanBuild(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, seed))
	dir, files := t.TempDir(), map[string]bool{}
	s := shelf(t, place(t, "guide"))
	reader := library.Open(s) // takes over what it has in memory
	most, steps := 0, 60
	if brief(t) || testing.Short() {
		steps = 13
	}
	for step := range steps {
		for range 1 + r.IntN(3) {
			name := fmt.Sprintf("d%d/%d.md", r.IntN(4), r.IntN(60))
			if files[name] && r.IntN(3) == 0 {
				delete(files, name)
				_ = os.Remove(filepath.Join(dir, name))
				continue
			}
			files[name] = true
			write(t, dir, name, document(r.IntN(1<<30)))
		}
		if _, err := index(t.Context(), s, dir, library.Options{}, littleMemory); err != nil {
			t.Fatal(err)
		}
		list := segments(t, s)
		most = max(most, len(list))
		for _, x := range list {
			if x.Live == 0 || 2*x.Live < x.Passages {
				t.Errorf("step %d: segment %s has %d passages, of them %d live", step, x.Name, x.Passages, x.Live)
			}
		}
		got, err := reader.Digest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got != fingerprint(t, s) {
			t.Fatalf("step %d: a reader that goes along has another index", step)
		}
		if step%6 > 0 && step < steps-5 {
			continue
		}
		clean := shelf(t, place(t, "clean"))
		indexed(t, clean, dir)
		if fingerprint(t, clean) != got {
			t.Fatalf("step %d: the collection is not what a clean build makes", step)
		}
		sameFound(t, step, reader, library.Open(clean))
	}
	if most < 2 || most > 16 {
		t.Errorf("%d segments at most", most)
	}
}

// sameFound holds what two libraries find against each other, with all its figures.
func sameFound(t *testing.T, step int, a, b *library.Library) {
	t.Helper()
	for _, text := range []string{"pool connection retry", "snapshot of the root ledger", "weigt scor"} {
		q := library.Query{Text: text, Limit: 20, Explain: true}
		x, err := a.Search(t.Context(), q)
		y, err2 := b.Search(t.Context(), q)
		if err != nil || err2 != nil || len(x.Found) != len(y.Found) || len(x.Found) == 0 {
			t.Fatal(step, text, len(x.Found), len(y.Found), err, err2)
		}
		for i := range x.Found {
			if x.Found[i].Passage.ID != y.Found[i].Passage.ID || fmt.Sprint(x.Found[i].Legs) != fmt.Sprint(y.Found[i].Legs) {
				t.Fatalf("step %d: %q finds %s with %v, in a clean build %s with %v", step, text, x.Found[i].Passage.ID, x.Found[i].Legs, y.Found[i].Passage.ID, y.Found[i].Legs)
			}
		}
	}
}

// A file that changes in a large collection costs a small segment: what is written
// besides is not built again, and the space is learnt again only after many changes.
func TestAChangeBuildsNoMoreThanItself(t *testing.T) { onEach(t, aChangeBuildsNoMoreThanItself) }

func aChangeBuildsNoMoreThanItself(t *testing.T) {
	dir := t.TempDir()
	for n := range 400 {
		write(t, dir, fmt.Sprintf("%d.md", n), document(n))
	}
	s := shelf(t, place(t, "guide"))
	if r := indexed(t, s, dir); r.Passages <= 1000 {
		t.Fatalf("%d passages are too few", r.Passages)
	}
	state := func() library.State {
		st, err := s.State(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	before := state()
	var built []int
	counts := func(x *library.Indexer) {
		x.Progress = func(s library.Step) {
			if s.Stage == library.Embed {
				built = append(built, s.Done)
			}
		}
	}
	write(t, dir, "7.md", document(1007))
	if _, err := index(t.Context(), s, dir, library.Options{}, counts); err != nil {
		t.Fatal(err)
	}
	after := state()
	if len(built) != 1 || len(after.Segments) != len(before.Segments)+1 || !after.Space.Learnt.Equal(before.Space.Learnt) || after.Space.Changed == 0 {
		t.Errorf("%d groups were built, %d segments of %d, %+v and before %+v", len(built), len(after.Segments), len(before.Segments), after.Space, before.Space)
	}
	for n := range 60 {
		write(t, dir, fmt.Sprintf("%d.md", n), document(2000+n))
	}
	indexed(t, s, dir)
	if st := state(); st.Space.Learnt.Equal(before.Space.Learnt) || st.Space.Changed != 0 {
		t.Errorf("a fifth has changed, and nothing was learnt: %+v", st.Space)
	}
}

// Documents of many unlike words are indexed in segments of a bounded size.
func TestMemoryHasABound(t *testing.T) { onEach(t, memoryHasABound) }

func memoryHasABound(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	dir := t.TempDir()
	for n := range 12 {
		var b strings.Builder
		fmt.Fprintf(&b, "# Words %d\n\n", n)
		for k := range 4000 {
			fmt.Fprintf(&b, "w%dx%d ", n, k)
		}
		write(t, dir, fmt.Sprintf("%d.md", n), b.String())
	}
	s := shelf(t, place(t, "guide"))
	kept := &keeping{Shelf: s}
	r, err := index(t.Context(), kept, dir, library.Options{}, littleMemory)
	if err != nil {
		t.Fatal(err)
	}
	if kept.segments < 4 || kept.largest > 4<<20 {
		t.Errorf("%d segments were written, the largest of %d bytes", kept.segments, kept.largest)
	}
	clean := shelf(t, place(t, "clean"))
	if indexed(t, clean, dir); fingerprint(t, s) != fingerprint(t, clean) || r.Documents != 12 {
		t.Error("it is not what one segment would have")
	}
}

// keeping counts the segments that are written before a version is published.
type keeping struct {
	library.Shelf
	segments, largest int
}

func (k *keeping) KeepSegment(ctx context.Context, s library.Segment, parts []library.Part) error {
	k.segments++
	k.largest = max(k.largest, int(s.Bytes))
	return k.Shelf.KeepSegment(ctx, s, parts)
}

// A run finds damage to any part of the index, and makes what is damaged again although
// no document has changed.
func TestARunHealsTheIndex(t *testing.T) { onEach(t, aRunHealsTheIndex) }

func aRunHealsTheIndex(t *testing.T) {
	dir := t.TempDir()
	for n := range 30 {
		write(t, dir, fmt.Sprintf("%d.md", n), document(n))
	}
	for _, damage := range []string{
		"UPDATE library_parts SET data = substr(data, 1, length(data) / 2) WHERE part = 'words'",
		"UPDATE library_parts SET data = zeroblob(length(data)) WHERE part = 'grams'",
		"DELETE FROM library_parts WHERE part = 'vectors'",
		"UPDATE library_parts SET data = x'00' WHERE part = 'space'",
		"UPDATE library_segments SET groups = x'636d'",
		"UPDATE library_segments SET live = 1",
		"DELETE FROM library_segments",
		"DELETE FROM library_parts",
		"DELETE FROM library_space",
	} {
		path := place(t, "guide")
		s := shelf(t, path)
		indexed(t, s, dir)
		want := fingerprint(t, s)
		write(t, dir, "7.md", document(1007))
		indexed(t, s, dir)
		write(t, dir, "7.md", document(7))
		indexed(t, s, dir)
		change(t, path, damage)
		if r := indexed(t, s, dir); !r.Published || r.Changed != 0 {
			t.Errorf("%s: %+v", damage, r)
		}
		if got := fingerprint(t, s); got != want {
			t.Errorf("%s: it is another", damage)
		}
		if r := indexed(t, s, dir); r.Published {
			t.Errorf("%s: it is made again and again", damage)
		}
	}
}

// The next run takes over the segments that one has written which did not get to its end.
func TestSegmentsOfAStoppedRunAreTakenOver(t *testing.T) {
	onEach(t, segmentsOfAStoppedRunAreTakenOver)
}

func segmentsOfAStoppedRunAreTakenOver(t *testing.T) {
	dir := t.TempDir()
	for n := range 200 {
		write(t, dir, fmt.Sprintf("%d.md", n), document(n))
	}
	s := shelf(t, place(t, "guide"))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	k := &stopping{Shelf: s, after: 2, stop: stop}
	if _, err := index(ctx, k, dir, library.Options{}, func(x *library.Indexer) { x.Memory = 1 << 18 }); err == nil {
		t.Fatal("it was not stopped")
	}
	was := segments(t, s)
	if len(was) < 2 || slices.ContainsFunc(was, func(x library.Segment) bool { return x.Live > 0 }) {
		t.Fatalf("%d segments are kept", len(was))
	}
	first := 0
	if _, err := index(t.Context(), s, dir, library.Options{}, func(x *library.Indexer) {
		x.Progress = func(s library.Step) {
			if s.Stage == library.Embed && first == 0 {
				first = s.Done
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, x := range was {
		sum += x.Passages
	}
	if first <= sum {
		t.Errorf("passage %d is built again, %d were there", first, sum)
	}
	clean := shelf(t, place(t, "clean"))
	if indexed(t, clean, dir); fingerprint(t, s) != fingerprint(t, clean) {
		t.Error("it is not what a clean build makes")
	}
}

// stopping ends a run after some segments.
type stopping struct {
	library.Shelf
	after int
	stop  func()
}

func (s *stopping) KeepSegment(ctx context.Context, x library.Segment, parts []library.Part) error {
	err := s.Shelf.KeepSegment(ctx, x, parts)
	if s.after--; s.after == 0 {
		s.stop()
	}
	return err
}

// change changes a collection behind its back.
func change(t testing.TB, path, statement string) {
	t.Helper()
	driver := "sqlite"
	if store.OnServer(path) {
		driver, path = "pgx", path[:strings.Index(path, "#")]
		statement = strings.NewReplacer("zeroblob(length(data))", `decode(repeat('00', length(data)), 'hex')`, "x'", `'\x`).Replace(statement)
	}
	db, err := sql.Open(driver, path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// A run that makes everything again makes the segments that the version has, under the
// same names. While it runs, and where it ends early, the version is found as it was.
func TestMakingASegmentAgainLeavesTheVersionWhole(t *testing.T) {
	onEach(t, makingASegmentAgainLeavesTheVersionWhole)
}

func makingASegmentAgainLeavesTheVersionWhole(t *testing.T) {
	dir := t.TempDir()
	for n := range 200 {
		write(t, dir, fmt.Sprintf("%d.md", n), document(n))
	}
	little := func(x *library.Indexer) { x.Memory = 1 << 18 }
	s := shelf(t, place(t, "guide"))
	if _, err := index(t.Context(), s, dir, library.Options{}, little); err != nil {
		t.Fatal(err)
	}
	want := fingerprint(t, s)
	c := &crashing{Shelf: s, stop: "after a segment", left: 2}
	if _, err := index(t.Context(), c, dir, library.Options{All: true}, little); !errors.Is(err, errCrashed) {
		t.Fatal(err)
	}
	if got := fingerprint(t, s); got != want {
		t.Errorf("the version is %s, and was %s", got, want)
	}
	if _, err := index(t.Context(), s, dir, library.Options{}, little); err != nil {
		t.Fatal(err)
	}
	if got := fingerprint(t, s); got != want {
		t.Errorf("after the next run it is %s, and was %s", got, want)
	}
}
