package library_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// What changes in the files changes in the collection, and nothing else is read again.
func TestFollowsTheFiles(t *testing.T) { onEach(t, followsTheFiles) }

func followsTheFiles(t *testing.T) {
	dir := t.TempDir()
	s := shelf(t, place(t, "guide"))
	write(t, dir, "pools.md", "# Pools\n\nA pool keeps connections open.\n")
	write(t, dir, "deep/retries.txt", "A retry waits twice as long as the one before.\n")
	write(t, dir, "picture.md", "\x00\x01\x02")
	write(t, dir, "empty.md", " \n")
	for _, c := range []struct {
		name                      string
		change                    func()
		added, changed, removed   int
		unchanged, failed, passed int
	}{
		{name: "first", change: func() {}, added: 2, passed: 2},
		{name: "nothing", change: func() {}, unchanged: 2, passed: 2},
		{name: "a file is new, one changes, one goes", change: func() {
			write(t, dir, "new.md", "# New\n\nA cursor moves.\n")
			write(t, dir, "pools.md", "# Pools\n\nA pool keeps twelve connections open.\n")
			_ = os.Remove(filepath.Join(dir, "deep", "retries.txt"))
			_ = os.Remove(filepath.Join(dir, "empty.md"))
		}, added: 1, changed: 1, removed: 1, passed: 2},
		{name: "moved", change: func() {
			_ = os.Rename(filepath.Join(dir, "new.md"), filepath.Join(dir, "deep", "new.md"))
		}, added: 1, removed: 1, unchanged: 1, passed: 2},
		{name: "touched", change: func() {
			now := time.Now().Add(-time.Hour)
			_ = os.Chtimes(filepath.Join(dir, "pools.md"), now, now)
		}, unchanged: 2, passed: 2},
	} {
		c.change()
		r := indexed(t, s, dir)
		got := []int{r.Added, r.Changed, r.Removed, r.Unchanged, len(r.Failed), r.Passages}
		if want := []int{c.added, c.changed, c.removed, c.unchanged, c.failed, c.passed}; !slices.Equal(got, want) {
			t.Errorf("%s: new, changed, removed, unchanged, failed, passages are %v, want %v; %+v", c.name, got, want, r.Failed)
		}
		clean := shelf(t, place(t, "clean"))
		indexed(t, clean, dir)
		if fingerprint(t, s) != fingerprint(t, clean) {
			t.Errorf("%s: the collection is not what a clean build makes", c.name)
		}
	}
}

// A file whose inode says that it is as it was is not read.
func TestUnchangedFilesAreNotRead(t *testing.T) { onEach(t, unchangedFilesAreNotRead) }

func unchangedFilesAreNotRead(t *testing.T) {
	dir := t.TempDir()
	for n := range 40 {
		write(t, dir, fmt.Sprintf("%d.md", n), document(n))
	}
	past := time.Now().Add(-time.Hour)
	_ = filepath.WalkDir(dir, func(p string, _ os.DirEntry, _ error) error { return os.Chtimes(p, past, past) })
	settled(t, dir)
	s := shelf(t, place(t, "guide"))
	reads := 0
	run := func(opt library.Options) {
		x, done, err := indexer(s, dir)
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		var mu sync.Mutex
		reads = 0
		x.Extractors = []extract.Extractor{counting{extract.Trusted()[0], func() { mu.Lock(); reads++; mu.Unlock() }}}
		if _, err := x.Run(t.Context(), opt); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		opt  library.Options
		want int
	}{{"first", library.Options{}, 40}, {"again", library.Options{}, 0}, {"all", library.Options{All: true}, 40},
		{"since yesterday", library.Options{Since: time.Now().Add(-24 * time.Hour)}, 40}, {"since now", library.Options{Since: time.Now()}, 0}} {
		if run(c.opt); reads != c.want {
			t.Errorf("%s: %d files were extracted, want %d", c.name, reads, c.want)
		}
	}
}

