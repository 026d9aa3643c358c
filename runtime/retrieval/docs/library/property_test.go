package library_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	search "github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// Whatever is added, changed, renamed and deleted, wherever runs stop on the way and
// however little memory they have, the collection has the content hash of a clean build
// and finds the same passages in the same order with the same scores. Above a thousand
// passages the space is not learnt with each change, so there the legs are held to it
// that do not learn, and all legs after a run that makes everything again.
// COMPACTOR_LONG=1 tries more of them; COMPACTOR_SEED begins elsewhere.
func TestAnyHistoryIsTheOneOfACleanBuild(t *testing.T) { onEach(t, anyHistoryIsTheOneOfACleanBuild) }

func anyHistoryIsTheOneOfACleanBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	seed, rounds := uint64(1), 2
	if brief(t) {
		rounds = 1
	}
	if os.Getenv("COMPACTOR_LONG") != "" {
		rounds = 40
	}
	if n, err := strconv.ParseUint(os.Getenv("COMPACTOR_SEED"), 10, 64); err == nil {
		seed = n
	}
	stopped, compared := map[string]int{}, 0
	for round := range rounds {
		h := &history{T: t, r: rand.New(rand.NewPCG(seed, uint64(round))), dir: t.TempDir(), path: place(t, "guide"), stopped: stopped}
		if round%2 == 1 {
			h.fill(320) // more than a thousand passages
		}
		h.name = fmt.Sprintf("seed %d, round %d", seed, round)
		for range 12 {
			h.edit()
			for h.r.IntN(3) > 0 {
				h.crash()
				if h.r.IntN(4) == 0 {
					h.edit()
				}
			}
			if h.r.IntN(3) == 0 {
				h.compare(library.Options{})
				compared++
			}
		}
		for _, at := range stops { // a run stops there when it has something new to write
			h.put(fmt.Sprintf("last/%d.md", len(h.files)))
			h.crashAt(at, 0)
		}
		h.compare(library.Options{All: true})
		compared++
	}
	for _, at := range stops {
		if stopped[at] == 0 {
			t.Errorf("no run was stopped %s", at)
		}
	}
	t.Logf("%d comparisons; runs were stopped %v", compared, stopped)
}

// history is what happens to a directory and its collection.
type history struct {
	*testing.T
	r         *rand.Rand
	name      string
	dir, path string
	files     []string
	stopped   map[string]int
}

func (h *history) fill(n int) {
	for i := range n {
		h.put(fmt.Sprintf("d%d/%d.md", i%7, i))
	}
}

func (h *history) put(name string) {
	write(h, h.dir, name, document(h.r.IntN(1<<30)))
	if !slices.Contains(h.files, name) {
		h.files = append(h.files, name)
	}
}

// edit changes some files in one of the ways in which people do.
func (h *history) edit() {
	for range 1 + h.r.IntN(6) {
		if len(h.files) == 0 {
			h.put("first.md")
			continue
		}
		i := h.r.IntN(len(h.files))
		at := filepath.Join(h.dir, h.files[i])
		switch h.r.IntN(7) {
		case 0, 1:
			h.put(fmt.Sprintf("d%d/%d.md", h.r.IntN(7), h.r.IntN(400)))
		case 2:
			h.put(h.files[i])
		case 3:
			h.must(os.Remove(at))
			h.files = slices.Delete(h.files, i, i+1)
		case 4: // the same text at another address
			to := fmt.Sprintf("moved/%d.md", h.r.IntN(1000))
			if !slices.Contains(h.files, to) {
				h.must(errors.Join(os.MkdirAll(filepath.Join(h.dir, "moved"), 0o755), os.Rename(at, filepath.Join(h.dir, to))))
				h.files[i] = to
			}
		case 5: // the same text at two addresses
			text, err := os.ReadFile(at)
			h.must(err)
			to := fmt.Sprintf("copy/%d.md", h.r.IntN(1000))
			write(h, h.dir, to, string(text))
			if !slices.Contains(h.files, to) {
				h.files = append(h.files, to)
			}
		case 6: // the same text, at another time
			then := time.Unix(1_700_000_000+h.r.Int64N(1<<20), 0)
			h.must(os.Chtimes(at, then, then))
		}
	}
}

func (h *history) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(h.name, err)
	}
}

// crash lets a run end at any of its writes, if it has that many.
func (h *history) crash() {
	h.crashAt(stops[h.r.IntN(len(stops))], h.r.IntN(2))
}

