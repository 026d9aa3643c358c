package library_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// A run that is killed at any moment loses nothing that it has kept, leaves the version
// before whole, and the runs after it come to what a clean build comes to. Files change
// between the runs. COMPACTOR_LONG=1 is the long form; with COMPACTOR_KILLS and
// COMPACTOR_SEED it is run in pieces, each with a seed of its own.
func TestKilledWhileIndexing(t *testing.T) { onEach(t, killedWhileIndexing) }

func killedWhileIndexing(t *testing.T) {
	kills, files, seed := 24, 300, uint64(11)
	if brief(t) || testing.Short() {
		kills = 6
	}
	if os.Getenv("COMPACTOR_LONG") != "" {
		kills, files = 1000, 5000
	}
	if n, err := strconv.Atoi(os.Getenv("COMPACTOR_KILLS")); err == nil {
		kills = n
	}
	if n, err := strconv.ParseUint(os.Getenv("COMPACTOR_SEED"), 10, 64); err == nil {
		seed = n
	}
	dir, path := t.TempDir(), place(t, "guide")
	for n := range files {
		write(t, dir, fmt.Sprintf("d%d/%d.md", n%20, n), document(n))
	}
	start := time.Now()
	indexed(t, shelf(t, place(t, "measure")), dir)
	whole := time.Since(start)

	r := rand.New(rand.NewPCG(seed, seed))
	stages := map[string]int{}
	restart := time.Duration(0)
	for kill := range kills {
		if kill > 0 && kill%4 == 0 { // a change for the next runs to see, of many files or of a few
			rare := []int{3, 100}[r.IntN(2)]
			for n := range files {
				if r.IntN(rare) == 0 {
					write(t, dir, fmt.Sprintf("d%d/%d.md", n%20, n), document(r.IntN(1<<30)))
				}
			}
			_ = os.Remove(filepath.Join(dir, fmt.Sprintf("d%d/%d.md", kill%20, kill)))
		}
		before := version(t, path)
		// By the clock, or a moment after a line: writes are short beside the rest.
		wait, lines := time.Duration(r.Int64N(int64(whole)+int64(30*time.Millisecond))), 1<<30
		if kill%2 == 1 {
			wait, lines = time.Duration(r.Int64N(int64(5*time.Millisecond))), r.IntN(6)
		}
		kept, last, first := killed(t, path, dir, lines, wait)
		restart = max(restart, first)
		stages[strings.Fields(last + " none")[0]]++
		s := shelf(t, path)
		have, err := s.Contents(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(last, "publish") && len(have) < kept {
			t.Fatalf("kill %d: %d contents were kept, %d are there", kill, kept, len(have))
		}
		after := version(t, path)
		switch name, done := strings.CutPrefix(last, "published "); {
		case done && after != name:
			t.Fatalf("kill %d: version %s was published, %s is there", kill, name, after)
		case !strings.HasPrefix(last, "publish") && after != before:
			t.Fatalf("kill %d: version %s came from nowhere", kill, after)
		}
		if after != before || kill%10 == 0 {
			fingerprint(t, s)
		}
		s.Close()
	}
	s := shelf(t, path)
	report := indexed(t, s, dir)
	clean := shelf(t, place(t, "clean"))
	indexed(t, clean, dir)
	if got, want := fingerprint(t, s), fingerprint(t, clean); got != want {
		t.Errorf("after %d kills the collection is %s, a clean build %s", kills, got, want)
	}
	have, _ := s.Contents(t.Context())
	want, _ := clean.Contents(t.Context())
	if len(have) != len(want) {
		t.Errorf("%d contents are kept, %d by a clean build", len(have), len(want))
	}
	for _, seg := range segments(t, s) {
		if seg.Live == 0 {
			t.Errorf("segment %s is kept, and no version has it", seg.Name)
		}
	}
	s.Close()
	nothingLeft(t, path)
	usual := time.Duration(0) // as long as a start takes where nothing was killed
	for range 5 {
		_, _, first := killed(t, path, dir, 0, 0)
		indexed(t, shelf(t, path), dir)
		usual = max(usual, first)
	}
	t.Logf("%d kills of runs over %d files (%v whole): last heard %v; the longest start after a kill %v, after none %v; %d documents",
		kills, files, whole, stages, restart, usual, report.Documents)
}

// nothingLeft fails where more than a collection and its lock lies in its directory. What a process
// left that was killed while it made the file is only taken for that when it is old.
func nothingLeft(t *testing.T, path string) {
	t.Helper()
	if store.OnServer(path) {
		return
	}
	old := time.Now().Add(-2 * time.Hour)
	made, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".new-*"))
	for _, name := range made {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	s := shelf(t, path)
	s.Close()
	list, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if name := e.Name(); name != filepath.Base(path) && name != filepath.Base(path)+"-owner" {
			t.Errorf("left behind: %s", name)
		}
	}
}

// killed runs an indexer and kills it a time after it began, or after so many lines. It says how many contents it was
// told are kept, the last line, and how long the first took.
func killed(t *testing.T, path, dir string, lines int, after time.Duration) (kept int, last string, first time.Duration) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, path, dir)
	cmd.Env = append(os.Environ(), helper+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { time.AfterFunc(after, func() { _ = cmd.Process.Kill() }) }
	if lines == 1<<30 {
		kill()
	}
	heard := 0
	for in := bufio.NewScanner(out); in.Scan(); last = in.Text() {
		if first == 0 {
			first = time.Since(start)
		}
		if heard++; heard == lines+1 {
			kill()
		}
		n := 0
		if _, err := fmt.Sscanf(in.Text(), "kept %d", &n); err == nil {
			kept += n
		}
	}
	_ = cmd.Wait()
	return kept, last, first
}

// segments are all that a shelf keeps.
func segments(t testing.TB, s library.Shelf) (out []library.Segment) {
	t.Helper()
	err := s.View(t.Context(), func(v library.View) (err error) {
		out, err = v.Segments(t.Context(), true)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func version(t *testing.T, path string) (name string) {
	t.Helper()
	if there, err := store.HasLibrary(t.Context(), path); err != nil || !there {
		return ""
	}
	s := shelf(t, path)
	defer s.Close()
	if err := s.View(t.Context(), func(v library.View) error { name = v.Version(); return nil }); err != nil {
		t.Fatal(err)
	}
	return name
}

// Of two processes on one collection one owns it, and the other is told so, and which.
func TestOneOwner(t *testing.T) { onEach(t, oneOwner) }

func oneOwner(t *testing.T) {
	dir, path := t.TempDir(), place(t, "guide")
	write(t, dir, "a.md", document(1))
	s := shelf(t, path)
	release, err := s.Own(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := func() (string, error) {
		cmd := exec.Command(self, path, dir)
		cmd.Env = append(os.Environ(), helper+"=1")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := other(); err == nil || !strings.Contains(out, fmt.Sprintf("%v (process %d", library.ErrOwned, os.Getpid())) {
		t.Errorf("a second writer: %v, %s", err, out)
	}
	if st, err := s.State(t.Context()); err != nil || !st.Running {
		t.Errorf("state %+v, %v: want running", st, err)
	}
	release()
	if out, err := other(); err != nil {
		t.Errorf("after release: %v, %s", err, out)
	}
	if st, err := s.State(t.Context()); err != nil || st.Running || st.Documents != 1 {
		t.Errorf("state %+v, %v", st, err)
	}
}