// settled waits until the inodes of a directory are old enough to be believed.
func settled(t *testing.T, dir string) {
	t.Helper()
	root, err := sandbox.OpenRoot("docs", dir, sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	files, err := root.ReadDir(t.Context(), ".")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		clocktest.Until(t, "the inode of "+f.Path+" is believed", func() bool {
			_, v, err := root.ReadVersion(t.Context(), f.Path, nil)
			return err == nil && !v.IsZero()
		})
	}
}

// counting is an extractor that says when it works.
type counting struct {
	extract.Extractor
	called func()
}

func (c counting) Extract(ctx context.Context, path string, data []byte) (extract.Text, error) {
	c.called()
	return c.Extractor.Extract(ctx, path, data)
}

// failing is an extractor that cannot read, or panics, until it is mended.
type failing struct {
	extract.Extractor
	mended *bool
}

func (f failing) Extract(ctx context.Context, path string, data []byte) (extract.Text, error) {
	switch {
	case *f.mended:
		return f.Extractor.Extract(ctx, path, data)
	case strings.HasPrefix(path, "panics"):
		panic("a hostile file")
	}
	return extract.Text{}, errors.New("it is a riddle")
}

// What cannot be read is said, does not keep the others back, and is tried again when
// that is asked for.
func TestFailures(t *testing.T) { onEach(t, failures) }

func failures(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "panics.md", "# Trap\n")
	write(t, dir, "riddle.md", "# Riddle\n")
	write(t, dir, "plain.txt", "A plain text.\n")
	s := shelf(t, place(t, "guide"))
	mended := false
	run := func(opt library.Options) library.Report {
		x, done, err := indexer(s, dir)
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		all := extract.Trusted()
		x.Extractors = append([]extract.Extractor{failing{all[0], &mended}}, all[1:]...)
		r, err := x.Run(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := run(library.Options{}); r.Documents != 1 || len(r.Failed) != 2 || !strings.Contains(r.Failed[0].Error, "hostile") {
		t.Errorf("%+v", r)
	}
	mended = true
	if r := run(library.Options{}); r.Documents != 1 || len(r.Failed) != 2 {
		t.Errorf("the same bytes were tried again unasked: %+v", r)
	}
	if jobs, err := s.Jobs(t.Context(), library.Failed, 0); err != nil || len(jobs) != 2 || jobs[0].Stage != library.Extract {
		t.Errorf("jobs %+v, %v", jobs, err)
	}
	if r := run(library.Options{Retry: true}); r.Documents != 3 || len(r.Failed) != 0 {
		t.Errorf("retried: %+v", r)
	}
	if jobs, err := s.Jobs(t.Context(), library.Failed, 0); err != nil || len(jobs) != 0 {
		t.Errorf("jobs %+v, %v", jobs, err)
	}
}

// The stages of a document and of the whole are there once, under their keys.
func TestJobs(t *testing.T) { onEach(t, keepsJobs) }

func keepsJobs(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.md", document(1))
	s := shelf(t, place(t, "guide"))
	for range 3 {
		indexed(t, s, dir)
	}
	jobs, err := s.Jobs(t.Context(), library.Done, 0)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, j := range jobs {
		parts := strings.Split(j.Key, ":")
		if len(parts) != 3 || parts[0] != "guide" || parts[2] != j.Stage {
			t.Errorf("key %s of stage %s", j.Key, j.Stage)
		}
		count[j.Stage]++
	}
	for _, stage := range []string{library.Discover, library.Extract, library.Chunk, library.Embed, library.Upsert} {
		if count[stage] != 1 {
			t.Errorf("%d jobs of stage %s, want 1", count[stage], stage)
		}
	}
}

// A hard link is the file: both names are documents, and what is made of it is kept once
// where the names end alike.
func TestHardLinks(t *testing.T) { onEach(t, hardLinks) }

func hardLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, outside, "a.md", document(1))
	for _, name := range []string{"x/a.md", "y/a.md"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(filepath.Join(outside, "a.md"), path); err != nil {
			t.Skip("no hard links here: ", err)
		}
	}
	s := shelf(t, place(t, "guide"))
	if r := indexed(t, s, dir); r.Documents != 2 || len(r.Failed) > 0 {
		t.Errorf("%+v", r)
	}
	if kept, err := s.Contents(t.Context()); err != nil || len(kept) != 1 {
		t.Errorf("%v %v", kept, err)
	}
}