// crashAt lets a run end at one of its writes, before it or after, once left of its kind
// are made, and leaves the file to the next process as it is.
func (h *history) crashAt(stop string, left int) {
	s := shelf(h, h.path)
	defer s.Close()
	c := &crashing{Shelf: s, stop: stop, left: left}
	all, memory := h.r.IntN(8) == 0, h.memory
	if strings.HasSuffix(c.stop, "a segment") { // which are written early by runs with little memory
		all, memory = h.r.IntN(2) == 0, func(x *library.Indexer) { x.Memory = 1 << 14 }
	}
	_, err := index(h.Context(), c, h.dir, library.Options{All: all}, memory)
	if c.stopped != errors.Is(err, errCrashed) || !c.stopped && err != nil {
		h.Fatalf("%s: a run that was to stop %s says %v", h.name, c.stop, err)
	}
	if c.stopped {
		h.stopped[c.stop]++
	}
	fingerprint(h, s) // what is published is whole
}

// memory bounds that of a run at random, so that segments are of all sizes.
func (h *history) memory(x *library.Indexer) { x.Memory = 1 << (16 + h.r.IntN(10)) }

// compare holds the collection against a clean build.
func (h *history) compare(opt library.Options) {
	h.Helper()
	s, clean := shelf(h, h.path), shelf(h, place(h, "clean"))
	defer s.Close()
	defer clean.Close()
	_, err := index(h.Context(), s, h.dir, opt, h.memory)
	h.must(err)
	report := indexed(h, clean, h.dir)
	if got, want := fingerprint(h, s), fingerprint(h, clean); got != want {
		h.Fatalf("%s: the collection is %s, a clean build %s", h.name, got, want)
	}
	have, _ := s.Contents(h.Context())
	want, _ := clean.Contents(h.Context())
	if len(have) != len(want) {
		h.Errorf("%s: %d contents are kept, %d by a clean build", h.name, len(have), len(want))
	}
	legs := []search.Weights{{search.LegBM25: 1}, {search.LegNGram: 1}, {search.LegBM25: 0.5, search.LegNGram: 0.5}}
	if report.Passages <= 1000 || opt.All {
		legs = append(legs, nil, search.Weights{search.LegLSI: 1})
	}
	a, b := library.Open(s), library.Open(clean)
	for _, w := range legs {
		for range 4 {
			var text []string
			for range 1 + h.r.IntN(5) {
				text = append(text, vocabulary[h.r.IntN(len(vocabulary))])
			}
			q := library.Query{Text: strings.Join(text, " "), Limit: 30, Weights: w, Explain: true}
			if x, y := found(h, a, q), found(h, b, q); x != y {
				h.Fatalf("%s: %q with %v finds\n%s, in a clean build\n%s", h.name, q.Text, w, x, y)
			} else if x == "" && report.Documents > 10 {
				h.Errorf("%s: %q with %v finds nothing", h.name, q.Text, w)
			}
		}
	}
}

// found is what a library finds, in order, with all figures.
func found(t testing.TB, l *library.Library, q library.Query) string {
	t.Helper()
	a, err := l.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range a.Found {
		fmt.Fprintln(&b, f.ID, f.Score, f.Legs, f.Text)
	}
	return b.String()
}

var errCrashed = errors.New("the run ends here")

// stops are where a run may end.
var stops = []string{"before contents", "after contents", "before a segment", "after a segment", "before a version", "after a version"}

// crashing is a shelf whose owner ends at one of its writes.
type crashing struct {
	library.Shelf
	stop    string
	left    int // writes of that kind until then
	stopped bool
}

func (c *crashing) do(what string, write func() error) error {
	if c.stopped {
		return errCrashed
	}
	if when, kind, _ := strings.Cut(c.stop, " "); kind != what {
		return write()
	} else if c.left--; c.left >= 0 {
		return write()
	} else if c.stopped = true; when == "before" {
		return errCrashed
	}
	return errors.Join(write(), errCrashed)
}

func (c *crashing) Keep(ctx context.Context, contents []library.Content, jobs []library.Job) error {
	return c.do("contents", func() error { return c.Shelf.Keep(ctx, contents, jobs) })
}

func (c *crashing) KeepSegment(ctx context.Context, s library.Segment, parts []library.Part) error {
	return c.do("a segment", func() error { return c.Shelf.KeepSegment(ctx, s, parts) })
}

func (c *crashing) Publish(ctx context.Context, v library.Version, o library.Origin) error {
	return c.do("a version", func() error { return c.Shelf.Publish(ctx, v, o) })
}
