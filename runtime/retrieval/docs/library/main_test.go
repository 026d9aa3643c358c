package library_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// helper says that a copy of the test program indexes instead of testing; its arguments
// are the place of the collection and the directory.
const helper = "LIBRARY_TEST_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helper) == "" {
		code := m.Run()
		storetest.End()
		os.Exit(code)
	}
	shelf, err := store.OpenLibrary(context.Background(), os.Args[1])
	if err == nil {
		_, err = index(context.Background(), telling{shelf}, os.Args[2], library.Options{}, littleMemory)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// telling is a shelf that says what has reached the disk.
type telling struct{ library.Shelf }

func (s telling) Begin(ctx context.Context, o library.Origin) error {
	fmt.Println("began")
	return s.Shelf.Begin(ctx, o)
}

func (s telling) Keep(ctx context.Context, contents []library.Content, jobs []library.Job) error {
	err := s.Shelf.Keep(ctx, contents, jobs)
	if err == nil {
		fmt.Println("kept", len(contents))
	}
	return err
}

func (s telling) KeepSegment(ctx context.Context, x library.Segment, parts []library.Part) error {
	err := s.Shelf.KeepSegment(ctx, x, parts)
	if err == nil {
		fmt.Println("segment", x.Name)
	}
	return err
}

func (s telling) Publish(ctx context.Context, v library.Version, o library.Origin) error {
	fmt.Println("publishing", v.Name)
	err := s.Shelf.Publish(ctx, v, o)
	if err == nil {
		fmt.Println("published", v.Name)
	}
	return err
}

// littleMemory lets an indexer write many segments.
func littleMemory(x *library.Indexer) { x.Memory = 2 << 20 }

// index brings a shelf up to date with a directory.
func index(ctx context.Context, shelf library.Shelf, dir string, opt library.Options, with ...func(*library.Indexer)) (library.Report, error) {
	x, done, err := indexer(shelf, dir)
	if err != nil {
		return library.Report{}, err
	}
	defer done()
	for _, set := range with {
		set(x)
	}
	return x.Run(ctx, opt)
}

func indexer(shelf library.Shelf, dir string) (*library.Indexer, func(), error) {
	root, err := sandbox.OpenRoot("docs", dir, sandbox.Options{})
	if err != nil {
		return nil, nil, err
	}
	x := &library.Indexer{Shelf: shelf, Collection: "guide", Roots: []library.Root{{Root: root, Prefix: "guide"}},
		Policy: chunk.Policy{Least: 40, Most: 80, Overlap: 10}, Extractors: extract.Trusted(), Now: time.Now,
		Origin: library.Origin{Collection: "guide", Directories: []string{dir}}}
	return x, func() { root.Close() }, nil
}

// onEach runs a test on each kind of database.
func onEach(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Run("sqlite", test)
	t.Run("postgres", func(t *testing.T) {
		// The server stays: what these tests kill is its clients. So no commit need reach the disk.
		schema := storetest.Shared(t).URL() + "&synchronous_commit=off"
		t.Cleanup(func() { schemas.Delete(t.Name()) })
		schemas.Store(t.Name(), schema)
		test(t)
	})
}

// brief reports whether a test takes a shorter form here: each write to a server is several
// waits for it. COMPACTOR_TEST_POSTGRES=1 and COMPACTOR_LONG=1 have all of it.
func brief(t testing.TB) bool {
	return strings.HasSuffix(t.Name(), "/postgres") && os.Getenv("COMPACTOR_TEST_POSTGRES") == "" && os.Getenv("COMPACTOR_LONG") == ""
}

// schemas are where the collections of a test are kept on a server, all in the same
// tables; none for files.
var (
	schemas sync.Map
	places  atomic.Int64
)

// place is that of a collection which is not there yet.
func place(t testing.TB, name string) string {
	t.Helper()
	for at := t.Name(); at != ""; at = at[:max(0, strings.LastIndex(at, "/"))] {
		if url, onServer := schemas.Load(at); onServer {
			return store.LibraryPath(url.(string), name, fmt.Sprintf("%x", places.Add(1)))
		}
	}
	return filepath.Join(t.TempDir(), name+".db")
}

// shelf opens a collection until the test ends.
func shelf(t testing.TB, path string) library.Shelf {
	t.Helper()
	s, err := store.OpenLibrary(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// indexed is the report of a run that must not fail.
func indexed(t testing.TB, s library.Shelf, dir string) library.Report {
	t.Helper()
	r, err := index(t.Context(), s, dir, library.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// fingerprint names all that a version has. It fails where the version is not whole.
func fingerprint(t testing.TB, s library.Shelf) string {
	t.Helper()
	err := s.View(t.Context(), func(v library.View) error {
		docs, err := v.Documents(t.Context())
		seen := map[string]bool{}
		for _, d := range docs {
			if seen[d.URI] {
				t.Errorf("%s is there twice", d.URI)
			}
			seen[d.URI] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := library.Open(s).Digest(t.Context())
	if errors.Is(err, library.ErrEmpty) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// write makes a file below a directory, and the directories above it.
func write(t testing.TB, dir, path, text string) {
	t.Helper()
	path = filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// vocabulary is what documents are written of.
var vocabulary = strings.Fields(`pool connection retry timeout snapshot reload root ledger budget token index passage heading
	paragraph cursor window buffer journal commit lock reader writer version digest filter weight score query answer`)

// document is a text of some sections, the same for the same number.
func document(n int) string {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	var b strings.Builder
	fmt.Fprintf(&b, "# Document %d\n\n", n)
	for s := range 1 + r.IntN(4) {
		fmt.Fprintf(&b, "## Part %d of %s\n\n", s, vocabulary[r.IntN(len(vocabulary))])
		for range 1 + r.IntN(4) {
			for range 8 + r.IntN(20) {
				b.WriteString(vocabulary[r.IntN(len(vocabulary))] + " ")
			}
			b.WriteString("ends here.\n\n")
		}
	}
	return b.String()
}