// Searches find passages whose text stands in the document at their offsets.
func TestSearch(t *testing.T) { onEach(t, finds) }

func finds(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "pools.md", "# Pools\n\n## Size\n\nA pool keeps twelve connections open.\n\n## Errors\n\nWhen the database is away, a retry waits.\n")
	write(t, dir, "more/retries.txt", "A retry waits twice as long as the one before, and gives up after six.\n")
	write(t, dir, "more/other.md", "# Weather\n\nIt rains.\n")
	s := shelf(t, place(t, "guide"))
	l := library.Open(s)
	if _, err := l.Search(t.Context(), library.Query{Text: "retry"}); !errors.Is(err, library.ErrEmpty) {
		t.Errorf("before anything is indexed: %v", err)
	}
	indexed(t, s, dir)
	for _, c := range []struct {
		text, best string
		only       library.Only
	}{
		{"how long does a retry wait", "guide/more/retries.txt", library.Only{}},
		{"number of connections", "guide/pools.md", library.Only{}},
		{"how long does a retry wait", "guide/pools.md", library.Only{Path: "*.md"}},
		{"connections", "", library.Only{Path: "more/**"}},
		{"retry", "guide/more/retries.txt", library.Only{Kind: "text"}},
		{"retry", "guide/pools.md", library.Only{Kind: ".md"}},
		{"retry", "", library.Only{Since: time.Now().Add(time.Hour)}},
		{"zebra quagga", "", library.Only{}},
	} {
		a, err := l.Search(t.Context(), library.Query{Text: c.text, Only: c.only, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		best := ""
		if len(a.Found) > 0 {
			best = a.Found[0].Document.URI
		}
		if c.text == "connections" && best == "guide/more/retries.txt" { // by its letters, with little confidence
			best = ""
		}
		if best != c.best {
			t.Errorf("%q %+v: best is %q, want %q", c.text, c.only, best, c.best)
		}
		for _, f := range a.Found {
			holds(t, dir, f)
		}
	}
}

// holds checks that a passage is in its file, and that its parts add up.
func holds(t *testing.T, dir string, f library.Found) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, strings.TrimPrefix(f.Document.URI, "guide/")))
	if err != nil {
		t.Fatal(err)
	}
	if string(data[f.Start:f.End]) != f.Text {
		t.Errorf("%s: %q is not at %d-%d", f.Passage.ID, f.Text, f.Start, f.End)
	}
	sum := 0.0
	for _, l := range f.Legs {
		sum += l.Score
	}
	if math.Abs(sum-f.Score) > 1e-9 {
		t.Errorf("%s: the legs give %v, the score is %v", f.Passage.ID, sum, f.Score)
	}
}

// LookUp knows documents by all their names, and says when a passage is of the past.
func TestLookUp(t *testing.T) { onEach(t, lookUp) }

func lookUp(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a/b.md", document(3))
	s := shelf(t, place(t, "guide"))
	indexed(t, s, dir)
	l := library.Open(s)
	docs, err := l.Documents(t.Context())
	if err != nil || len(docs) != 1 {
		t.Fatal(docs, err)
	}
	a, err := l.Search(t.Context(), library.Query{Text: "document part"})
	if err != nil || len(a.Found) == 0 {
		t.Fatal(a, err)
	}
	passage := a.Found[0]
	for _, name := range []string{docs[0].ID, docs[0].URI, "a/b.md", "./a/b.md", passage.Passage.ID} {
		at, err := l.LookUp(t.Context(), name)
		if err != nil || at.Text != document(3) {
			t.Errorf("%s: %v", name, err)
		}
		if isPassage := name == passage.Passage.ID; isPassage != (at.Passage != nil) || isPassage && at.Passage.Text != passage.Text {
			t.Errorf("%s: passage %+v", name, at.Passage)
		}
	}
	for _, name := range []string{"", "b.md", "../a/b.md/x", "0123456789", "0123456789-0123-0", passage.Document.ID + "-zzzz-0", passage.Passage.ID + "99"} {
		if _, err := l.LookUp(t.Context(), name); !errors.Is(err, library.ErrUnknown) {
			t.Errorf("%q: %v", name, err)
		}
	}
	write(t, dir, "a/b.md", document(4))
	indexed(t, s, dir)
	if at, err := l.LookUp(t.Context(), passage.Passage.ID); err != nil || !at.Changed || at.Text != document(4) {
		t.Errorf("an old passage: %+v, %v", at.Changed, err)
	}
}

// Readers see one version or the next, and none between.
func TestReadersWhileIndexing(t *testing.T) { onEach(t, readersWhileIndexing) }

func readersWhileIndexing(t *testing.T) {
	dir, path := t.TempDir(), place(t, "guide")
	for n := range 60 {
		write(t, dir, fmt.Sprintf("%d.md", n), fmt.Sprintf("# Edition 0\n\nzero edition %d\n", n))
	}
	s := shelf(t, path)
	indexed(t, s, dir)
	reader := library.Open(shelf(t, path))
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	searches := 0
	wg.Go(func() {
		for ctx.Err() == nil {
			a, err := reader.Search(t.Context(), library.Query{Text: "edition", Limit: 60})
			if err != nil {
				t.Error(err)
				return
			}
			titles := map[string]bool{}
			for _, f := range a.Found {
				titles[f.Document.Title] = true
			}
			if len(a.Found) != 60 || len(titles) != 1 {
				t.Errorf("%d passages of %v", len(a.Found), titles)
				return
			}
			searches++
		}
	})
	for edition := range 4 {
		for n := range 60 {
			write(t, dir, fmt.Sprintf("%d.md", n), fmt.Sprintf("# Edition %d\n\nanother edition %d\n", edition+1, n))
		}
		indexed(t, s, dir)
	}
	stop()
	wg.Wait()
	if searches == 0 {
		t.Error("nobody searched")
	}
}

// A directory that is gone, or was put aside, does not empty the index.
func TestRootIsGone(t *testing.T) { onEach(t, rootIsGone) }

func rootIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "docs")
	write(t, dir, "a.md", document(1))
	s := shelf(t, place(t, "guide"))
	indexed(t, s, dir)
	x, done, err := indexer(s, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if r, err := x.Run(t.Context(), library.Options{}); err == nil && r.Removed > 0 {
		t.Errorf("%+v", r)
	}
	if st, err := s.State(t.Context()); err != nil || st.Documents != 1 {
		t.Errorf("%+v, %v", st, err)
	}
}

// A run that is cancelled changes nothing that is published, and says so.
func TestCancelled(t *testing.T) { onEach(t, cancelled) }

func cancelled(t *testing.T) {
	dir := t.TempDir()
	for n := range 50 {
		write(t, dir, fmt.Sprintf("%d.md", n), document(n))
	}
	s := shelf(t, place(t, "guide"))
	for _, after := range []int{1, 10, 49, 55} {
		ctx, cancel := context.WithCancel(t.Context())
		x, done, err := indexer(s, dir)
		if err != nil {
			t.Fatal(err)
		}
		steps := 0
		x.Progress = func(library.Step) {
			if steps++; steps == after {
				cancel()
			}
		}
		if _, err := x.Run(ctx, library.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d steps: %v", after, err)
		}
		done()
		cancel()
		if st, err := s.State(t.Context()); err != nil || st.Version != "" || st.Running {
			t.Errorf("after %d steps: %+v, %v", after, st, err)
		}
	}
}
